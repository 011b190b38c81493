"""Labels and number formats shared by all views of an explanation."""

from collections.abc import Iterator

from workings.explain.explanation import ExplainedStep, Explanation, Operand, Share, Weights
from workings.explain.word_groups import phrases

OTHER = "other"
NONE = "none"
# Bars and words below this weight are not shown one by one.
MIN_SHOWN_WEIGHT = 0.01
_SINGLE_RESULT_KINDS = ("numbers", "dates", "span")
# The kind of the result that the passage does not answer the question.
_NO_ANSWER = "nothing"
_MAX_PHRASES = 4
# Fields of a step and names of its notes, as people see them. Other notes keep their name.
_LABELS = {
    "asked": "looked for",
    "first": "first value",
    "second": "second value",
    "question": "question words",
    "output": "result",
}


def format_percent(share: float) -> str:
    """Format as whole percent; never "0 %" for a positive share or "100 %" for less than one."""
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def parts_sentence(explanation: Explanation) -> str:
    """State which parts of a long passage were read; empty if all of it was read."""
    parts = explanation.parts_read
    if not parts:
        return ""
    share = format_percent(sum(part.end - part.start for part in parts) / len(explanation.passage))
    return f"Read {share} of the passage: the parts that match the question."


def confidence_text(explanation: Explanation) -> str:
    """State the confidence; empty if it is that of a withheld answer."""
    is_withheld = explanation.abstained and explanation.steps[-1].output.kind != _NO_ANSWER
    return "" if is_withheld else f"{format_percent(explanation.confidence)} confidence"


def labelled_weights(step: ExplainedStep) -> Iterator[tuple[str, Weights]]:
    """Yield the weights of a step with their labels, in the order of display."""
    weights = {"asked": step.asked, **step.notes, "output": step.output}
    for name, part in weights.items():
        if part is not None:
            yield _LABELS.get(name, name), part


def result_summary(step: ExplainedStep, explanation: Explanation) -> tuple[str, str]:
    """Return the result of a step in a few words, and its probability if it is one value.

    The result is the value that the equation uses, or else the likeliest one.
    """
    weights = step.output
    if weights.kind == _NO_ANSWER:
        return "", ""
    if weights.top and weights.kind in _SINGLE_RESULT_KINDS:
        operand = _used_operand(step, explanation)
        used = operand.value if operand else None
        shown = next((share for share in weights.shares if share.text == used), weights.top[0])
        return _as_written(shown, operand, step, explanation), format_percent(shown.weight)
    heaviest = [share for share in phrases(weights, explanation) if is_shown(share.weight)]
    distinct = {share.text.casefold(): share.text for share in reversed(heaviest)}
    return " · ".join(list(reversed(distinct.values()))[:_MAX_PHRASES]) or NONE, ""


def _used_operand(step: ExplainedStep, explanation: Explanation) -> Operand | None:
    """The operand that the equation takes from a step, if it takes one."""
    operands = explanation.equation.operands if explanation.equation else ()
    found = [operand for operand in operands if operand.step == step.number]
    return found[0] if len(found) == 1 else None


def _as_written(
    share: Share, operand: Operand | None, step: ExplainedStep, explanation: Explanation
) -> str:
    """A value as the answer or the text writes it: 1,480 for 1480."""
    answer = explanation.answer
    if step.number == len(explanation.steps) and share.text in (answer.value, *answer.texts):
        return str(answer)
    if operand is not None and operand.value == share.text and operand.place is not None:
        text = explanation.text_at(operand.place)
        return text if text[:1].isdigit() else share.text
    return share.text


def is_shown(weight: float) -> bool:
    """Whether a weight is large enough for a bar or a word of its own."""
    return weight >= MIN_SHOWN_WEIGHT


def reason(explanation: Explanation) -> str:
    """Return the sentence that explains the answer, or why there is none."""
    if explanation.sentence or not explanation.abstained:
        return explanation.sentence
    guess = explanation.alternatives[0] if explanation.alternatives else None
    if guess is None or not guess.answer.texts or guess.program != explanation.program:
        return "No answer was found in the passage."
    return (
        f"Not sure enough to answer. The best guess is {guess.answer} "
        f"({format_percent(guess.confidence)} confidence)."
    )


def steps_from_the_root(explanation: Explanation) -> list[tuple[ExplainedStep, int]]:
    """Return each step with its depth, in the order of the program: the answer's step first."""

    def walk(number: int, depth: int) -> Iterator[tuple[ExplainedStep, int]]:
        step = explanation.step(number)
        yield step, depth
        for child in step.inputs:
            yield from walk(child, depth + 1)

    return list(walk(len(explanation.steps), 0))
