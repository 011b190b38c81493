import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from workings.encoder.distance_buckets import bucket
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Similarity, bounded, masked_softmax
from workings.ops.mention_distance import initial_distance_bias
from workings.ops.results import Attention
from workings.settings import ModuleSettings

# Limit on token pairs: in a longer passage only the tokens of highest weight are moved.
MAX_PAIRS = 1 << 26
# With `modules.gated`, token vectors change a score by at most the bound, and the sentence of the
# event is preferred by the bias: another event gives another participant.
_VECTOR_BOUND = 4.0
_SENTENCE_BIAS = 4.0


class Relocate(Module, name="relocate"):
    """Moves the attention from an event to the person or thing that took part in it."""

    example = "Who kicked the longest field goal?"
    uses_question = True
    exact_words = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)
        # Participants are most often named in the event's own sentence.
        bias = nn.Parameter(initial_distance_bias()) if settings.distance_bias else None
        self.distance_bias = bias

    def forward(self, context: Context, event: Attention) -> Attention:
        encoding = context.encoding
        query = context.question_attention[:, None, :] @ encoding.question
        weights, tokens, positions = _heaviest(event.passage, encoding.passage)
        scores = self.similarity(query + tokens, encoding.passage)
        if self.settings.gated:
            sentences = encoding.sentences
            same = (
                sentences.gather(1, positions.expand_as(weights))[..., None] == sentences[:, None]
            )
            scores = bounded(scores, _VECTOR_BOUND) + _SENTENCE_BIAS * same
        if self.distance_bias is not None:
            targets = torch.arange(encoding.passage.shape[1], device=positions.device)
            scores = scores + self.distance_bias[bucket(positions[..., None] - targets)]
        moves = masked_softmax(scores, encoding.passage_mask[:, None, :])
        return Attention((weights[:, None, :] @ moves)[:, 0], context.question_attention)


def _heaviest(
    weights: Float[Tensor, "b m"], tokens: Float[Tensor, "b m d"]
) -> tuple[Float[Tensor, "b h"], Float[Tensor, "b h d"], Int[Tensor, "#b h"]]:
    """The tokens to move, with their positions; they take over the weight of the others."""
    length = weights.shape[1]
    count = max(MAX_PAIRS // length, 1)
    if length <= count:
        return weights, tokens, torch.arange(length, device=weights.device)[None]
    heaviest, positions = weights.topk(count)
    scale = weights.sum(-1, keepdim=True) / heaviest.sum(-1, keepdim=True).clamp(min=EPSILON)
    selected = tokens.gather(1, positions[..., None].expand(-1, -1, tokens.shape[-1]))
    return heaviest * scale, selected, positions
