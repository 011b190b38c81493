"""Takes the pictures of README and docs anew, with the weights that are shipped: `make pictures`.

Needs the extra [browser] and Chromium.
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
QUESTION = "How many more yards was the longest field goal than the shortest?"
WIDTH, TALLEST, LINES = 960, 1250, 26
# The last step that is whole in the picture ends it.
_FITTING = """most => Math.max(...[...document.querySelectorAll(".steps > li")]
    .map(step => step.getBoundingClientRect().bottom).filter(bottom => bottom < most))"""


def picture(found: Explanation, file: Path) -> None:
    """The top of the explanation's page."""
    with sync_playwright() as play:
        chromium = shutil.which("chromium") or sys.exit("Install Chromium.")
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": TALLEST})
        page.set_content(to_page(found))
        height = page.evaluate(_FITTING, TALLEST) + 8
        taken = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        browser.close()
    colours = Image.open(BytesIO(taken)).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
    colours.save(file, optimize=True)


def sample(found: Explanation, readme: Path) -> None:
    """The first lines of the same in a terminal, below the command that asks."""
    lines = to_text(found, width=90).splitlines()
    shown = "\n".join([*lines[:LINES], *(["…"] if len(lines) > LINES else [])])
    block = re.compile(r"(```console\n\$ workings ask [^\n]*\n).*?(\n```)", re.DOTALL)
    text, times = block.subn(lambda m: f"{m[1]}{shown}{m[2]}", readme.read_text("utf-8"), count=1)
    assert times == 1, "the README asks nothing"
    readme.write_text(text, encoding="utf-8")


def main() -> None:
    passage = (ROOT / "examples" / "game.txt").read_text("utf-8")
    found = Reader.from_pretrained().ask(QUESTION, passage)
    picture(found, ROOT / "docs" / "pictures" / "page.png")
    sample(found, ROOT / "README.md")


if __name__ == "__main__":
    main()
