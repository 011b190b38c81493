import torch
from jaxtyping import Float
from torch import Tensor

from workings.arithmetic.support import Support
from workings.encoder.inputs import TokenizedText
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON
from workings.ops.results import Numbers


class QuestionNum(Module, name="question-num"):
    """The number that the question states."""

    example = "How many field goals were longer than 40 yards?"
    uses_question = True
    needs = "question numbers"
    error_category = "pick"

    def forward(self, context: Context) -> Numbers:
        attention, questions = context.question_attention, context.encoding.questions
        supports = [question.numbers for question in questions]
        size = max(1, *map(len, supports))
        weights = [
            _on_numbers(row, question, support, size)
            for row, question, support in zip(attention, questions, supports, strict=True)
        ]
        return Numbers(torch.stack(weights), supports)


def _on_numbers(
    attention: Float[Tensor, " n"], question: TokenizedText, support: Support, size: int
) -> Float[Tensor, " s"]:
    """The share of the attention on each number of a question; zero if it states none."""
    weights = attention.new_zeros(size)
    for number in question.values.numbers:
        first, last = question.locate(number.start, number.end)
        # The smallest weight keeps a number possible that attention has missed altogether.
        mass = attention[first : last + 1].sum() + EPSILON
        weights = weights.index_add(
            0, torch.tensor([support.positions[number.value]], device=weights.device), mass[None]
        )
    return weights / weights.sum().clamp(min=EPSILON)
