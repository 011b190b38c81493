import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from workings.encoder.distance_buckets import bucket
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Similarity, masked_softmax
from workings.ops.mention_distance import initial_distance_bias
from workings.ops.results import Attention
from workings.settings import ModuleSettings

# Every word looks at every other: of a passage too long for that, only the heaviest words do.
MOST_PAIRS = 1 << 26


class Relocate(Module, name="relocate"):
    """From the words of an event to the words for who or what took part in it."""

    example = "Who kicked the longest field goal?"
    asks = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)
        # Who took part is most often told in the event's own sentence.
        self.distance_bias = (
            nn.Parameter(initial_distance_bias()) if settings.distance_bias else None
        )

    def forward(self, context: Context, event: Attention) -> Attention:
        encoding = context.encoding
        wanted = context.question_attention[:, None, :] @ encoding.question
        weights, words, places = _heaviest(event.passage, encoding.passage)
        scores = self.similarity(wanted + words, encoding.passage)
        if self.distance_bias is not None:
            away = places[..., None] - torch.arange(encoding.passage.shape[1], device=places.device)
            scores = scores + self.distance_bias[bucket(away)]
        moves = masked_softmax(scores, encoding.passage_mask[:, None, :])
        return Attention((weights[:, None, :] @ moves)[:, 0], context.question_attention)


def _heaviest(
    weights: Float[Tensor, "b m"], words: Float[Tensor, "b m d"]
) -> tuple[Float[Tensor, "b h"], Float[Tensor, "b h d"], Int[Tensor, "#b h"]]:
    """The words that are to move, to which the lighter ones hand their weight if they must."""
    length = weights.shape[1]
    most = max(MOST_PAIRS // length, 1)
    if length <= most:
        return weights, words, torch.arange(length, device=weights.device)[None]
    heaviest, places = weights.topk(most)
    share = weights.sum(-1, keepdim=True) / heaviest.sum(-1, keepdim=True).clamp(min=EPSILON)
    taken = words.gather(1, places[..., None].expand(-1, -1, words.shape[-1]))
    return heaviest * share, taken, places
