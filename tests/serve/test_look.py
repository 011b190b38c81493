"""What the page looks like, beside pictures that were looked at.

After a change of looks: ``WORKINGS_KEEP_LOOKS=1 pytest tests/serve/test_look.py``, then look again.
"""

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from browsing import PATIENT, Open, listening
from numpy.typing import NDArray

from workings.explain import Explanation
from workings.reader import Reader
from workings.serve import create_app

Image = pytest.importorskip("PIL.Image", reason="needs Pillow")

LOOKS = Path(__file__).parent / "looks"
# Fonts differ between machines, so pictures are compared from afar: another font came to 0.018,
# a page without its style to 0.055 and more.
FAR = 24  # pixels seen as one
MOST = 0.04
SERIF = "document.querySelectorAll('html, .workings').forEach(it => it.style.fontFamily = 'serif')"
SIZES = {"desktop": (1200, 900), "phone": (390, 800)}


@pytest.fixture(scope="module")
def found() -> Explanation:
    return Explanation.from_json((LOOKS / "explanation.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def address(found: Explanation) -> Iterator[str]:
    """A page whose only answer is a kept one, so that no network has a part in its looks."""

    def ask_many(pairs: Sequence[tuple[str, str]]) -> list[Explanation]:
        return [found for _ in pairs]

    with listening(create_app(cast(Reader, SimpleNamespace(ask_many=ask_many)), PATIENT)) as at:
        yield at


def afar(picture: bytes) -> NDArray[np.float64]:
    image = Image.open(BytesIO(picture)).convert("RGB")
    small = image.resize((image.width // FAR, image.height // FAR), Image.Resampling.BOX)
    return np.asarray(small, dtype=float) / 255


def difference(one: bytes, other: bytes) -> float:
    return float(np.abs(afar(one) - afar(other)).mean())


def keep(picture: bytes, file: Path) -> None:
    colours = Image.open(BytesIO(picture)).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
    colours.save(file, optimize=True)


def take(page: Any, address: str, found: Explanation) -> bytes:
    page.goto(address)
    page.fill("#question", found.question)
    page.fill("#passage", found.passage)
    page.click(".ask button")
    page.wait_for_selector(".workings .answer output")
    return cast(bytes, page.screenshot())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_it_looks_as_it_did(
    open_page: Open, address: str, found: Explanation, size: str, scheme: str
) -> None:
    width, height = SIZES[size]
    page = open_page(width, height, color_scheme=scheme)
    picture, kept = take(page, address, found), LOOKS / f"{size}-{scheme}.png"
    if os.environ.get("WORKINGS_KEEP_LOOKS"):
        keep(picture, kept)
    assert difference(picture, kept.read_bytes()) <= MOST
    page.evaluate(SERIF)
    assert difference(page.screenshot(), kept.read_bytes()) <= MOST
    page.evaluate("document.querySelector('link[rel=stylesheet]').remove()")
    assert difference(page.screenshot(), kept.read_bytes()) > MOST, "the bound would miss a fault"


def test_texts_stand_out_in_both_schemes(open_page: Open, address: str, found: Explanation) -> None:
    """WCAG's contrast of at least 4.5 for every colour of text on what is behind it."""
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        take(page, address, found)
        faint = page.evaluate(CONTRAST)
        assert not faint, (scheme, faint)


CONTRAST = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) =>
    [r, g, b].map((one, at) => one * a + below[at] * (1 - a));
  const behind = (it) => {
    if (!it) return [255, 255, 255];
    const colour = parse(getComputedStyle(it).backgroundColor);
    return over(colour, (colour[3] ?? 1) < 1 ? behind(it.parentElement) : colour);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => one / 255).map(
      (one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = [...document.querySelectorAll("body *")].filter((it) => it.checkVisibility() &&
    [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
  return texts.map((it) => {
    const back = behind(it);
    const [dark, bright] = [light(over(parse(getComputedStyle(it).color), back)), light(back)].sort(
      (one, other) => one - other);
    const ratio = (bright + 0.05) / (dark + 0.05);
    return [it.className || it.tagName, it.textContent.slice(0, 20), ratio];
  }).filter(([, , ratio]) => ratio < 4.5);
}"""
