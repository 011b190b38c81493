"""The spans, signed sums and counts that give a known answer."""

from fractions import Fraction

from small_peers import (
    A_COUNT,
    A_SUM,
    IN_PASSAGE,
    IN_QUESTION,
    PASSAGE,
    UNKNOWN,
    characters,
    small_peer,
)

from tiny import QUESTION
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.peers.answer_targets import AnswerTargets, find_targets
from workings.peers.signs import MINUS, PLUS
from workings.settings import PeerSettings
from workings.supervision.derivation import Supervision
from workings.values import Date

TOKENIZER = small_peer("naqanet").tokenizer
PASSAGE_INPUT = PassageInput.from_text(PASSAGE, TOKENIZER)
QUESTION_TOKENS = TokenizedText.tokenize(QUESTION, TOKENIZER)
INDICES = {number.value: index for index, number in enumerate(PASSAGE_INPUT.values.numbers)}


def targets(supervision: Supervision, **settings: object) -> AnswerTargets:
    peer_settings = PeerSettings.model_validate(settings)
    return find_targets(supervision, QUESTION_TOKENS, PASSAGE_INPUT, peer_settings)


def passage_texts(found: AnswerTargets) -> list[str]:
    offsets = PASSAGE_INPUT.tokens.offsets
    return [PASSAGE[offsets[first][0] : offsets[last][1]] for first, last in found.passage]


def test_each_answer_has_its_type() -> None:
    answers = (IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT, UNKNOWN)
    assert [targets(answer).available for answer in answers] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
        [False] * 4,
    ]


def test_sum_uses_numbers_of_the_passage() -> None:
    expected = ((INDICES[Fraction(24)], MINUS), (INDICES[Fraction(47)], PLUS))
    assert targets(A_SUM).signs == [expected]


def test_date_is_a_span_of_the_whole_date() -> None:
    assert passage_texts(targets(Supervision(dates=(Date(1901, 5, 3),)))) == ["3 May 1901"]


def test_sum_of_constants_alone_is_excluded() -> None:
    rest, hundred = Supervision(numbers=(Fraction(76),)), len(INDICES) + 2
    assert targets(rest).signs == []
    expected = ((INDICES[Fraction(24)], MINUS), (hundred, PLUS))
    assert targets(rest, constants=(100,)).signs == [expected]
    constants_only = Supervision(numbers=(Fraction(99),))
    assert targets(constants_only, constants=(1, 100)).signs == []


def test_number_of_operands_is_a_setting() -> None:
    total = Supervision(numbers=(Fraction(24 + 31 + 47),))
    assert targets(total, operands=2).signs == []
    assert len(targets(total, operands=3).signs) == 1


def test_number_of_derivations_is_limited() -> None:
    answer = Supervision(numbers=(Fraction(24),))
    assert len(targets(answer, operands=3, constants=(0, 1, 100), derivations=1).signs) == 1


def test_question_last_prefers_the_passage() -> None:
    both = Supervision(
        spans=(characters(PASSAGE, "field goal"),), question_spans=IN_QUESTION.question_spans
    )
    assert targets(both).available[:2] == [True, True]
    assert targets(both, question_last=True).available[:2] == [True, False]
    assert targets(IN_QUESTION, question_last=True).available[:2] == [False, True]


def test_counts_are_whole_and_limited() -> None:
    ten = Supervision(numbers=(Fraction(10),))
    assert targets(ten).count is None
    assert targets(ten, largest_count=10).count == 10
    assert targets(Supervision(numbers=(Fraction(5, 2),))).count is None
