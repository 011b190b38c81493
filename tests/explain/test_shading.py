"""Shading loses no character and hides only what is far from anything notable."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workings.explain.shading import AROUND, GAP, SHORT, Excerpt, ShadedText, shaded_excerpts


def joined(found: list[Excerpt]) -> str:
    return "".join(run.text for stretch in found for run in stretch.runs)


def test_by_hand() -> None:
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


def test_a_text_without_weights_is_plain() -> None:
    assert shaded_excerpts("Ada won", []) == [Excerpt((ShadedText("Ada won"),), True)]


def test_long_texts_show_what_is_near() -> None:
    text = "word " * 200
    place = 500
    found = shaded_excerpts(text, [(place, place + 4, 1.0), (0, 4, 0.01)])
    assert [stretch.shown for stretch in found] == [False, True, False]
    assert joined(found) == text
    shown = "".join(run.text for run in found[1].runs)
    assert AROUND < len(shown) < SHORT
    assert found[0].runs[0] == ShadedText("word", 0.01, 0.01)


def test_little_is_not_left_out() -> None:
    text = "word " * 100
    after = SHORT // 2 - GAP  # from here to the end more than a little is far
    found = shaded_excerpts(text, [(100, 104, 1.0), (after, after + 4, 1.0)])
    assert [stretch.shown for stretch in found] == [True, False]
    assert joined(found[:1]).startswith("word")


@given(st.text(alphabet="ab \n", max_size=900), st.data())
def test_every_character_is_there_once(text: str, data: st.DataObject) -> None:
    edges = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    weights = st.floats(0.001, 1)
    spans = [(a, b, data.draw(weights)) for a, b in pairwise(edges)][::2]
    found = shaded_excerpts(text, spans)
    assert joined(found) == text
    weighed = [run for stretch in found for run in stretch.runs if run.weight]
    assert len(weighed) == len(spans)
