"""Tests of the labels and number formats of all views."""

from workings.explain import Explanation
from workings.explain.wording import labelled_weights, percent


def test_percent_is_never_rounded_to_0_or_100() -> None:
    shares = (0, 0.001, 0.006, 0.5, 0.994, 0.9951, 1)
    assert [percent(share) for share in shares] == [
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
