from fractions import Fraction

import torch
from torch import nn

from workings.grounding import EPSILON
from workings.membership import Membership, total
from workings.modules.base import Context, Module
from workings.results import Attention, Marks, Numbers
from workings.settings import ModuleSettings
from workings.support import Support

# The paper's counter reads the weights at several magnifications, and spreads its estimate this far.
_SCALES = (1.0, 2.0, 5.0, 10.0)
_SPREAD = 0.5


class Count(Module, name="count"):
    """How many of the things asked about the attended words mention."""

    example = "How many field goals did the home team kick?"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.support = Support(tuple(map(Fraction, range(settings.largest_count + 1))))
        if settings.count == "set":
            self.membership = Membership(width)
        else:
            self.reader = nn.GRU(
                len(_SCALES), 20, num_layers=2, bidirectional=True, batch_first=True
            )
            self.score = nn.Linear(40, 1)

    def forward(self, context: Context, things: Attention) -> Numbers:
        marks = self._set(context, things) if self.settings.count == "set" else self._gru(things)
        marks = marks * context.encoding.passage_mask
        context.note("counted", Marks(marks))
        largest = self.settings.largest_count
        if self.settings.count == "set":
            weights = total(marks, largest)
        else:
            places = torch.arange(largest + 1, device=marks.device)
            distance = places - marks.sum(-1, keepdim=True).clamp(max=largest)
            weights = torch.softmax(-(distance**2) / (2 * _SPREAD**2), -1)
        return Numbers(weights, [self.support] * len(context.encoding))

    def _set(self, context: Context, things: Attention) -> torch.Tensor:
        encoding = context.encoding
        logits = self.membership(things, encoding, encoding.passage, things.passage)
        return torch.sigmoid(logits)

    def _gru(self, things: Attention) -> torch.Tensor:
        scales = things.passage.new_tensor(_SCALES)
        states, _ = self.reader(things.passage[..., None].clamp(min=EPSILON) * scales)
        marks: torch.Tensor = torch.sigmoid(self.score(states)[..., 0])
        return marks
