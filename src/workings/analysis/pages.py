"""The analysis as pages: the table with its picture, and examples of each fault."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workings.analysis.blame import FAULTS, LABELS, Blame
from workings.analysis.faithfulness import Faith
from workings.analysis.pictures import draw_curves, draw_shares
from workings.analysis.report import Examined, Tally
from workings.data.files import write_aside
from workings.explain import Explanation
from workings.explain.html import script, style, template, to_fragment
from workings.explaining import Judgement, explain
from workings.score import gold_strings

# Examples kept of each fault: enough to see a pattern, few enough to read.
MOST = 20


@dataclass(frozen=True)
class Example:
    """A wrong answer with its steps, and which of them is to blame."""

    gold: tuple[str, ...]  # the accepted answers
    blame: Blame
    explanation: Explanation

    @property
    def fragment(self) -> str:
        return to_fragment(self.explanation, assets=False)


@dataclass
class Gallery:
    """Keeps some examples of each fault."""

    most: int = MOST
    examples: dict[str, list[Example]] = field(default_factory=dict)

    def watch(self, examined: Iterator[Examined]) -> Iterator[Examined]:
        """Pass everything on, keeping what is to be shown."""
        for one in examined:
            if one.blame is not None:
                kept = self.examples.setdefault(one.blame.fault, [])
                if len(kept) < self.most:
                    kept.append(_example(one, one.blame))
            yield one


def _example(one: Examined, blame: Blame) -> Example:
    gold = dict.fromkeys(", ".join(gold_strings(answer)[0]) for answer in one.question.answers)
    return Example(tuple(gold), blame, explain(one.attempts, Judgement()))


def write_pages(folder: Path, tallies: Sequence[Tally], gallery: Gallery) -> None:
    """``index.html``, a page for each fault, and the table and its picture by themselves."""
    picture = draw_shares(tallies)
    table = json.dumps([one.to_json() for one in tallies], indent=1)
    kept = {fault: gallery.examples[fault] for fault in FAULTS if fault in gallery.examples}
    index = template("index.html", __package__).render(
        tallies=tallies,
        faults=FAULTS,
        labels=LABELS,
        kept=kept,
        picture=b64encode(picture).decode(),
    )
    _write(folder / "shares.png", picture)
    _write(folder / "shares.json", table.encode())
    _write(folder / "index.html", _page("Which step went wrong first", index))
    for fault, examples in kept.items():
        body = template("examples.html", __package__).render(
            label=LABELS[fault], examples=examples, style=style(), script=script()
        )
        _write(folder / f"{fault}.html", _page(f"First wrong: {LABELS[fault]}", body))


def write_faithfulness(folder: Path, faiths: Sequence[Faith]) -> None:
    """The table with its curves, and the curves as a picture."""
    table = json.dumps([one.to_json() for one in faiths], indent=1)
    _write(folder / "faithfulness.json", table.encode())
    _write(folder / "curves.png", draw_curves(faiths))


def _page(title: str, body: str) -> bytes:
    return template("page.html").render(title=title, body=body).encode()


def _write(path: Path, content: bytes) -> None:
    with write_aside(path) as file:
        file.write(content)
