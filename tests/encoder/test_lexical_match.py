"""Which pieces of a passage repeat a word of the question."""

import pytest
import torch
from torch import Tensor

from workings.encoder.distance_buckets import bucket
from workings.encoder.inputs import TokenizedText
from workings.encoder.lexical_match import NO_MATCH, LexicalMatchEmbedding, lexical_matches
from workings.encoder.windows import QuestionWindow
from workings.errors import RecipeError
from workings.settings import Recipe

# "Did Orla|##n score 12 ?", cut as a word-piece tokenizer would.
QUESTION = TokenizedText(
    "Did Orlan score 12?", tuple(range(6)), ((0, 3), (4, 8), (8, 9), (10, 15), (16, 18), (18, 19))
)


def cut(text: str, *pieces: str) -> TokenizedText:
    offsets, end = [], 0
    for piece in pieces:
        start = text.index(piece, end)
        end = start + len(piece)
        offsets.append((start, end))
    return TokenizedText(text, tuple(range(len(pieces))), tuple(offsets))


def test_whole_words_echo_as_one_whatever_their_case() -> None:
    passage = cut("ORLAN had 12, Orla 2.", "ORLA", "N", "had", "12", ",", "Orla", "2", ".")
    none = NO_MATCH
    assert lexical_matches(QUESTION, passage) == [1, 1, none, 4, none, none, none, none]
    assert lexical_matches(QUESTION, QUESTION) == [0, 1, 1, 3, 4, none]


@pytest.mark.parametrize("many", ["runs", "passes", "sieges", "houses", "Boxes"])
def test_the_plural_echoes_the_singular(many: str) -> None:
    one = {"passes": "pass", "Boxes": "box"}.get(many, many.removesuffix("s"))
    assert lexical_matches(cut(many, many), cut(f"a {one}", "a", one)) == [NO_MATCH, 0]


@pytest.mark.parametrize("other", ["the these", "use us", "to toes", "run rung", "12 127"])
def test_other_words_do_not(other: str) -> None:
    first, second = other.split()
    assert lexical_matches(cut(first, first), cut(second, second)) == [NO_MATCH]


def test_of_a_word_asked_twice_the_first_place_counts() -> None:
    question = cut("the man or the dog", "the", "man", "or", "the", "dog")
    assert lexical_matches(question, cut("The dog", "The", "dog")) == [0, 4]


def heard(
    labels: LexicalMatchEmbedding, *readings: QuestionWindow, state: float = 0.0
) -> list[Tensor]:
    return labels(readings, [torch.full((len(one), 4), state) for one in readings])


def reading(own: list[int], echo: list[int], clauses: list[int] | None = None) -> QuestionWindow:
    head, tail = (0,) * (len(own) + 2), (0,) * (len(echo) + 1)
    return QuestionWindow(head, tail, own, echo, clauses or [0] * len(echo))


def test_labels_are_shared_by_what_repeats_and_nothing_else_has_one() -> None:
    labels = LexicalMatchEmbedding(8, 4)
    labels.reach.data.zero_()
    # Opening, two pieces, closing; three pieces, closing. Then a shorter one.
    found, shorter = heard(labels, reading([0, 1], [1, NO_MATCH, 0]), reading([0], [NO_MATCH]))
    table = labels.table.weight
    nothing = torch.zeros(4)
    wanted = [nothing, table[0], table[1], nothing, table[1], nothing, table[0], nothing]
    assert torch.equal(found, torch.stack(wanted))
    assert torch.equal(shorter, torch.stack([nothing, table[0], *[nothing] * 3]))


def hearing() -> LexicalMatchEmbedding:
    """LexicalMatchEmbedding heard by the piece after the one that has them, and by no other."""
    labels = LexicalMatchEmbedding(8, 4)
    labels.reach.data.zero_()
    labels.reach.data[bucket(torch.tensor(1))] = 1.0
    return labels


def test_labels_are_heard_around_in_the_passage_the_rarer_the_more() -> None:
    labels = hearing()
    (found,) = heard(labels, reading([0, 1], [1, NO_MATCH, 0, 0, NO_MATCH]))
    table = labels.table.weight
    half = table[0] * 0.5**0.5  # of a word that stands there twice
    wanted = [table[1], table[1], table[0], table[0] + half, half]
    torch.testing.assert_close(found[4:-1], torch.stack(wanted))
    torch.testing.assert_close(found[1:3], table[:2])  # the question's own stay as they are


@pytest.mark.parametrize("beyond", [0.0, 0.25])
def test_other_clauses_hear_as_much_as_is_learned(beyond: float) -> None:
    labels = hearing()
    labels.beyond.data.fill_(beyond)
    (found,) = heard(labels, reading([0, 1], [1, NO_MATCH, 0, NO_MATCH], [4, 5, 5, 5]))
    table = labels.table.weight
    wanted = [table[1], beyond * table[1], table[0], table[0]]
    torch.testing.assert_close(found[4:-1], torch.stack(wanted))


def test_a_word_listens_by_what_it_is() -> None:
    labels = hearing()
    before = bucket(torch.tensor(-1))
    labels.listen.weight.data[before] = 0.25  # four entries of a half: what comes next, by a half
    (found,) = heard(labels, reading([0, 1], [NO_MATCH, 0, NO_MATCH]), state=0.5)
    table = labels.table.weight
    torch.testing.assert_close(found[4:-1], torch.stack([0.5 * table[0], table[0], table[0]]))


def test_labels_are_never_given_to_frozen_layers() -> None:
    with pytest.raises(RecipeError, match="lexical_match"):
        Recipe.read({"encoder": {"lexical_match": True, "split": 1, "frozen": 2}})
