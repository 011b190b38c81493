"""What the largest and the smallest have in common."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from workings.encoder.encoding import Mentions
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Grounded
from workings.ops.results import Attention, TokenProbabilities
from workings.ops.uncertain_sets import Membership, above, largest_member
from workings.settings import ModuleSettings


class Extreme(Module):
    """Among the events attended to, the one whose number outranks the others."""

    needs = "numbers"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        if settings.extreme == "set":
            self.membership = Membership(width)

    def pick(self, context: Context, events: Attention, *, largest: bool) -> Attention:
        mentions = context.encoding.numbers
        mention_weights = context.groundings.trace_numbers(events, context.encoding)
        rank = _rank(mentions, largest=largest)
        if self.settings.extreme == "set":
            return self._of_set(context, events, mention_weights, rank)
        return self._of_samples(context, mention_weights, rank)

    def _of_set(
        self,
        context: Context,
        events: Attention,
        mention_weights: Grounded,
        rank: Int[Tensor, "b k"],
    ) -> Attention:
        """The attention lies on the very words of the number that wins."""
        encoding = context.encoding
        mentions, length = encoding.numbers, encoding.passage.shape[1]
        vectors = context.groundings.number_vectors(encoding)
        logits = self.membership(events, encoding, vectors, mention_weights.mentions, mentions.mask)
        self._note(context, torch.sigmoid(logits))
        winner = largest_member(logits, rank, mentions.placed)
        return Attention(mentions.spread(winner, length), torch.zeros_like(events.question))

    def _note(self, context: Context, inside: Float[Tensor, "b k"]) -> None:
        """Two numbers may begin with one word ("3-4 million"): it is no likelier than certain."""
        length = context.encoding.passage.shape[1]
        marks = context.encoding.numbers.spread(inside, length).clamp(max=1)
        context.note("candidates", TokenProbabilities(marks))

    def _of_samples(
        self, context: Context, mention_weights: Grounded, rank: Int[Tensor, "b k"]
    ) -> Attention:
        """The paper's: the best of n samples, its weight handed back to the words it came from."""
        encoding = context.encoding
        mentions, samples = encoding.numbers, self.settings.samples
        weights = mention_weights.mentions * mentions.placed
        self._note(context, weights)
        higher = above(weights, rank)
        whole = weights.sum(-1, keepdim=True)
        below = (whole - higher).clamp(min=0)
        winner = below**samples - (below - weights).clamp(min=0) ** samples
        share = winner / weights.clamp(min=EPSILON) * mentions.placed
        words = (mention_weights.tokens * share[:, None, :]).sum(-1)
        return Attention(
            words / words.sum(-1, keepdim=True).clamp(min=EPSILON),
            torch.zeros_like(context.question_attention),
        )


def _rank(mentions: Mentions, *, largest: bool) -> Int[Tensor, "b k"]:
    """The higher, the more extreme the number; of equal numbers the later mention is higher."""
    entry, count = mentions.entry, mentions.entry.shape[1]
    order = entry if largest else -entry
    rank: Tensor = order * count + torch.arange(count, device=entry.device)
    return rank
