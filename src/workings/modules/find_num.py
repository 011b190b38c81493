from workings.modules.module import Context, Module
from workings.ops.results import Attention, Numbers


class FindNum(Module, name="find-num"):
    """The number that belongs to the attended words."""

    example = "How many yards was the touchdown pass?"
    needs = "numbers"
    keeps_place = True
    error_category = "pick"

    def forward(self, context: Context, event: Attention) -> Numbers:
        return context.groundings.numbers(event, context.encoding)
