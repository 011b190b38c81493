"""Makers of questions by hand: what is asked, what is not, and by which program."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from workings.synthetic import generators
from workings.synthetic.gold_steps import Mention, outcome
from workings.synthetic.passage_writer import CannotAsk, Fact, SyntheticQuestion, Topic
from workings.synthetic.sampler import Sampler


def kick(place: int, yards: int, team: str, quarter: str) -> Fact:
    traits = {"team": f"by the {team}", "quarter": f"in the {quarter} quarter"}
    start = 100 * place
    return Fact(
        f"kick {place}", Mention((start, start + 9), Fraction(yards)), (start, start + 2), traits
    )


KICKS = Topic(
    (
        kick(0, 24, "Owls", "first"),
        kick(1, 51, "Owls", "second"),
        kick(2, 33, "Foxes", "second"),
        kick(3, 40, "Owls", "second"),
    ),
    (),
    {"plural": "field goals"},
)

Generator = Callable[..., SyntheticQuestion]


def asked(
    maker: Generator, topic: Topic = KICKS, **options: object
) -> dict[str, SyntheticQuestion]:
    """All that a maker comes to ask, by its text."""
    found = (maker(Sampler(Random(seed), unseen=False), topic, **options) for seed in range(60))
    return {question.text: question for question in found}


def answers(questions: dict[str, SyntheticQuestion]) -> dict[str, Fraction]:
    return {text: outcome(question.gold).numbers[0] for text, question in questions.items()}


def test_counts_by_trait() -> None:
    found = asked(generators.how_many, ways=["How many {plural}{trait}?", "How many by {doer}?"])
    assert answers(found) == {
        "How many field goals?": 4,
        "How many field goals by the Owls?": 3,
        "How many by the Owls?": 3,
        "How many field goals by the Foxes?": 1,
        "How many by the Foxes?": 1,
        "How many field goals in the first quarter?": 1,
        "How many field goals in the second quarter?": 3,
    }


def test_a_filter_stands_exactly_where_a_trait_is_named() -> None:
    alone = Topic((kick(0, 24, "Owls", "first"),), ())
    found = asked(generators.how_many, alone, ways=["How many{trait}?"])
    programs = {text: str(question.gold.program) for text, question in found.items()}
    assert programs == {
        "How many?": "count(find)",
        "How many by the Owls?": "count(filter(find))",
        "How many in the first quarter?": "count(filter(find))",
    }


def test_ways_without_a_trait_ask_about_everything() -> None:
    found = asked(generators.extreme_number, ways=["The {most}?"], ends=[["longest"], ["shortest"]])
    assert answers(found) == {"The longest?": 51, "The shortest?": 24}


def test_an_argument_is_not_asked_for_by_a_trait_that_tells_it() -> None:
    ends = [["longest"], ["shortest"]]
    found = asked(
        generators.extreme_argument, ways=["Who{trait}: {most}?"], ends=ends, families=["quarter"]
    )
    assert set(found) == {
        "Who: longest?",
        "Who: shortest?",
        "Who in the second quarter: longest?",
        "Who in the second quarter: shortest?",
    }
    assert outcome(found["Who in the second quarter: shortest?"].gold).spans == ((200, 202),)


def test_what_a_trait_singles_out() -> None:
    found = asked(generators.trait_number, ways=["How long was that{trait}?"])
    assert answers(found) == {
        "How long was that by the Foxes?": 33,
        "How long was that in the first quarter?": 24,
    }


def test_count_less_count() -> None:
    found = asked(generators.how_many_more, ways=["More {many} than {few}?"], family="team")
    assert answers(found) == {"More by the Owls than by the Foxes?": 2}


def test_equal_counts_are_not_compared() -> None:
    even = Topic(KICKS.facts[1:3], ())
    with pytest.raises(CannotAsk):
        asked(generators.how_many_more, even, ways=["More {many} than {few}?"], family="team")


def test_a_name_shared_by_two_is_not_asked_about() -> None:
    twins = Topic((KICKS.facts[0], KICKS.facts[0]), ())
    with pytest.raises(CannotAsk):
        asked(generators.number, twins, ways=["{first}?"])


def test_differences_are_never_negative() -> None:
    found = answers(asked(generators.difference, ways=["{first} less {second}?"]))
    assert len(found) == 6
    assert found["kick 1 less kick 0?"] == 27
    assert min(found.values()) > 0


def test_three_numbers() -> None:
    three = Topic(KICKS.facts[:3], ())
    total = answers(asked(generators.total_of_three, three, ways=["{first} {second} {third}"]))
    assert set(total.values()) == {Fraction(108)}
    left = answers(asked(generators.left_over, three, ways=["left?"]))
    assert left == {"left?": Fraction(24 - 51 - 33)}
    assert answers(asked(generators.pair_less_third, three, ways=["{third}"])) == {"kick 0": 60}


def test_the_rest_of_a_hundred() -> None:
    alone = Topic(KICKS.facts[:1], ())
    assert answers(asked(generators.rest_of_hundred, alone, ways=["{first}"])) == {"kick 0": 76}
