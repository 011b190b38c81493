"""NumNet on the shared encoder: NAQANet whose passage has heard its numbers compared."""

import torch
from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.peers.heads import Passages
from workings.peers.naqanet import NAQANet
from workings.peers.numgnn import NumGNN, QuestionNumbers, make_graph
from workings.settings import Recipe


class NumNet(NAQANet):
    """NAQANet's heads over a graph of numbers."""

    def __init__(self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer) -> None:
        super().__init__(recipe, encoder, tokenizer)
        self.graph = NumGNN(encoder.width, recipe.peer.steps)
        self.enter = nn.Linear(2 * encoder.width, encoder.width)
        # At first a passage is what the encoder made of it, and something of the graph.
        nn.init.eye_(self.enter.weight.data[:, : encoder.width])
        self.block = nn.TransformerEncoderLayer(
            encoder.width,
            encoder.config.num_attention_heads,
            dim_feedforward=2 * encoder.width,
            dropout=recipe.encoder.inner_dropout,
            activation="gelu",
            batch_first=True,
        )

    def passages(self, encoding: Encoding) -> Passages:
        """Every depth told of the graph; one block, shared, spreads it from number to words."""
        compared = self._compared(encoding)
        ignored = ~encoding.passage_mask
        return [
            self.block(self.enter(torch.cat([depth, compared], -1)), src_key_padding_mask=ignored)
            for depth in super().passages(encoding)
        ]

    def _compared(self, encoding: Encoding) -> Float[Tensor, "b m d"]:
        """What the graph says of each number, laid on its pieces; zero elsewhere."""
        lowest, mentions = encoding.depths[0], encoding.numbers
        asked = QuestionNumbers.read(encoding.questions, lowest.passage.device)
        nodes = [mentions.pool(lowest.passage), asked.mentions.pool(lowest.question)]
        heard = self.graph(torch.cat(nodes, 1), make_graph(encoding, asked))
        written = heard[:, : mentions.mask.shape[1]] * mentions.placed[..., None]
        laid: Tensor = (
            mentions.covers(lowest.passage.shape[1]).to(written).transpose(1, 2) @ written
        )
        return laid
