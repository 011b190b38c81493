"""Tests of the terminal view: answer first, every step, no markup from the texts."""

from rich.console import Console

from workings.explain import Explanation
from workings.explain.terminal import to_renderable, to_text
from workings.explain.wording import percent


def test_answer_comes_first_then_sentence_then_program(explanation: Explanation) -> None:
    answer, *lines = to_text(explanation, width=500).splitlines()
    assert answer.startswith(str(explanation.answer))
    assert answer.endswith(" % confidence")
    sentence = [explanation.sentence] if explanation.sentence else []
    assert lines[: len(sentence) + 1] == [*sentence, explanation.program]


def test_predicted_program_has_its_probability(predicted: Explanation) -> None:
    lines = to_text(predicted, width=500).splitlines()
    assert f"{predicted.program}   {percent(predicted.probability)}" in lines


def test_every_step_has_its_sentence(explanation: Explanation) -> None:
    text = to_text(explanation, width=200)
    for step in explanation.steps:
        assert f"{step.number} {step.signature}" in text
        assert step.sentence in text


def test_weights_have_labels(explanation: Explanation) -> None:
    text = to_text(explanation, width=200)
    assert "looked for" in text
    assert "result" in text


def test_plain_text_has_no_colour(explanation: Explanation) -> None:
    assert "\x1b" not in str(explanation)
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as capture:
        console.print(to_renderable(explanation))
    assert "\x1b[" in capture.get()


def test_square_brackets_are_not_markup(explanation: Explanation) -> None:
    answer = explanation.answer.model_copy(update={"texts": ("[bold]x[/red]",)})
    changed = explanation.model_copy(update={"answer": answer})
    assert str(changed).startswith("[bold]x[/red]")


def test_other_programs_come_last(predicted: Explanation) -> None:
    text = to_text(predicted, width=300)
    listed = text[text.index("Other programs") :]
    assert all(other.program in listed for other in predicted.alternatives)
