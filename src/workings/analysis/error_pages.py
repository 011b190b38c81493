"""The analysis as pages: the table with its picture, and examples of each fault."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workings.analysis.error_attribution import FAULTS, LABELS, ErrorAttribution
from workings.analysis.error_report import ErrorCounts, ExaminedQuestion
from workings.analysis.faithfulness import Faithfulness
from workings.analysis.figures import draw_curves, draw_shares
from workings.explain import Explanation
from workings.explain.html import script, style, template, to_fragment
from workings.files import write_atomically
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy
from workings.score import gold_strings

# Examples kept of each fault: enough to see a pattern, few enough to read.
MOST = 20


@dataclass(frozen=True)
class ErrorExample:
    """A wrong answer with its steps, and which of them is to attribute_error."""

    gold: tuple[str, ...]  # the accepted answers
    attribute_error: ErrorAttribution
    explanation: Explanation

    @property
    def fragment(self) -> str:
        return to_fragment(self.explanation, assets=False)


@dataclass
class ExampleCollector:
    """Keeps some examples of each fault."""

    most: int = MOST
    examples: dict[str, list[ErrorExample]] = field(default_factory=dict)

    def watch(self, examined: Iterator[ExaminedQuestion]) -> Iterator[ExaminedQuestion]:
        """Pass everything on, keeping what is to be shown."""
        for one in examined:
            if one.attribute_error is not None:
                kept = self.examples.setdefault(one.attribute_error.fault, [])
                if len(kept) < self.most:
                    kept.append(_example(one, one.attribute_error))
            yield one


def _example(one: ExaminedQuestion, attribute_error: ErrorAttribution) -> ErrorExample:
    gold = dict.fromkeys(", ".join(gold_strings(answer)[0]) for answer in one.question.answers)
    return ErrorExample(tuple(gold), attribute_error, explain(one.candidates, AnswerPolicy()))


def write_pages(folder: Path, tallies: Sequence[ErrorCounts], gallery: ExampleCollector) -> None:
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


def write_faithfulness(folder: Path, faiths: Sequence[Faithfulness]) -> None:
    """The table with its curves, and the curves as a picture."""
    table = json.dumps([one.to_json() for one in faiths], indent=1)
    _write(folder / "faithfulness.json", table.encode())
    _write(folder / "curves.png", draw_curves(faiths))


def _page(title: str, body: str) -> bytes:
    return template("page.html").render(title=title, body=body).encode()


def _write(path: Path, content: bytes) -> None:
    with write_atomically(path) as file:
        file.write(content)
