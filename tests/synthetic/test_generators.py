"""Generators of questions, on hand-made facts."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest

from workings.synthetic import generators
from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import (
    Fact,
    NoUniqueAnswerError,
    SyntheticQuestion,
    Topic,
)
from workings.synthetic.sampler import Sampler
from workings.values import Date


def kick(index: int, yards: int, team: str, quarter: str) -> Fact:
    traits = {"team": f"by the {team}", "quarter": f"in the {quarter} quarter"}
    start = 100 * index
    return Fact(
        f"kick {index}", Mention((start, start + 9), Fraction(yards)), (start, start + 2), traits
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


def generate(
    generator: Generator, topic: Topic = KICKS, **options: object
) -> dict[str, SyntheticQuestion]:
    """All questions of a generator over many seeds, by their text."""
    questions = (
        generator(Sampler(Random(seed), unseen=False), topic, **options) for seed in range(60)
    )
    return {question.text: question for question in questions}


def answers(questions: dict[str, SyntheticQuestion]) -> dict[str, Fraction]:
    return {text: question.gold.root_target.numbers[0] for text, question in questions.items()}


def test_counts_by_trait() -> None:
    found = generate(
        generators.count, templates=["How many {plural}{trait}?", "How many by {agent}?"]
    )
    assert answers(found) == {
        "How many field goals?": 4,
        "How many field goals by the Owls?": 3,
        "How many by the Owls?": 3,
        "How many field goals by the Foxes?": 1,
        "How many by the Foxes?": 1,
        "How many field goals in the first quarter?": 1,
        "How many field goals in the second quarter?": 3,
    }


def test_filter_only_if_the_question_names_a_trait() -> None:
    alone = Topic((kick(0, 24, "Owls", "first"),), ())
    found = generate(generators.count, alone, templates=["How many{trait}?"])
    programs = {text: str(question.gold.program) for text, question in found.items()}
    assert programs == {
        "How many?": "count(find)",
        "How many by the Owls?": "count(filter(find))",
        "How many in the first quarter?": "count(filter(find))",
    }


def test_templates_without_a_trait_ask_about_all_facts() -> None:
    found = generate(
        generators.extreme_number,
        templates=["The {order_word}?"],
        order_words=[["longest"], ["shortest"]],
    )
    assert answers(found) == {"The longest?": 51, "The shortest?": 24}


def test_traits_that_give_the_answer_away_are_not_used() -> None:
    order_words = [["longest"], ["shortest"]]
    found = generate(
        generators.extreme_argument,
        templates=["Who{trait}: {order_word}?"],
        order_words=order_words,
        trait_types=["quarter"],
    )
    assert set(found) == {
        "Who: longest?",
        "Who: shortest?",
        "Who in the second quarter: longest?",
        "Who in the second quarter: shortest?",
    }
    assert found["Who in the second quarter: shortest?"].gold.root_target.spans == ((200, 202),)


def test_trait_of_a_single_fact() -> None:
    found = generate(generators.trait_number, templates=["How long was that{trait}?"])
    assert answers(found) == {
        "How long was that by the Foxes?": 33,
        "How long was that in the first quarter?": 24,
    }


def test_difference_of_counts() -> None:
    found = generate(
        generators.count_difference, templates=["More {many} than {few}?"], trait_type="team"
    )
    assert answers(found) == {"More by the Owls than by the Foxes?": 2}


def test_equal_counts_are_not_compared() -> None:
    even = Topic(KICKS.facts[1:3], ())
    with pytest.raises(NoUniqueAnswerError):
        generate(
            generators.count_difference,
            even,
            templates=["More {many} than {few}?"],
            trait_type="team",
        )


def test_shared_names_are_not_asked_about() -> None:
    twins = Topic((KICKS.facts[0], KICKS.facts[0]), ())
    with pytest.raises(NoUniqueAnswerError):
        generate(generators.number, twins, templates=["{first}?"])


def test_differences_are_never_negative() -> None:
    found = answers(generate(generators.difference, templates=["{first} less {second}?"]))
    assert len(found) == 6
    assert found["kick 1 less kick 0?"] == 27
    assert min(found.values()) > 0


def test_three_numbers() -> None:
    three = Topic(KICKS.facts[:3], ())
    total = answers(
        generate(generators.sum_of_three, three, templates=["{first} {second} {third}"])
    )
    assert set(total.values()) == {Fraction(108)}
    left = answers(generate(generators.remainder, three, templates=["left?"]))
    assert left == {"left?": Fraction(24 - 51 - 33)}
    assert answers(generate(generators.sum_minus_third, three, templates=["{third}"])) == {
        "kick 0": 60
    }


def test_percent_complement() -> None:
    alone = Topic(KICKS.facts[:1], ())
    assert answers(generate(generators.percent_complement, alone, templates=["{first}"])) == {
        "kick 0": 76
    }


def test_total_and_average() -> None:
    total = generate(generators.total, templates=["How many yards{trait}?"])
    assert answers(total) == {
        "How many yards?": 148,
        "How many yards by the Owls?": 115,
        "How many yards in the second quarter?": 124,
    }
    gold = total["How many yards by the Owls?"].gold
    assert str(gold.program) == "sum(filter(find))"
    assert gold.root_target.members == tuple(map(Fraction, (24, 51, 40)))
    assert {question.type for question in total.values()} == {"add4"}
    # 115 / 3 and 124 / 3 cannot be written in decimals.
    found: dict[str, SyntheticQuestion] = {}
    for seed in range(60):
        with suppress(NoUniqueAnswerError):
            sampler = Sampler(Random(seed), unseen=False)
            question = generators.average(sampler, KICKS, templates=["The mean{trait}?"])
            found[question.text] = question
    assert answers(found) == {"The mean?": 37}


@pytest.mark.parametrize(
    ("operation", "answer", "question_type"),
    [
        ("multiply", 1224, "product"),
        ("divide", Fraction(24, 51), "ratio"),
        ("percent", Fraction(2400, 51), "percent-of"),
        ("percent_change", Fraction(2700, 51), "percent-change"),
    ],
)
def test_two_numbers(operation: str, answer: Fraction, question_type: str) -> None:
    found = generate(generators.combined, templates=["{first}, {second}?"], operation=operation)
    assert answers(found) == {"kick 0, kick 1?": answer}
    assert {question.type for question in found.values()} == {question_type}


def test_second_and_third() -> None:
    order_words = [["longest"], ["shortest"]]
    found = generate(
        generators.ranked_number, templates=["The {order_word}{trait}?"], order_words=order_words
    )
    numbers = answers(found)
    assert numbers["The second longest?"] == 40
    assert numbers["The third longest?"] == 33
    assert numbers["The second shortest by the Owls?"] == 40
    assert not any("Foxes" in text for text in numbers)  # they have one kick
    who = generate(
        generators.ranked_argument, templates=["Who {order_word}?"], order_words=order_words
    )
    assert who["Who second longest?"].gold.root_target.spans == ((300, 302),)


def test_thresholds_are_round_numbers_between_two_facts() -> None:
    found = answers(
        generate(
            generators.threshold_count,
            templates=["{order_word}?"],
            order_words=[["over"], ["under"]],
        )
    )
    # Between 24 and 33, 33 and 40, 40 and 51.
    assert found == {
        "over 30?": 3,
        "over 35?": 2,
        "over 50?": 1,
        "under 30?": 1,
        "under 35?": 2,
        "under 50?": 3,
    }
    between = answers(generate(generators.between_count, templates=["{order_word}?"]))
    assert between == {"between 30 and 35?": 1, "between 30 and 50?": 2, "between 35 and 50?": 1}


def test_unanswerable_questions() -> None:
    absent = generate(generators.absent_name, templates=["Where is {first}?"], names="place")
    stated = generate(generators.not_stated, templates=["Who saw {first}?"])
    assert set(stated) == {f"Who saw kick {n}?" for n in range(4)}
    for question in (*absent.values(), *stated.values()):
        assert (question.kind, question.type) == (None, "none")
        assert str(question.gold.program) == "unknown"
        assert question.gold.targets == ()


@pytest.mark.parametrize(("unit", "amount"), [("days", 48), ("months", 1)])
def test_time_between_named_events(unit: str, amount: int) -> None:
    facts = tuple(
        Fact(name, Mention((start, start + 2), dates=(date,)))
        for name, start, date in (("fair", 0, Date(None, 4, 12)), ("fire", 9, Date(None, 5, 30)))
    )
    generator = getattr(generators, f"{unit}_between")
    found = generate(generator, Topic(facts, ()), templates=["{late} after {early}?"])
    assert answers(found) == {"fire after fair?": amount}
    (question,) = found.values()
    # The events in the order of the question.
    assert [target.spans for target in question.gold.targets[1:]] == [((9, 11),), ((0, 2),)]
