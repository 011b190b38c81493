"""Tests of phrases: heavy neighbours are joined and written as in the text."""

from workings.explain import Explanation
from workings.explain.explanation import Place, Share, Weights
from workings.explain.word_groups import phrases


def weights_of(
    explanation: Explanation, words: dict[str, float], kind: str = "attention"
) -> Weights:
    shares = []
    for word, weight in words.items():
        start = explanation.passage.index(word)
        place = Place(source="passage", start=start, end=start + len(word))
        shares.append(Share(text=word, weight=weight, place=place))
    return Weights(kind=kind, shares=tuple(shares))


def phrase_texts(
    explanation: Explanation, words: dict[str, float], kind: str = "attention"
) -> list[str]:
    return [share.text for share in phrases(weights_of(explanation, words, kind), explanation)]


def test_joins_neighbours(predicted: Explanation) -> None:
    words = {"Ada": 0.2, "24": 0.25, "yard": 0.25, "field": 0.02}
    joined = phrases(weights_of(predicted, words), predicted)
    assert [(share.text, share.weight) for share in joined] == [("24-yard", 0.5), ("Ada", 0.2)]


def test_skips_punctuation(predicted: Explanation) -> None:
    words = {"quarter": 0.3, ".": 0.5, "Ben": 0.2}
    for kind in ("attention", "spans"):
        assert phrase_texts(predicted, words, kind) == ["quarter", "Ben"]


def test_does_not_join_separate_words(predicted: Explanation) -> None:
    assert phrase_texts(predicted, {"24": 0.5, "yard": 0.9}, "marks") == ["yard", "24"]


def test_no_words(predicted: Explanation) -> None:
    assert phrase_texts(predicted, {}) == []
