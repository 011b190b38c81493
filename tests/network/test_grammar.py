"""The grammar: induced from type hints, with helpful errors for ill-typed programs."""

from math import inf

import pytest

from workings.errors import ProgramError
from workings.modules import REGISTRY
from workings.network.grammar import ANSWERS, Grammar
from workings.ops.results import Attention, Dates, Nothing, Numbers, Span
from workings.program import Program

# A fixed part of the language: hints list its modules, and must not change with a new one.
NAMES = """
    add compare-date-gt compare-date-lt compare-num-gt compare-num-lt count filter find find-date
    find-max-num find-min-num find-num relocate span spans sub time-diff
""".split()
GRAMMAR = Grammar.of({name: REGISTRY[name] for name in NAMES})


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
def test_derives_productions_in_written_order(text: str) -> None:
    program = Program.parse(text)
    forms = [GRAMMAR.signatures[production] for production in GRAMMAR.derive(program)]
    assert [form.name for form in forms] == [part.name for part in program.walk()]
    assert [len(form.takes) for form in forms] == [len(part.children) for part in program.walk()]


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
def test_rejects_ill_typed_programs_with_a_hint(text: str, message: str, hint: str) -> None:
    with pytest.raises(ProgramError) as error:
        GRAMMAR.derive(Program.parse(text))
    assert message in error.value.message
    assert hint in error.value.hint


def test_signatures_are_read_from_type_hints() -> None:
    forms = {form.key: form for form in GRAMMAR.signatures}
    assert forms["find/0"].takes == ()
    assert forms["sub/2"].takes == (Numbers, Numbers)
    assert forms["time-diff/1"].takes == (Attention,)
    assert forms["time-diff/2"].takes == (Attention, Attention)
    assert forms["span/1"].gives is Span
    assert len(forms) == len(GRAMMAR.signatures)


def test_every_registered_module_has_a_production() -> None:
    assert {form.name for form in Grammar.of(REGISTRY).signatures} == set(REGISTRY)


def test_shortest_programs() -> None:
    shortest = GRAMMAR.shortest([True] * len(GRAMMAR.signatures))
    assert shortest[Attention] == 1
    assert {shortest[kind] for kind in ANSWERS if kind is not Nothing} == {2}
    without_find = [form.name != "find" for form in GRAMMAR.signatures]
    assert set(GRAMMAR.shortest(without_find).values()) == {inf}
    only_sub = [form.name in ("find", "find-num", "sub") for form in GRAMMAR.signatures]
    assert GRAMMAR.shortest(only_sub)[Dates] == inf


def test_unknown_and_constants_are_programs_of_one_step() -> None:
    grammar = Grammar.of(REGISTRY)
    shortest = grammar.shortest([True] * len(grammar.signatures))
    assert shortest[Nothing] == shortest[Numbers] == 1
    assert len(grammar.derive(Program.parse("unknown"))) == 1
    with pytest.raises(ProgramError, match="unknown gives nothing"):
        grammar.derive(Program.parse("span(unknown)"))
