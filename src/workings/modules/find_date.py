from workings.modules.module import Context, Module
from workings.ops.results import Attention, Dates


class FindDate(Module, name="find-date"):
    """The date that the attended words speak of."""

    example = "When did the siege begin?"
    needs = "dates"

    def forward(self, context: Context, event: Attention) -> Dates:
        return context.groundings.dates(event, context.encoding)
