"""Tests of shading: no character is lost, and only text far from heavy words is hidden."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workings.explain.shading import (
    CONTEXT_CHARS,
    FULL_TEXT_CHARS,
    MIN_GAP_CHARS,
    Excerpt,
    ShadedText,
    shaded_excerpts,
)


def joined(excerpts: list[Excerpt]) -> str:
    return "".join(run.text for excerpt in excerpts for run in excerpt.runs)


def test_short_text_by_hand() -> None:
    assert shaded_excerpts("Ada won 3 cups", [(0, 3, 0.2), (8, 9, 0.4)]) == [
        Excerpt(
            (
                ShadedText("Ada", 0.2, 0.5),
                ShadedText(" won "),
                ShadedText("3", 0.4, 1.0),
                ShadedText(" cups"),
            ),
            True,
        )
    ]


def test_text_without_weights() -> None:
    assert shaded_excerpts("Ada won", []) == [Excerpt((ShadedText("Ada won"),), True)]


def test_long_text_shows_the_neighbourhood_of_heavy_words() -> None:
    text = "word " * 200
    excerpts = shaded_excerpts(text, [(500, 504, 1.0), (0, 4, 0.01)])
    assert [excerpt.shown for excerpt in excerpts] == [False, True, False]
    assert joined(excerpts) == text
    shown = "".join(run.text for run in excerpts[1].runs)
    assert CONTEXT_CHARS < len(shown) < FULL_TEXT_CHARS
    assert excerpts[0].runs[0] == ShadedText("word", 0.01, 0.01)


def test_short_gaps_are_shown() -> None:
    text = "word " * 100
    # The window around the second word leaves a long gap at the end, and none at the start.
    second = FULL_TEXT_CHARS // 2 - MIN_GAP_CHARS
    excerpts = shaded_excerpts(text, [(100, 104, 1.0), (second, second + 4, 1.0)])
    assert [excerpt.shown for excerpt in excerpts] == [True, False]
    assert joined(excerpts[:1]).startswith("word")


@given(st.text(alphabet="ab \n", max_size=900), st.data())
def test_every_character_appears_once(text: str, data: st.DataObject) -> None:
    edges = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    weights = st.floats(0.001, 1)
    ranges = [(start, end, data.draw(weights)) for start, end in pairwise(edges)][::2]
    excerpts = shaded_excerpts(text, ranges)
    assert joined(excerpts) == text
    shaded = [run for excerpt in excerpts for run in excerpt.runs if run.weight]
    assert len(shaded) == len(ranges)
