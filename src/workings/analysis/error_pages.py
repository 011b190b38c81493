"""HTML pages of the error analysis: the table with its chart, and examples of each category."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workings.analysis.error_attribution import CATEGORIES, CATEGORY_LABELS, ErrorAttribution
from workings.analysis.error_report import ErrorCounts, ExaminedQuestion
from workings.analysis.faithfulness import Faithfulness
from workings.analysis.figures import draw_deletion_curves, draw_shares
from workings.explain import Explanation
from workings.explain.html import script, standalone_page, style, template, to_fragment
from workings.files import write_atomically
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy
from workings.score import gold_strings

# Examples of each category: enough to see a pattern, few enough to read.
MAX_EXAMPLES = 20


@dataclass(frozen=True)
class ErrorExample:
    """A wrong answer with the accepted answers, its first error and its steps."""

    accepted: tuple[str, ...]
    attribution: ErrorAttribution
    explanation: Explanation

    @property
    def fragment(self) -> str:
        """The explanation as HTML, without style sheet and script."""
        return to_fragment(self.explanation, assets=False)


@dataclass
class ExampleCollector:
    """Collects the first few wrong answers of each category.

    Attributes:
        policy: How candidates become the answer and confidence that the pages show.
        limit: Maximum number of examples of each category.
        examples: The collected examples by category.
    """

    policy: AnswerPolicy = field(default_factory=AnswerPolicy)
    limit: int = MAX_EXAMPLES
    examples: dict[str, list[ErrorExample]] = field(default_factory=dict)

    def collect(self, examined: Iterator[ExaminedQuestion]) -> Iterator[ExaminedQuestion]:
        """Pass every question on and keep examples of wrong answers."""
        for result in examined:
            if result.attribution is not None:
                examples = self.examples.setdefault(result.attribution.category, [])
                if len(examples) < self.limit:
                    examples.append(self._example(result, result.attribution))
            yield result

    def _example(self, result: ExaminedQuestion, attribution: ErrorAttribution) -> ErrorExample:
        answers = result.question.answers
        accepted = dict.fromkeys(", ".join(gold_strings(answer)[0]) for answer in answers)
        explanation = explain(result.candidates, self.policy)
        return ErrorExample(tuple(accepted), attribution, explanation)


def write_pages(folder: Path, counts: Sequence[ErrorCounts], collector: ExampleCollector) -> None:
    """Write the error analysis into a folder.

    The files are ``index.html`` (table and chart), a page of examples for each category that
    occurs, ``shares.json`` and ``shares.png``.

    Args:
        folder: The folder; it is made if it does not exist.
        counts: The rows of the table.
        collector: The examples.
    """
    chart = draw_shares(counts)
    rows = json.dumps([row.to_json() for row in counts], indent=1)
    examples = {name: collector.examples[name] for name in CATEGORIES if name in collector.examples}
    index = template("error_table.html", __package__).render(
        counts=counts,
        categories=CATEGORIES,
        labels=CATEGORY_LABELS,
        linked=set(examples),
        chart=b64encode(chart).decode(),
    )
    _write(folder / "shares.png", chart)
    _write(folder / "shares.json", rows.encode())
    _write(folder / "index.html", standalone_page("First errors", index).encode())
    for category, wrong_answers in examples.items():
        label = CATEGORY_LABELS[category]
        body = template("error_examples.html", __package__).render(
            label=label, examples=wrong_answers, style=style(), script=script()
        )
        page = standalone_page(f"First error: {label}", body)
        _write(folder / f"{category}.html", page.encode())


def write_faithfulness(folder: Path, rows: Sequence[Faithfulness]) -> None:
    """Write ``faithfulness.json`` and the chart ``curves.png`` into a folder."""
    table = json.dumps([row.to_json() for row in rows], indent=1)
    _write(folder / "faithfulness.json", table.encode())
    _write(folder / "curves.png", draw_deletion_curves(rows))


def _write(path: Path, content: bytes) -> None:
    with write_atomically(path) as file:
        file.write(content)
