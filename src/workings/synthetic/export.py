"""SyntheticPassage passages in a file that reads back as data, with each question's gold program and gold_steps."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workings.data.records import Question
from workings.errors import InputError
from workings.files import write_atomically
from workings.program import Program
from workings.supervision.derivation import Derivation, StepTarget
from workings.synthetic.dataset import SyntheticPassage
from workings.values import format_number


def save_synthetic(path: Path, world: Iterable[SyntheticPassage]) -> int:
    """Write DROP's layout to ``.json``, or a line a question to ``.jsonl``; how many questions."""
    layouts = {".json": _as_drop, ".jsonl": _as_lines}
    if path.suffix not in layouts:
        hint = "Name the file .jsonl (a line for each question) or .json (DROP's layout)."
        raise InputError(f"{path}: no layout is known by this ending", hint=hint)
    made = list(world)
    with write_atomically(path) as file:
        file.write(layouts[path.suffix](made).encode())
    return sum(len(each.passage.questions) for each in made)


def _as_drop(world: Iterable[SyntheticPassage]) -> str:
    passages = {
        made.passage.id: {"passage": made.passage.text, "qa_pairs": _questions(made)}
        for made in world
    }
    return json.dumps(passages, ensure_ascii=False, indent=1) + "\n"


def _as_lines(world: Iterable[SyntheticPassage]) -> str:
    records = ({"passage": m.passage.text, **record} for m in world for record in _questions(m))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _questions(made: SyntheticPassage) -> list[dict[str, Any]]:
    return [
        _question(question, made.supervision[question.id].derivations[0])
        for question in made.passage.questions
    ]


def _question(question: Question, gold: Derivation) -> dict[str, Any]:
    answer = question.answers[0]
    modules = [step.name for step in Program.parse(gold.program).walk()]
    return {
        "query_id": question.id,
        "question": question.text,
        "answer": answer.number or list(answer.spans),
        "kind": question.kind,
        "source": question.source,
        "program": gold.program,
        "gold_steps": [_step(modules[pick.step], pick) for pick in gold.targets],
    }


def _step(module: str, pick: StepTarget) -> dict[str, Any]:
    """One gold step, without what it does not have."""
    found: dict[str, list[Any]] = {
        "numbers": [format_number(number) for number in pick.numbers],
        "dates": [[date.year, date.month, date.day] for date in pick.dates],
        "spans": [list(span) for span in pick.spans],
    }
    return {"step": pick.step, "module": module, **{k: v for k, v in found.items() if v}}
