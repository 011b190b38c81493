"""Labels and number formats shared by all views of an explanation."""

from collections.abc import Iterator

from workings.explain.explanation import ExplainedStep, Weights

OTHER = "other"
NONE = "none"
# Fields of a step and names of its notes, as people see them. Other notes keep their name.
_LABELS = {
    "asked": "looked for",
    "first": "first value",
    "second": "second value",
    "question": "question words",
    "output": "result",
}


def percent(share: float) -> str:
    """Format as whole percent; never "0 %" for a positive share or "100 %" for less than one."""
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def labelled_weights(step: ExplainedStep) -> Iterator[tuple[str, Weights]]:
    """Yield the weights of a step with their labels, in the order of display."""
    weights = {"asked": step.asked, **step.notes, "output": step.output}
    for name, part in weights.items():
        if part is not None:
            yield _LABELS.get(name, name), part
