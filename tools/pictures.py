"""Updates the picture of the docs and the sample answer of README: `make pictures`.

Both show the shipped model. Needs playwright and Chromium.
"""

import re
import shutil
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from workings import Explanation, Reader
from workings.explain.html import to_page
from workings.explain.terminal import to_text

ROOT = Path(__file__).parents[1]
QUESTION = "How many more dollars did the cake stall take than the book stall?"
PASSAGE = ROOT / "examples" / "fair.txt"
WIDTH, MAX_HEIGHT, MAX_LINES = 960, 1250, 26
# The picture shows the first step open, and ends below the last step that fits.
_OPEN = """document.querySelector(".steps details").open = true"""
_BOTTOM = """maximum => Math.max(...[...document.querySelectorAll(".steps > li")]
    .map(step => step.getBoundingClientRect().bottom).filter(bottom => bottom < maximum))"""


def save_picture(explanation: Explanation, file: Path) -> None:
    """Save a screenshot of the upper part of the explanation's page."""
    with sync_playwright() as play:
        chromium = shutil.which("chromium") or sys.exit("Chromium is missing. Run: make browser")
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": MAX_HEIGHT})
        page.set_content(to_page(explanation))
        page.evaluate(_OPEN)
        height = page.evaluate(_BOTTOM, MAX_HEIGHT) + 8
        screenshot = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        browser.close()
    image = Image.open(BytesIO(screenshot)).convert("RGB")
    image.quantize(256, Image.Quantize.MAXCOVERAGE).save(file, optimize=True)


def update_sample(explanation: Explanation, readme: Path) -> None:
    """Replace the first `workings ask` command of README and the output below it."""
    command = f'$ workings ask "{QUESTION}" --passage {PASSAGE.relative_to(ROOT)}'
    lines = to_text(explanation, width=90).splitlines()
    sample = "\n".join([*lines[:MAX_LINES], *(["…"] if len(lines) > MAX_LINES else [])])
    block = re.compile(r"(```console\n)\$ workings ask [^\n]*\n.*?(\n```)", re.DOTALL)
    text, count = block.subn(
        lambda m: f"{m[1]}{command}\n{sample}{m[2]}", readme.read_text("utf-8"), count=1
    )
    assert count == 1, "README has no console block with `workings ask`"
    readme.write_text(text, encoding="utf-8")


def main() -> None:
    explanation = Reader.from_pretrained().ask(QUESTION, PASSAGE.read_text("utf-8"))
    save_picture(explanation, ROOT / "docs" / "pictures" / "page.png")
    update_sample(explanation, ROOT / "README.md")


if __name__ == "__main__":
    main()
