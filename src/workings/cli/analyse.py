"""``workings analyse``: first wrong steps, or one of the measures of the steps."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from workings.cli.output import print_json
from workings.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from rich.table import Table

    from workings.analysis.error_report import ErrorCounts
    from workings.analysis.faithfulness import Faithfulness
    from workings.analysis.intervention_report import InterventionShare
    from workings.analysis.question_words import QuestionWords
    from workings.data.records import Passage

T = TypeVar("T")

_ERROR_NOTE = (
    "Share of the wrong answers in which each category is the first error.\n"
    "adds up: computed answers whose equation gives the answer; likeliest operands: those whose "
    "operands are also the likeliest values of their own steps."
)
_FAITHFULNESS_NOTE = (
    "Deletion and insertion compare a step's own words with random ones: "
    "0 is no difference, 1 the maximum."
)

_INTERVENTION_NOTE = (
    "Share of the replaced steps after which the answer changes, or is the one that the "
    "replacement leads to. no question: the share that followed if the replaced output has no "
    "attention over the question."
)

_ASKS_NOTE = "Share of each step's question attention on the phrase that asks for its result."


def analyse(
    file: Path = typer.Argument(
        metavar="FILE", help="Questions with answers: DROP's JSON or JSON lines."
    ),
    model: Path | None = typer.Option(None, help="Model folder; default: the shipped weights."),
    out: Path | None = typer.Option(None, help="Folder for pages, charts and the table."),
    limit: int | None = typer.Option(
        None, min=1, help="Number of questions, at even intervals in the file; default: all."
    ),
    faithfulness: bool = typer.Option(
        False, "--faithfulness", help="Measure the faithfulness of each module's steps instead."
    ),
    interventions: bool = typer.Option(
        False,
        "--interventions",
        help="Replace the output of each step and measure how often the answer follows instead.",
    ),
    asks: bool = typer.Option(
        False,
        "--asks",
        help="Measure the question attention of each step on annotated phrases instead.",
    ),
    json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
) -> None:
    """Find the first wrong step of each wrong answer, by kind of question."""
    from workings.checkpoint.model_folder import find_model
    from workings.errors import InputError

    if faithfulness + interventions + asks > 1:
        hint = "Run the command once with each option."
        message = "Several of --faithfulness, --interventions and --asks are given together."
        raise InputError(message, hint=hint)
    folder = find_model(model)
    passages = _questions(file, limit) if not asks else []
    if faithfulness:
        rows = _measure_faithfulness(folder, passages, out)
        table, note = _faithfulness_table(rows), _FAITHFULNESS_NOTE
        _print(table, note, [row.to_json() for row in rows], json=json)
    elif interventions:
        shares, note = _measure_interventions(folder, passages, out)
        _print(_intervention_table(shares), note, [row.to_json() for row in shares], json=json)
    elif asks:
        words = _measure_asks(folder, file, limit, out)
        _print(_asks_table(words), _ASKS_NOTE, [row.to_json() for row in words], json=json)
    else:
        counts = _attribute_errors(folder, passages, out)
        _print(_error_table(counts), _ERROR_NOTE, [row.to_json() for row in counts], json=json)


def _questions(file: Path, limit: int | None) -> "list[Passage]":
    """A sample of the questions of the seven kinds."""
    from workings.analysis.error_report import sample_questions
    from workings.data.kinds import load_split
    from workings.evaluation.prediction import questions_to_score

    return sample_questions(questions_to_score(load_split(file)), limit)


def _attribute_errors(
    folder: Path, passages: "Sequence[Passage]", out: Path | None
) -> "list[ErrorCounts]":
    from workings.analysis.error_pages import ExampleCollector, write_pages
    from workings.analysis.error_report import count_errors, examine
    from workings.checkpoint.config import load_policy
    from workings.checkpoint.model_folder import load

    collector = ExampleCollector(load_policy(folder))
    examined = _with_progress(examine(load(folder), passages), passages)
    counts = count_errors(collector.collect(examined) if out else examined)
    if out:
        write_pages(out, counts, collector)
    return counts


def _measure_faithfulness(
    folder: Path, passages: "Sequence[Passage]", out: Path | None
) -> "list[Faithfulness]":
    from workings.analysis.error_pages import write_faithfulness
    from workings.analysis.faithfulness import measure, summarise
    from workings.checkpoint.model_folder import load_model

    measured = _with_progress(measure(load_model(folder), passages), passages)
    rows = summarise(step for steps in measured for step in steps)
    if out:
        write_faithfulness(out, rows)
    return rows


def _measure_interventions(
    folder: Path, passages: "Sequence[Passage]", out: Path | None
) -> "tuple[list[InterventionShare], str]":
    """The shares with a note; none for a peer, which has no steps."""
    from workings.analysis.intervention_report import (
        PEER_NOTE,
        OutcomeExamples,
        summarise_outcomes,
        write_interventions,
    )
    from workings.analysis.interventions import measure_interventions
    from workings.checkpoint.model_folder import load_model
    from workings.network.network import Network

    network = load_model(folder)
    if not isinstance(network, Network):
        return [], PEER_NOTE
    measured = _with_progress(measure_interventions(network, passages), passages)
    outcomes = [outcome for of_question in measured for outcome in of_question]
    rows, examples = summarise_outcomes(outcomes), OutcomeExamples()
    for outcome in outcomes:
        examples.add(outcome)
    if out:
        write_interventions(out, rows, examples)
    return rows, _INTERVENTION_NOTE


def _measure_asks(
    folder: Path, file: Path, limit: int | None, out: Path | None
) -> "list[QuestionWords]":
    from workings.analysis.error_report import sample_questions
    from workings.analysis.question_words import (
        annotated_questions,
        measure_question_words,
        summarise_question_words,
        write_question_words,
    )
    from workings.checkpoint.model_folder import load
    from workings.data.kinds import load_split

    passages = sample_questions(annotated_questions(load_split(file)), limit)
    measured = _with_progress(measure_question_words(load(folder), passages), passages)
    rows = summarise_question_words(step for steps in measured for step in steps)
    if out:
        write_question_words(out, rows)
    return rows


def _with_progress(results: Iterable[T], passages: "Sequence[Passage]") -> Iterator[T]:
    """Pass results on, one for each question, under a progress bar."""
    total = sum(len(passage.questions) for passage in passages)
    with progress_bar() as show_progress:
        for done, result in enumerate(results, 1):
            show_progress("Analysing", done, total)
            yield result


def _print(table: "Table", note: str, tree: list[dict[str, Any]], *, json: bool) -> None:
    if json:
        print_json(tree)
        return
    from rich.console import Console

    console = Console()
    if table.row_count:
        console.print(table)
        console.print()
    console.print(note, highlight=False)


def _error_table(counts: "Sequence[ErrorCounts]") -> "Table":
    from workings.analysis.error_attribution import CATEGORIES, CATEGORY_LABELS

    categories = [name for name in CATEGORIES if any(row.errors[name] for row in counts)]
    labels = [CATEGORY_LABELS[name] for name in categories]
    table = _table("kind", "wrong", *labels, "adds up", "likeliest operands")
    for row in counts:
        shares = [f"{row.shares[name]:.0%}" if row.errors[name] else "" for name in categories]
        equations = row.equations
        added = [
            _share(part, equations.answers) for part in (equations.evaluate, equations.likeliest)
        ]
        table.add_row(row.kind, f"{row.wrong:,}/{row.questions:,}", *shares, *added)
    return table


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def _faithfulness_table(rows: "Sequence[Faithfulness]") -> "Table":
    table = _table("module", "steps", "on evidence", "even spread", "deletion", "insertion")
    for row in rows:
        weights = [
            "–" if weight is None else f"{weight:.1%}" for weight in (row.evidence, row.even)
        ]
        curves = row.curves
        areas = [curves.deletion_area, curves.insertion_area] if curves else [None, None]
        cells = ["–" if area is None else f"{area:+.3f}" for area in areas]
        table.add_row(row.module, f"{row.steps:,}", *weights, *cells)
    return table


def _intervention_table(rows: "Sequence[InterventionShare]") -> "Table":
    """One row for each replacement, and an indented one for each kind of question below it."""
    from workings.analysis.error_report import ALL

    table = _table("step", "replaced", "changed", "followed", "no question")
    for row in rows:
        name = f"{row.module}: {row.replacement}" if row.kind == ALL else f"  {row.kind}"
        shares = (f"{share:.0%}" for share in (row.changed, row.followed, row.followed_alone))
        table.add_row(name, f"{row.steps:,}", *shares)
    return table


def _asks_table(rows: "Sequence[QuestionWords]") -> "Table":
    table = _table("module", "phrase", "steps", "on phrase", "even spread", "stop word first")
    for row in rows:
        shares = ["–" if share is None else f"{share:.0%}" for share in (row.on_phrase, row.even)]
        cells = (row.role or "–", f"{row.steps:,}", *shares, f"{row.stop_word_first:.0%}")
        table.add_row(row.module, *cells)
    return table


def _table(first: str, *others: str) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right")
    return table
