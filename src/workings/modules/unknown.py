from workings.modules.module import Context, Module
from workings.ops.results import Nothing


class Unknown(Module, name="unknown"):
    """The passage does not say."""

    example = "Who repaired the bridge, which the passage does not mention?"
    error_category = "program"

    def forward(self, context: Context) -> Nothing:
        return Nothing(context.question_attention.new_ones(len(context.encoding)))
