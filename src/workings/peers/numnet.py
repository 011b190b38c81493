"""NumNet on the shared encoder: NAQANet's heads with a graph network over the numbers."""

import torch
from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.peers.heads import PassageLayers
from workings.peers.naqanet import NAQANet
from workings.peers.numgnn import NumGNN, QuestionNumbers, make_graph
from workings.settings import Recipe


class NumNet(NAQANet):
    """NumNet (Ran et al. 2019): NAQANet's heads over a graph of numbers."""

    def __init__(self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer) -> None:
        super().__init__(recipe, encoder, tokenizer)
        self.graph = NumGNN(encoder.width, recipe.peer.steps)
        self.join = nn.Linear(2 * encoder.width, encoder.width)
        # Starts as the identity on the encoder's vectors, with random weights for the graph's.
        nn.init.eye_(self.join.weight.data[:, : encoder.width])
        self.block = nn.TransformerEncoderLayer(
            encoder.width,
            encoder.config.num_attention_heads,
            dim_feedforward=2 * encoder.width,
            dropout=recipe.encoder.inner_dropout,
            activation="gelu",
            batch_first=True,
        )

    def passage_layers(self, encoding: Encoding) -> PassageLayers:
        """Join the graph's vectors to every layer; one shared block spreads them to all words."""
        graph_vectors = self._graph_vectors(encoding)
        padding = ~encoding.passage_mask
        return [
            self.block(
                self.join(torch.cat([layer, graph_vectors], -1)), src_key_padding_mask=padding
            )
            for layer in super().passage_layers(encoding)
        ]

    def _graph_vectors(self, encoding: Encoding) -> Float[Tensor, "b m d"]:
        """The graph's vector of each number on the number's tokens; zero elsewhere."""
        lowest, mentions = encoding.layers[0], encoding.numbers
        question_numbers = QuestionNumbers.read(encoding.questions, lowest.passage.device)
        nodes = [mentions.pool(lowest.passage), question_numbers.mentions.pool(lowest.question)]
        updated = self.graph(torch.cat(nodes, 1), make_graph(encoding, question_numbers))
        in_passage = updated[:, : mentions.mask.shape[1]] * mentions.placed[..., None]
        covers = mentions.covers(lowest.passage.shape[1]).to(in_passage)
        vectors: Tensor = covers.transpose(1, 2) @ in_passage
        return vectors
