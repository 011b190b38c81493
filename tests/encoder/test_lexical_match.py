"""Lexical matches between question and passage, and the propagation of their labels."""

import pytest
import torch
from encoders import PASSAGES, QUESTIONS, encoder
from torch import Tensor

from workings.encoder.distance_buckets import bucket
from workings.encoder.inputs import TokenizedText
from workings.encoder.lexical_match import NO_MATCH, LexicalMatchEmbedding, lexical_matches
from workings.encoder.windows import QuestionWindow
from workings.errors import RecipeError
from workings.settings import Recipe

# The word pieces of "Did Orlan score 12?": Did, Orla, ##n, score, 12, ?
QUESTION = TokenizedText(
    "Did Orlan score 12?", tuple(range(6)), ((0, 3), (4, 8), (8, 9), (10, 15), (16, 18), (18, 19))
)
ZERO = torch.zeros(4)


def tokenized(text: str, *pieces: str) -> TokenizedText:
    offsets, end = [], 0
    for piece in pieces:
        start = text.index(piece, end)
        end = start + len(piece)
        offsets.append((start, end))
    return TokenizedText(text, tuple(range(len(pieces))), tuple(offsets))


def test_whole_words_match_in_any_case() -> None:
    pieces = ("ORLA", "N", "had", "12", ",", "Orla", "2", ".")
    passage = tokenized("ORLAN had 12, Orla 2.", *pieces)
    none = NO_MATCH
    assert lexical_matches(QUESTION, passage) == [1, 1, none, 4, none, none, none, none]
    assert lexical_matches(QUESTION, QUESTION) == [0, 1, 1, 3, 4, none]


@pytest.mark.parametrize("plural", ["runs", "passes", "sieges", "houses", "Boxes"])
def test_plural_matches_singular(plural: str) -> None:
    singular = {"passes": "pass", "Boxes": "box"}.get(plural, plural.removesuffix("s"))
    passage = tokenized(f"a {singular}", "a", singular)
    assert lexical_matches(tokenized(plural, plural), passage) == [NO_MATCH, 0]


@pytest.mark.parametrize("words", ["the these", "use us", "to toes", "run rung", "12 127"])
def test_similar_words_do_not_match(words: str) -> None:
    first, second = words.split()
    assert lexical_matches(tokenized(first, first), tokenized(second, second)) == [NO_MATCH]


def test_repeated_question_word_matches_its_first_position() -> None:
    question = tokenized("the man or the dog", "the", "man", "or", "the", "dog")
    assert lexical_matches(question, tokenized("The dog", "The", "dog")) == [0, 4]


def labels_of(
    embedding: LexicalMatchEmbedding, *windows: QuestionWindow, state: float = 0.0
) -> list[Tensor]:
    """The label vectors of some windows whose token vectors are all the same."""
    labels: list[Tensor] = embedding(
        windows, [torch.full((len(window), 4), state) for window in windows]
    )
    return labels


def window(
    question_matches: list[int], passage_matches: list[int], clauses: list[int] | None = None
) -> QuestionWindow:
    return QuestionWindow(
        question_ids=(0,) * (len(question_matches) + 2),
        passage_ids=(0,) * (len(passage_matches) + 1),
        question_matches=question_matches,
        passage_matches=passage_matches,
        clauses=clauses or [0] * len(passage_matches),
    )


def test_matching_tokens_share_a_label_and_others_have_none() -> None:
    embedding = LexicalMatchEmbedding(8, 4)
    embedding.distance_weight.data.zero_()
    # [CLS], two tokens, [SEP]; three tokens, [SEP]. Then a shorter window.
    windows = window([0, 1], [1, NO_MATCH, 0]), window([0], [NO_MATCH])
    labels, shorter = labels_of(embedding, *windows)
    first, second = embedding.embedding.weight[:2]
    expected = [ZERO, first, second, ZERO, second, ZERO, first, ZERO]
    assert torch.equal(labels, torch.stack(expected))
    assert torch.equal(shorter, torch.stack([ZERO, first, ZERO, ZERO, ZERO]))


def propagating() -> LexicalMatchEmbedding:
    """An embedding that propagates each label to the next token only."""
    embedding = LexicalMatchEmbedding(8, 4)
    embedding.distance_weight.data.zero_()
    embedding.distance_weight.data[bucket(torch.tensor(1))] = 1.0
    return embedding


def test_labels_are_propagated_in_the_passage_weighted_by_rarity() -> None:
    embedding = propagating()
    (labels,) = labels_of(embedding, window([0, 1], [1, NO_MATCH, 0, 0, NO_MATCH]))
    first, second = embedding.embedding.weight[:2]
    weaker = first * 0.5**0.5  # the label of a word that occurs twice
    expected = [second, second, first, first + weaker, weaker]
    torch.testing.assert_close(labels[4:-1], torch.stack(expected))
    torch.testing.assert_close(labels[1:3], torch.stack([first, second]))  # not in the question


@pytest.mark.parametrize("weight", [0.0, 0.25])
def test_labels_cross_clauses_with_a_learned_weight(weight: float) -> None:
    embedding = propagating()
    embedding.across_clauses.data.fill_(weight)
    (labels,) = labels_of(embedding, window([0, 1], [1, NO_MATCH, 0, NO_MATCH], [4, 5, 5, 5]))
    first, second = embedding.embedding.weight[:2]
    expected = [second, weight * second, first, first]
    torch.testing.assert_close(labels[4:-1], torch.stack(expected))


def test_labels_stay_within_clauses_at_first() -> None:
    assert LexicalMatchEmbedding(8, 4).across_clauses.item() == 0


def test_each_token_learns_the_distance_of_its_labels() -> None:
    embedding = propagating()
    before = bucket(torch.tensor(-1))
    # Four entries of 0.5, each times 0.25: half of the label of the next token.
    embedding.token_weight.weight.data[before] = 0.25
    (labels,) = labels_of(embedding, window([0, 1], [NO_MATCH, 0, NO_MATCH]), state=0.5)
    first = embedding.embedding.weight[0]
    torch.testing.assert_close(labels[4:-1], torch.stack([0.5 * first, first, first]))


@torch.no_grad()
def test_encoder_adds_the_labels_to_its_embeddings() -> None:
    plain, matching = encoder(split=2), encoder(split=2, lexical_match=True)
    assert matching.lexical_match is not None
    matching.lexical_match.distance_weight.zero_()
    difference = (
        matching(QUESTIONS[:1], PASSAGES[1:]).passage - plain(QUESTIONS[:1], PASSAGES[1:]).passage
    )
    matches = lexical_matches(QUESTIONS[0], PASSAGES[1].tokens)
    table = matching.lexical_match.embedding.weight
    expected = [ZERO.new_zeros(32) if match == NO_MATCH else table[match] for match in matches]
    assert len(set(matches)) > 3
    torch.testing.assert_close(difference[0], torch.stack(expected), atol=1e-5, rtol=1e-5)


def test_lexical_match_excludes_frozen_layers_above_the_split() -> None:
    with pytest.raises(RecipeError, match="lexical_match"):
        Recipe.read({"encoder": {"lexical_match": True, "split": 1, "frozen": 2}})
