"""Notable neighbours make a phrase, written as the text has it."""

from workings.explain import Explanation
from workings.explain.explanation import Place, Share, Weights
from workings.explain.word_groups import phrases


def weigh(asked: Explanation, words: dict[str, float], kind: str = "attention") -> Weights:
    shares = []
    for word, weight in words.items():
        start = asked.passage.index(word)
        place = Place(source="passage", start=start, end=start + len(word))
        shares.append(Share(text=word, weight=weight, place=place))
    return Weights(kind=kind, shares=tuple(shares))


def told(asked: Explanation, words: dict[str, float], kind: str = "attention") -> list[str]:
    return [share.text for share in phrases(weigh(asked, words, kind), asked)]


def test_neighbours_are_joined(asked: Explanation) -> None:
    found = phrases(weigh(asked, {"Ada": 0.2, "24": 0.25, "yard": 0.25, "field": 0.02}), asked)
    assert [(share.text, share.weight) for share in found] == [("24-yard", 0.5), ("Ada", 0.2)]


def test_marks_alone_are_no_phrase(asked: Explanation) -> None:
    assert told(asked, {"quarter": 0.3, ".": 0.5, "Ben": 0.2}) == ["quarter", "Ben"]


def test_separate_words_stay_apart(asked: Explanation) -> None:
    assert told(asked, {"24": 0.5, "yard": 0.9}, "marks") == ["yard", "24"]


def test_nothing(asked: Explanation) -> None:
    assert told(asked, {}) == []
