from workings.modules.module import Context, Module
from workings.ops.results import Attention, Dates


class FindDate(Module, name="find-date"):
    """The date of the attended event."""

    example = "When did the siege begin?"
    needs = "dates"
    keeps_place = True
    error_category = "pick"

    def forward(self, context: Context, event: Attention) -> Dates:
        return context.groundings.dates(event, context.encoding)
