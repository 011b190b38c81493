"""Tests of the lexical index of a long passage."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data.content_words import words_in
from workings.inference import passage_index
from workings.inference.passage_index import PassageIndex

CAT, DOG, OWL = "The cat sleeps. ", "The dogs run. ", "An owl sees. "


@given(st.text(alphabet="ab. !?\n\t\"'(A1é猫", max_size=600))
def test_blocks_cover_the_text_once(text: str) -> None:
    blocks = PassageIndex.of(text).blocks
    assert "".join(text[start:end] for start, end in blocks) == text
    assert all(0 < end - start <= passage_index.BLOCK_CHARS for start, end in blocks)


def test_blocks_end_with_sentences() -> None:
    text = ("One short sentence here. " * 30).strip()
    index = PassageIndex.of(text)
    parts = [text[start:end] for start, end in index.blocks]
    # Eight sentences of 25 characters fill a block of 200.
    assert [part.count("sentence") for part in parts] == [8, 8, 8, 6]
    assert all(part.startswith("One") for part in parts)


def test_sentence_without_end_is_cut_at_spaces() -> None:
    text = "word " * 100
    parts = [text[start:end] for start, end in PassageIndex.of(text).blocks]
    assert [len(part) for part in parts] == [200, 200, 100]
    assert PassageIndex.of("x" * 450).blocks == ((0, 200), (200, 400), (400, 450))


@pytest.fixture
def one_sentence_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_index, "BLOCK_CHARS", 16)
    monkeypatch.setattr(passage_index, "WINDOW_BLOCKS", 1)


@pytest.mark.usefixtures("one_sentence_windows")
@pytest.mark.parametrize(
    ("question", "best"),
    [("What does the dog do?", 1), ("Owls?", 2), ("the sees of an", 2), ("Which cat?", 0)],
)
def test_window_that_shares_words_ranks_first(question: str, best: int) -> None:
    index = PassageIndex.of(CAT + DOG + OWL)
    assert len(index.blocks) == 3
    assert index.rank(question)[0] == range(best, best + 1)


@pytest.mark.usefixtures("one_sentence_windows")
@pytest.mark.parametrize("question", ["zebra", "", "?!", "how many"])
def test_order_of_the_text_where_no_word_matches(question: str) -> None:
    index = PassageIndex.of(CAT + DOG + OWL)
    assert index.rank(question) == [range(1), range(1, 2), range(2, 3)]


def test_text_without_words() -> None:
    assert PassageIndex.of("!? " * 200).rank("cat")[0].start == 0
    assert PassageIndex.of("   ").rank("cat") == [range(1)]


def bm25(
    terms: list[str], documents: list[list[str]], k1: float = 1.5, b: float = 0.75
) -> list[float]:
    """BM25 with the idf of Lucene, written out."""
    mean = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for term in terms:
        containing = sum(term in document for document in documents)
        idf = log(1 + (len(documents) - containing + 0.5) / (containing + 0.5))
        for number, document in enumerate(documents):
            count = document.count(term)
            scores[number] += (
                idf * count / (count + k1 * (1 - b + b * len(document) / mean)) if count else 0
            )
    return scores


@given(st.lists(st.sampled_from("Ada kicked goals for the club in May".split()), min_size=60))
def test_ranking_is_bm25_of_overlapping_windows(words: list[str]) -> None:
    text = " ".join(words)
    index = PassageIndex.of(text)
    ranked = index.rank("Who kicked the goal in May?")
    windows = sorted(ranked, key=lambda window: window.start)
    documents = []
    for window in windows:
        start, end = index.blocks[window[0]][0], index.blocks[window[-1]][1]
        singular = [word.removesuffix("s") for word in words_in(text[start:end])]
        documents.append(singular)
    scores = bm25(["kicked", "goal", "may"], documents)
    by_window = dict(zip(windows, scores, strict=True))
    falling = [by_window[window] for window in ranked]
    assert falling == pytest.approx(sorted(scores, reverse=True), abs=1e-5)
