"""How many of DROP's answers the values of their passages can give.

Run: python benchmarks/coverage.py DATA_FOLDER [SPLIT ...]
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from workings.values import Values, read_values, years_between

CONSTANTS = (Fraction(0), Fraction(1), Fraction(100))
ADD_SUB = ("how many more", "how many total", "combined", "difference", "how many fewer")
NOT_ADD_SUB = ("years", "days", "months", "weeks")


def main(folder: Path, splits: Iterable[str]) -> None:
    table = Table("split", "kind", "questions", "reached", "share", "missed")
    for split in splits:
        tally: dict[str, list[str | None]] = defaultdict(list)
        with gzip.open(folder / f"{split}.json.gz") as file:
            data = json.load(file)
        for kind, missed in outcomes(data):
            tally[kind].append(missed)
        for kind, results in sorted(tally.items()):
            table.add_row(split, kind, *summary(results))
    Console().print(table)


def summary(outcomes: list[str | None]) -> tuple[str, str, str, str]:
    missed = [outcome for outcome in outcomes if outcome]
    reached = len(outcomes) - len(missed)
    share = f"{100 * reached / len(outcomes):.2f} %"
    return str(len(outcomes)), str(reached), share, " ".join(missed[:12])


def outcomes(data: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """For each question that asks for a number, its kind and the answer if it is out of reach."""
    for passage in data.values():
        values = read_values(passage["passage"])
        for pair in passage["qa_pairs"]:
            kind, answers = kind_of(pair), list(numeric_answers(pair))
            if kind and answers:
                reach = reachable(kind, values, read_values(pair["question"]))
                hit = any(answer in reach for answer in answers)
                yield kind, None if hit else str(answers[0])


def kind_of(pair: Mapping[str, Any]) -> str | None:
    """The released kind, or add-sub by the plainest of n-grams."""
    question = pair["question"].lower()
    if pair.get("kind") in ("extract-number", "date-difference"):
        return str(pair["kind"])
    if pair.get("kind") or any(word in question for word in NOT_ADD_SUB):
        return None
    return "add-sub" if any(words in question for words in ADD_SUB) else None


def numeric_answers(pair: Mapping[str, Any]) -> Iterator[Fraction]:
    for answer in (pair["answer"], *pair.get("validated_answers", ())):
        written = answer.get("number") or " ".join(answer.get("spans") or ())
        try:
            yield Fraction(written.replace(",", "").removesuffix("-yard"))
        except ValueError:
            continue


def reachable(kind: str, values: Values, asked: Values) -> set[Fraction]:
    numbers = set(values.distinct_numbers)
    if kind == "extract-number":
        return numbers
    if kind == "date-difference":
        dates = (*values.distinct_dates, *asked.distinct_dates)
        gaps = (years_between(later, first) for later in dates for first in dates)
        return {Fraction(gap) for gap in gaps if gap is not None and gap >= 0}
    return sums(numbers | set(CONSTANTS), depth=3)


def sums(operands: set[Fraction], depth: int) -> set[Fraction]:
    """What sums and differences of up to ``depth`` operands give."""
    reached = set(operands)
    for _ in range(depth - 1):
        reached |= {x + y for x in reached for y in operands} | {
            abs(x - y) for x in reached for y in operands
        }
    return reached


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ["dev", "test"])
