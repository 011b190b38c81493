"""Tests of the marked passage: no character is lost, and marks lie on the operands."""

from workings.explain import Explanation
from workings.explain.explanation import ComparedValue, Comparison, Place
from workings.explain.marked_passage import MarkedExcerpt, marked_passage


def text_of(excerpts: list[MarkedExcerpt]) -> str:
    return "".join(run.text for excerpt in excerpts for run in excerpt.runs)


def marked(explanation: Explanation, mark: str) -> list[str]:
    excerpts = marked_passage(explanation, full_chars=10_000, context_chars=50)
    return [run.text for excerpt in excerpts for run in excerpt.runs if run.mark == mark]


def test_shows_every_character_once(explanation: Explanation) -> None:
    for full_chars in (20, 10_000):
        excerpts = marked_passage(explanation, full_chars=full_chars, context_chars=10)
        assert text_of(excerpts) == explanation.passage


def test_marks_the_operands(explanation: Explanation) -> None:
    operands = explanation.equation.operands if explanation.equation else ()
    places = [operand.place for operand in operands if operand.place is not None]
    used = marked(explanation, "used")
    assert all(explanation.text_at(place) in " ".join(used) for place in places)


def compared(explanation: Explanation, relation: str) -> Explanation:
    """The explanation with a comparison of 47 with 24, and nothing else to mark."""
    values = []
    for number in ("47", "24"):
        start = explanation.passage.index(number)
        place = Place(source="passage", start=start, end=start + 2)
        values.append(ComparedValue(value=number, place=place, chosen=number == "47"))
    comparison = Comparison(step=1, relation=relation, values=tuple(values))
    answer = explanation.answer.model_copy(update={"places": ()})
    changes = {"answer": answer, "equation": None, "comparisons": (comparison,)}
    return explanation.model_copy(update=changes)


def test_extreme_marks_its_winner_and_underlines_the_others(predicted: Explanation) -> None:
    largest = compared(predicted, "largest")
    assert (marked(largest, "used"), marked(largest, "compared")) == (["47"], ["24"])


def test_comparison_marks_both_sides(predicted: Explanation) -> None:
    assert sorted(marked(compared(predicted, "more"), "used")) == ["24", "47"]


def test_long_passage_without_marks_shows_its_beginning(predicted: Explanation) -> None:
    answer = predicted.answer.model_copy(update={"places": ()})
    changes = {"passage": "word " * 5000, "answer": answer, "equation": None, "comparisons": ()}
    bare = predicted.model_copy(update={**changes, "values": ()})
    first, rest = marked_passage(bare, full_chars=240, context_chars=50)
    assert (first.shown, rest.shown) == (True, False)
    assert 240 <= len(first.runs[0].text) < 300


def test_signs_are_marked_with_their_number(predicted: Explanation) -> None:
    text = "Tea is £3 and 5% goes to charity. At -7 degrees all 4-2."
    places = [Place(source="passage", start=text.index(n), end=text.index(n) + 1) for n in "3572"]
    answer = predicted.answer.model_copy(update={"places": tuple(places)})
    changes = {"passage": text, "answer": answer, "equation": None, "comparisons": ()}
    assert marked(predicted.model_copy(update={**changes, "values": ()}), "used") == [
        "£3",
        "5%",
        "-7",
        "2",
    ]
