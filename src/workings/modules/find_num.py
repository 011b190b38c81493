from workings.modules.module import Context, Module
from workings.ops.results import Attention, Numbers


class FindNum(Module, name="find-num"):
    """The number that the attended words speak of."""

    example = "How many yards was the touchdown pass?"
    needs = "numbers"

    def forward(self, context: Context, event: Attention) -> Numbers:
        return context.groundings.numbers(event, context.encoding)
