"""The terminal's view: the answer first, every step with its sentence, no markup of the user's."""

from rich.console import Console

from workings.explain import Explanation
from workings.explain.terminal import to_renderable, to_text
from workings.explain.wording import percent


def test_the_answer_comes_first_then_the_program(explanation: Explanation) -> None:
    lines = str(explanation).splitlines()
    assert lines[0].startswith(str(explanation.answer))
    assert lines[0].endswith("sure")
    assert lines[1] == explanation.program


def test_every_step_is_there_with_its_sentence(explanation: Explanation) -> None:
    text = to_text(explanation, width=200)
    for step in explanation.steps:
        assert f"{step.number} {step.signature}" in text
        assert step.sentence in text


def test_plain_text_has_no_colour_and_a_terminal_has(explanation: Explanation) -> None:
    assert "\x1b" not in str(explanation)
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as caught:
        console.print(to_renderable(explanation))
    assert "\x1b[" in caught.get()


def test_square_brackets_are_words(explanation: Explanation) -> None:
    odd = explanation.model_copy(
        update={"answer": explanation.answer.model_copy(update={"texts": ("[bold]x[/red]",)})}
    )
    assert str(odd).startswith("[bold]x[/red]")


def test_other_programs_come_last(asked: Explanation) -> None:
    text = to_text(asked, width=300)
    listed = text[text.index("other programs") :]
    assert all(other.program in listed for other in asked.alternatives)


def test_percent_never_lies() -> None:
    shares = (0, 0.001, 0.006, 0.5, 0.994, 0.9951, 1)
    assert [percent(share) for share in shares] == [
        "0 %", "<1 %", "1 %", "50 %", "99 %", ">99 %", "100 %"
    ]  # fmt: skip
