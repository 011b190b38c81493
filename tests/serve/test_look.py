"""Compares screenshots of the page with approved ones, and checks contrast.

After a change of the page, run ``WORKINGS_UPDATE_LOOKS=1 pytest tests/serve/test_look.py`` and
look at the new screenshots in ``tests/serve/looks``.
"""

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import numpy as np
import pytest
from browsing import NO_TIMEOUT, OpenPage, running_server
from numpy.typing import NDArray

from workings.explain import Explanation
from workings.reader import Reader
from workings.serve import create_app

Image = pytest.importorskip("PIL.Image", reason="needs Pillow")

LOOKS = Path(__file__).parent / "looks"
# Fonts differ between machines, so screenshots are compared at low resolution. Another font differs
# by 0.018, a page without its style sheet by 0.055 or more.
BLOCK_PIXELS = 24
MAX_DIFFERENCE = 0.04
SERIF = "document.querySelectorAll('html, .workings').forEach(e => e.style.fontFamily = 'serif')"
SIZES = {"desktop": (1200, 900), "phone": (390, 800)}


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return Explanation.from_json((LOOKS / "explanation.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def address(explanation: Explanation) -> Iterator[str]:
    """Serve a page that always shows the same explanation, without a network."""

    def ask_many(pairs: Sequence[tuple[str, str]]) -> list[Explanation]:
        return [explanation for _ in pairs]

    reader = Mock(spec=Reader, ask_many=ask_many)
    with running_server(create_app(reader, NO_TIMEOUT)) as address:
        yield address


def low_resolution(picture: bytes) -> NDArray[np.float64]:
    image = Image.open(BytesIO(picture)).convert("RGB")
    small = image.resize(
        (image.width // BLOCK_PIXELS, image.height // BLOCK_PIXELS), Image.Resampling.BOX
    )
    return np.asarray(small, dtype=float) / 255


def difference(left: bytes, right: bytes) -> float:
    return float(np.abs(low_resolution(left) - low_resolution(right)).mean())


def save(picture: bytes, file: Path) -> None:
    colours = Image.open(BytesIO(picture)).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
    colours.save(file, optimize=True)


def screenshot(page: Any, address: str, explanation: Explanation) -> bytes:
    page.goto(address)
    page.fill("#question", explanation.question)
    page.fill("#passage", explanation.passage)
    page.click(".ask button")
    page.wait_for_selector(".workings .answer output")
    return cast(bytes, page.screenshot())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_matches_the_approved_screenshot(
    open_page: OpenPage, address: str, explanation: Explanation, size: str, scheme: str
) -> None:
    width, height = SIZES[size]
    page = open_page(width, height, color_scheme=scheme)
    picture = screenshot(page, address, explanation)
    approved = LOOKS / f"{size}-{scheme}.png"
    if os.environ.get("WORKINGS_UPDATE_LOOKS"):
        save(picture, approved)
    assert difference(picture, approved.read_bytes()) <= MAX_DIFFERENCE
    page.evaluate(SERIF)
    assert difference(page.screenshot(), approved.read_bytes()) <= MAX_DIFFERENCE
    page.evaluate("document.querySelector('link[rel=stylesheet]').remove()")
    unstyled = difference(page.screenshot(), approved.read_bytes())
    assert unstyled > MAX_DIFFERENCE, "the bound would miss a page without style"


def test_contrast_of_all_text(open_page: OpenPage, address: str, explanation: Explanation) -> None:
    """Every text has a contrast of at least 4.5 (WCAG) to its background, in both schemes."""
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        screenshot(page, address, explanation)
        faint = page.evaluate(CONTRAST)
        assert not faint, (scheme, faint)


CONTRAST = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const blend = ([r, g, b, a = 1], below) =>
    [r, g, b].map((channel, index) => channel * a + below[index] * (1 - a));
  const background = (element) => {
    if (!element) return [255, 255, 255];
    const colour = parse(getComputedStyle(element).backgroundColor);
    return blend(colour, (colour[3] ?? 1) < 1 ? background(element.parentElement) : colour);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((channel) => channel / 255).map(
      (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = [...document.querySelectorAll("body *")].filter((element) =>
    element.checkVisibility() && [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent.trim()));
  return texts.map((element) => {
    const back = background(element);
    const text = blend(parse(getComputedStyle(element).color), back);
    const [dark, bright] = [luminance(text), luminance(back)].sort((a, b) => a - b);
    const ratio = (bright + 0.05) / (dark + 0.05);
    return [element.className || element.tagName, element.textContent.slice(0, 20), ratio];
  }).filter(([, , ratio]) => ratio < 4.5);
}"""
