"""Tests of the labels and number formats of all views."""

from workings.explain import Explanation
from workings.explain.explanation import Equation, ExplainedStep, Operand, Place, Share, Weights
from workings.explain.wording import (
    confidence_text,
    format_percent,
    labelled_weights,
    reason,
    result_summary,
)


def test_percent_is_never_rounded_to_0_or_100() -> None:
    shares = (0, 0.001, 0.006, 0.5, 0.994, 0.9951, 1)
    assert [format_percent(share) for share in shares] == [
        "0 %", "<1 %", "1 %", "50 %", "99 %", ">99 %", "100 %"
    ]  # fmt: skip


def test_labels_in_the_order_of_display(explanation: Explanation) -> None:
    labels = {
        step.module: [label for label, _ in labelled_weights(step)] for step in explanation.steps
    }
    assert labels["find"] == ["looked for", "result"]
    for labels_of_step in labels.values():
        assert labels_of_step[-1] == "result"
    if "compare-date-lt" in labels:
        assert labels["compare-date-lt"][:2] == ["first value", "second value"]


def test_summary_is_the_value_that_the_equation_uses(predicted: Explanation) -> None:
    step = next(step for step in predicted.steps if len(step.output.shares) > 1)
    kind = step.output.model_copy(update={"kind": "numbers"})
    step = step.model_copy(update={"output": kind})
    first, second = step.output.top[:2]
    alone = predicted.model_copy(update={"equation": None})
    assert result_summary(step, alone) == (first.text, format_percent(first.weight))
    operand = Operand(value=second.text, step=step.number)
    equation = Equation(expression="1", result="1", operands=(operand,))
    used = predicted.model_copy(update={"equation": equation})
    assert result_summary(step, used) == (second.text, format_percent(second.weight))


def test_reason_of_a_declined_question_is_its_sentence(predicted: Explanation) -> None:
    changes = {"abstained": True, "sentence": "The passage does not say."}
    assert reason(predicted.model_copy(update=changes)) == "The passage does not say."


def numbers_step(number: int, value: str) -> ExplainedStep:
    output = Weights(kind="numbers", shares=(Share(text=value, weight=0.8),))
    return ExplainedStep(
        number=number,
        module="find-num",
        signature="find-num(attention) → numbers",
        sentence="The number.",
        inputs=(),
        output=output,
        notes={},
    )


def test_summaries_write_numbers_as_the_texts_do(predicted: Explanation) -> None:
    operand = Operand(value="1480", step=1, place=Place(source="passage", start=5, end=10))
    changes = {
        "passage": "Used 1,480 units.",
        "answer": predicted.answer.model_copy(update={"value": "2960", "display": "2,960 units"}),
        "equation": Equation(expression="1480 * 2", result="2960", operands=(operand,)),
        "steps": (numbers_step(1, "1480"), numbers_step(2, "2960")),
    }
    changed = predicted.model_copy(update=changes)
    summaries = [result_summary(step, changed)[0] for step in changed.steps]
    assert summaries == ["1,480", "2,960 units"]


def test_confidence_of_a_withheld_answer_is_not_shown(predicted: Explanation) -> None:
    assert confidence_text(predicted) == f"{format_percent(predicted.confidence)} confidence"
    withheld = predicted.model_copy(update={"abstained": True})
    assert confidence_text(withheld) == ""
    nothing = predicted.steps[-1].model_copy(update={"output": Weights(kind="nothing", shares=())})
    unknown = withheld.model_copy(update={"steps": (*predicted.steps[:-1], nothing)})
    assert confidence_text(unknown) == f"{format_percent(predicted.confidence)} confidence"
    assert result_summary(nothing, unknown) == ("", "")
