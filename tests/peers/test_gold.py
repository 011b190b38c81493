"""What a known answer can be for the heads."""

from fractions import Fraction

from small_peers import (
    A_COUNT,
    A_SUM,
    IN_PASSAGE,
    IN_QUESTION,
    PASSAGE,
    UNKNOWN,
    place,
    small_peer,
)

from tiny import QUESTION
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.peers.gold import Gold, find_gold
from workings.peers.signs import MINUS, PLUS
from workings.settings import PeerSettings
from workings.supervision.supervise import Supervision
from workings.values import Date

TOKENIZER = small_peer("naqanet").tokenizer
READ, ASKED = PassageInput.read(PASSAGE, TOKENIZER), TokenizedText.cut(QUESTION, TOKENIZER)
PLACES = {number.value: place for place, number in enumerate(READ.values.numbers)}


def gold(known: Supervision, **settings: object) -> Gold:
    return find_gold(known, ASKED, READ, PeerSettings.model_validate(settings))


def text_of(gold: Gold) -> list[str]:
    offsets = READ.tokens.offsets
    return [PASSAGE[offsets[first][0] : offsets[last][1]] for first, last in gold.passage]


def test_each_answer_has_its_type() -> None:
    each = [gold(known).known for known in (IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT, UNKNOWN)]
    assert each == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
        [False] * 4,
    ]


def test_a_sum_is_found_on_the_numbers_of_the_passage() -> None:
    assert gold(A_SUM).signs == [((PLACES[Fraction(24)], MINUS), (PLACES[Fraction(47)], PLUS))]


def test_a_date_is_where_it_is_written() -> None:
    assert text_of(gold(Supervision(dates=(Date(1901, 5, 3),)))) == ["3 May 1901"]


def test_a_constant_helps_but_not_alone() -> None:
    rest, hundred = Supervision(numbers=(Fraction(76),)), len(PLACES) + 2
    assert gold(rest).signs == []
    assert gold(rest, constants=(100,)).signs == [((PLACES[Fraction(24)], MINUS), (hundred, PLUS))]
    alone = Supervision(numbers=(Fraction(99),))
    assert gold(alone, constants=(1, 100)).signs == []


def test_three_operands_are_a_setting() -> None:
    total = Supervision(numbers=(Fraction(24 + 31 + 47),))
    assert gold(total, operands=2).signs == []
    assert len(gold(total, operands=3).signs) == 1


def test_no_more_derivations_are_kept_than_asked_for() -> None:
    many = Supervision(numbers=(Fraction(24),))
    assert len(gold(many, operands=3, constants=(0, 1, 100), derivations=1).signs) == 1


def test_the_question_can_come_last() -> None:
    both = Supervision(
        spans=(place(PASSAGE, "field goal"),), question_spans=IN_QUESTION.question_spans
    )
    assert gold(both).known[:2] == [True, True]
    assert gold(both, question_last=True).known[:2] == [True, False]
    assert gold(IN_QUESTION, question_last=True).known[:2] == [False, True]


def test_a_count_has_a_largest() -> None:
    ten = Supervision(numbers=(Fraction(10),))
    assert gold(ten).count is None
    assert gold(ten, largest_count=10).count == 10
    assert gold(Supervision(numbers=(Fraction(5, 2),))).count is None
