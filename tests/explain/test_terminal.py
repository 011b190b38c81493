"""Tests of the terminal view: answer first, every step, no markup from the texts."""

from rich.console import Console

from workings.explain import Explanation
from workings.explain.explanation import Place
from workings.explain.terminal import to_renderable, to_text
from workings.explain.wording import format_percent, result_summary


def test_answer_comes_first_then_sentence_passage_program(explanation: Explanation) -> None:
    answer, sentence, empty, passage, also_empty, program, *_ = to_text(
        explanation, width=1000
    ).splitlines()
    assert answer.startswith(str(explanation.answer))
    assert answer.endswith(" % confidence")
    assert sentence == explanation.sentence
    assert (empty, also_empty) == ("", "")
    assert passage.strip()[:3] in explanation.passage or "[" in passage
    assert program == explanation.program


def test_operands_stand_in_brackets(explanation: Explanation) -> None:
    text = to_text(explanation, width=1000)
    for operand in explanation.equation.operands if explanation.equation else ():
        if operand.place is not None:
            assert f"[{explanation.text_at(operand.place)}" in text


def test_predicted_program_has_its_probability(predicted: Explanation) -> None:
    lines = to_text(predicted, width=500).splitlines()
    probability = f"{format_percent(predicted.probability)} program probability"
    assert f"{predicted.program}   {probability}" in lines


def test_folded_steps_have_sentence_and_result(explanation: Explanation) -> None:
    text = to_text(explanation, width=500)
    for step in explanation.steps:
        result, _ = result_summary(step, explanation)
        assert f"{step.number} {step.sentence.rstrip('.')}: {result}" in text
        assert step.signature not in text


def test_open_steps_have_sentence_and_signature(explanation: Explanation) -> None:
    text = to_text(explanation, width=200, steps=True)
    for step in explanation.steps:
        assert f"{step.number} {step.signature}" in text
        assert step.sentence in text
    assert "looked for" in text
    assert "result" in text


def test_no_weight_below_one_percent(explanation: Explanation) -> None:
    assert "<1 %" not in to_text(explanation, width=200, steps=True)


def test_plain_text_has_no_colour(explanation: Explanation) -> None:
    assert "\x1b" not in str(explanation)
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as capture:
        console.print(to_renderable(explanation))
    assert "\x1b[" in capture.get()


def test_square_brackets_are_not_markup(explanation: Explanation) -> None:
    answer = explanation.answer.model_copy(update={"texts": ("[bold]x[/red]",), "display": ""})
    changed = explanation.model_copy(update={"answer": answer})
    assert str(changed).startswith("[bold]x[/red]")


def test_other_programs_come_last(predicted: Explanation) -> None:
    text = to_text(predicted, width=300)
    listed = text[text.index("Other programs") :]
    assert all(other.program in listed for other in predicted.alternatives)


def test_parts_read_of_a_long_passage_have_a_line(explanation: Explanation) -> None:
    part = Place(source="passage", start=0, end=len(explanation.passage))
    long = {"passage": explanation.passage + "x" * 10_000, "parts_read": (part,)}
    lines = to_text(explanation.model_copy(update=long), width=500).splitlines()
    share = "2 %"  # 175 of 10,175 characters
    assert f"Read {share} of the passage: the parts that match the question." in lines
    assert not any(line.startswith("Read ") for line in to_text(explanation).splitlines())
