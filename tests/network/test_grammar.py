"""The grammar: read off the modules' hints, and helpful when a program is refused."""

from math import inf

import pytest

from workings.errors import ProgramError
from workings.modules import REGISTRY
from workings.network.grammar import ANSWERS, Grammar
from workings.ops.results import Attention, Dates, Numbers, Span
from workings.program import Program

GRAMMAR = Grammar.of(REGISTRY)


@pytest.mark.parametrize(
    "text",
    [
        "span(compare-date-lt(find, find))",
        "sub(add(find-num(find), find-num(find)), find-num(filter(find)))",
        "sub(count(filter(find)), count(filter(find)))",
        "time-diff(find)",
        "time-diff(find, find)",
        "span(relocate(find-max-num(filter(find))))",
        "spans(filter(find))",
        "find-date(find)",
    ],
)
def test_well_typed_programs_are_derived_in_writing_order(text: str) -> None:
    program = Program.parse(text)
    written = [GRAMMAR.signatures[place] for place in GRAMMAR.derive(program)]
    assert [form.name for form in written] == [part.name for part in program.walk()]
    assert [len(form.takes) for form in written] == [len(part.children) for part in program.walk()]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("find", "find gives attention, but an answer must be numbers or span", "Wrap it in"),
        ("sub(find, find-num(find))", "input 1 of sub must be numbers", "Wrap it in count or"),
        ("add(find-num(find), span(find))", "input 2 of add must be numbers", "Use add or"),
        ("count(find-num(find))", "input 1 of count must be attention", "Use compare-date-gt"),
        ("plus(find, find)", "There is no module 'plus'", "Known: add"),
        ("cuont(find)", "There is no module 'cuont'", "Did you mean 'count'?"),
        ("sub(find-num(find))", "sub was given 1 inputs", "sub(numbers, numbers) → numbers"),
        ("time-diff(find, find, find)", "was given 3 inputs", "time-diff(attention) → numbers or"),
        ("find(find)", "find was given 1 inputs", "Write it as find"),
    ],
)
def test_ill_typed_programs_are_refused_with_advice(text: str, message: str, hint: str) -> None:
    with pytest.raises(ProgramError) as caught:
        GRAMMAR.derive(Program.parse(text))
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_signatures_come_from_hints() -> None:
    forms = {form.key: form for form in GRAMMAR.signatures}
    assert forms["find/0"].takes == ()
    assert forms["sub/2"].takes == (Numbers, Numbers)
    assert forms["time-diff/1"].takes == (Attention,)
    assert forms["time-diff/2"].takes == (Attention, Attention)
    assert forms["span/1"].gives is Span
    assert len(forms) == len(GRAMMAR.signatures)


def test_shortest_programs() -> None:
    least = GRAMMAR.shortest([True] * len(GRAMMAR.signatures))
    assert least[Attention] == 1
    assert {least[kind] for kind in ANSWERS} == {2}
    without_find = [form.name != "find" for form in GRAMMAR.signatures]
    assert set(GRAMMAR.shortest(without_find).values()) == {inf}
    only_sub = [form.name in ("find", "find-num", "sub") for form in GRAMMAR.signatures]
    assert GRAMMAR.shortest(only_sub)[Dates] == inf
