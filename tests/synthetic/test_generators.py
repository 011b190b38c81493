"""Generators of questions, on hand-made facts."""

from collections.abc import Callable
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
