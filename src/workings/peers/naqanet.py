"""NAQANet on the shared encoder: heads that answer in one step."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.transformer import Encoder
from workings.inference.decoding import Prediction
from workings.peers.gold import find_gold
from workings.peers.head_decoding import decide
from workings.peers.heads import DEPTHS, HeadOutputs, Heads, Passages
from workings.settings import Recipe
from workings.supervision.supervise import Supervision


class NAQANet(nn.Module):
    """Reads, and answers by the head of the type that is asked for."""

    modules_trained: ClassVar[Sequence[str]] = ()  # it has heads, and writes no programs

    def __init__(self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.recipe, self.tokenizer, self.encoder = recipe, tokenizer, encoder
        self.heads = Heads(encoder.width, recipe.peer)

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that no pretraining has touched."""
        for name, parameter in self.named_parameters():
            if not name.startswith("encoder."):
                yield name, parameter
        yield from self.encoder.new_parameters()

    def read(
        self, questions: Sequence[TokenizedText], passages: Sequence[PassageInput]
    ) -> Encoding:
        """Encode question i over passage i, with the layers the heads look at."""
        encoding: Encoding = self.encoder(questions, passages, keep=DEPTHS)
        return encoding

    def passages(self, encoding: Encoding) -> Passages:
        """The passage at each depth, as the heads see it."""
        return [depth.passage for depth in encoding.depths]

    def forward(self, encoding: Encoding) -> HeadOutputs:
        said: HeadOutputs = self.heads(encoding, self.passages(encoding))
        return said

    def log_likelihood(
        self, encoding: Encoding, known: Sequence[Supervision]
    ) -> Float[Tensor, " r"]:
        """log p(answer) over all types and derivations, of the questions that have any."""
        asked = zip(known, encoding.questions, encoding.inputs, strict=True)
        golds = [find_gold(*one, self.recipe.peer) for one in asked]
        return self.forward(encoding).log_likelihood(golds)

    def answer(self, encoding: Encoding) -> list[Prediction]:
        """The best answer to each question."""
        joint = self.recipe.peer.decode == "joint"
        return decide(self.forward(encoding), encoding, joint=joint)
