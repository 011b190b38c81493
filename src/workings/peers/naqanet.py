"""NAQANet on the shared encoder: heads that answer without intermediate steps."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.transformer import Encoder
from workings.inference.decoding import Prediction
from workings.peers.answer_targets import find_targets
from workings.peers.head_decoding import decode_heads
from workings.peers.heads import DEPTHS, HeadOutputs, Heads, PassageLayers
from workings.settings import Recipe
from workings.supervision.derivation import Supervision


class NAQANet(nn.Module):
    """NAQANet (Dua et al. 2019): a classifier of the answer type and one head for each type."""

    modules_trained: ClassVar[Sequence[str]] = ()  # it has heads instead of modules

    def __init__(self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.recipe, self.tokenizer, self.encoder = recipe, tokenizer, encoder
        self.heads = Heads(encoder.width, recipe.peer)

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Yield the parameters that are not pretrained, with their names."""
        for name, parameter in self.named_parameters():
            if not name.startswith("encoder."):
                yield name, parameter
        yield from self.encoder.new_parameters()

    def read(
        self, questions: Sequence[TokenizedText], passages: Sequence[PassageInput]
    ) -> Encoding:
        """Encode each question with its passage, and keep the layers that the heads read."""
        encoding: Encoding = self.encoder(questions, passages, keep_layers=DEPTHS)
        return encoding

    def passage_layers(self, encoding: Encoding) -> PassageLayers:
        """The token vectors of the passage that the heads read, M0 to M3."""
        return [depth.passage for depth in encoding.layers]

    def forward(self, encoding: Encoding) -> HeadOutputs:
        """Apply the heads to a batch."""
        outputs: HeadOutputs = self.heads(encoding, self.passage_layers(encoding))
        return outputs

    def log_likelihood(
        self, encoding: Encoding, supervisions: Sequence[Supervision]
    ) -> Float[Tensor, " r"]:
        """Compute log p(answer) over all types and derivations.

        Args:
            encoding: The batch.
            supervisions: The answer of each question.

        Returns:
            One value for each question that has a derivation of any type.
        """
        rows = zip(supervisions, encoding.questions, encoding.inputs, strict=True)
        targets = [find_targets(*row, self.recipe.peer) for row in rows]
        return self.forward(encoding).log_likelihood(targets)

    def answer(self, encoding: Encoding) -> list[Prediction]:
        """Choose one answer for each question."""
        joint = self.recipe.peer.decode == "joint"
        return decode_heads(self.forward(encoding), encoding, joint=joint)
