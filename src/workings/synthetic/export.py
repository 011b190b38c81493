"""Writes synthetic passages to files that read back as data, with gold programs and gold steps."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workings.data.records import GoldAnswer, Question
from workings.errors import InputError
from workings.files import write_atomically
from workings.program import Program
from workings.supervision.derivation import Derivation, StepTarget
from workings.synthetic.dataset import SyntheticPassage
from workings.values import format_number


def save_synthetic(path: Path, passages: Iterable[SyntheticPassage]) -> int:
    """Write passages to a file.

    Args:
        path: ``.json`` for DROP's layout, ``.jsonl`` for one question a line.
        passages: The passages.

    Returns:
        The number of questions.

    Raises:
        InputError: The file name has another suffix.
    """
    layouts = {".json": _as_drop, ".jsonl": _as_lines}
    if path.suffix not in layouts:
        hint = "Name the file .jsonl (one question a line) or .json (DROP's layout)."
        raise InputError(f"{path}: unknown file format", hint=hint)
    every = list(passages)
    with write_atomically(path) as file:
        file.write(layouts[path.suffix](every).encode())
    return sum(len(synthetic.passage.questions) for synthetic in every)


def _as_drop(passages: Iterable[SyntheticPassage]) -> str:
    records = {
        synthetic.passage.id: {
            "passage": synthetic.passage.text,
            "qa_pairs": _question_records(synthetic),
        }
        for synthetic in passages
    }
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _as_lines(passages: Iterable[SyntheticPassage]) -> str:
    records = (
        {"passage": synthetic.passage.text, **record}
        for synthetic in passages
        for record in _question_records(synthetic)
    )
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _question_records(synthetic: SyntheticPassage) -> list[dict[str, Any]]:
    return [
        _question_record(question, synthetic.supervision[question.id].derivations[0])
        for question in synthetic.passage.questions
    ]


def _question_record(question: Question, gold: Derivation) -> dict[str, Any]:
    answer = next(iter(question.answers), GoldAnswer())
    modules = [step.name for step in Program.parse(gold.program).walk()]
    return {
        "query_id": question.id,
        "question": question.text,
        "answer": answer.number or list(answer.spans),
        "kind": question.kind,
        "type": question.type,
        "unanswerable": question.unanswerable,
        "source": question.source,
        "program": gold.program,
        "steps": [_step_record(modules[target.step], target) for target in gold.targets],
    }


def _step_record(module: str, target: StepTarget) -> dict[str, Any]:
    """One gold step; empty fields are left out."""
    fields: dict[str, list[Any]] = {
        "numbers": [format_number(number) for number in target.numbers],
        "dates": [[date.year, date.month, date.day] for date in target.dates],
        "times": [str(timing) for timing in target.timings],
        "spans": [list(span) for span in target.spans],
        "members": [format_number(number) for number in target.members],
    }
    return {
        "step": target.step,
        "module": module,
        **{name: values for name, values in fields.items() if values},
    }
