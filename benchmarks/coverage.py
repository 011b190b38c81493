"""Coverage: how many of DROP's numeric answers can be computed from the values of their passages.

Run: python benchmarks/coverage.py DATA_FOLDER [SPLIT ...]

An extract-number answer must be a number of the passage, a date-difference answer the difference
of two of its years, an add-sub answer a signed sum of at most three of its numbers and 0, 1, 100.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from workings.values import Values, read_values, years_between

CONSTANTS = (Fraction(0), Fraction(1), Fraction(100))
ADD_SUB = ("how many more", "how many total", "combined", "difference", "how many fewer")
TIME_UNITS = ("years", "days", "months", "weeks")


class ReachableAnswers:
    """The answers that can be computed from the values of a passage."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.numbers = set(values.distinct_numbers)
        self.operands = self.numbers | set(CONSTANTS)

    @cached_property
    def pairs(self) -> set[Fraction]:
        sums = {x + y for x in self.operands for y in self.operands}
        return sums | {x - y for x in self.operands for y in self.operands}

    @cached_property
    def year_differences(self) -> set[int | None]:
        dates = self.values.distinct_dates
        return {years_between(later, first) for later in dates for first in dates} - {None}

    def contains(self, kind: str, answer: Fraction) -> bool:
        if kind == "extract-number":
            return answer in self.numbers
        if kind == "date-difference":
            return answer in self.year_differences
        third = any(answer - z in self.pairs or answer + z in self.pairs for z in self.operands)
        return answer in self.operands or answer in self.pairs or third


def outcomes(data: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """For each question with a numeric answer: its kind, and the answer if it is not reachable."""
    for passage in data.values():
        reachable = ReachableAnswers(read_values(passage["passage"]))
        for pair in passage["qa_pairs"]:
            kind, answers = recorded_kind(pair), list(numeric_answers(pair))
            if kind and answers:
                is_reachable = any(reachable.contains(kind, answer) for answer in answers)
                yield kind, None if is_reachable else str(answers[0])


def recorded_kind(pair: Mapping[str, Any]) -> str | None:
    """The kind given in the data; without one, add-sub if the question has one of its phrases."""
    question = pair["question"].lower()
    if pair.get("kind"):
        return str(pair["kind"]) if pair["kind"] in ("extract-number", "date-difference") else None
    has_phrase = any(words in question for words in ADD_SUB)
    return "add-sub" if has_phrase and not any(word in question for word in TIME_UNITS) else None


def numeric_answers(pair: Mapping[str, Any]) -> Iterator[Fraction]:
    for answer in (pair["answer"], *pair.get("validated_answers", ())):
        text = answer.get("number") or " ".join(answer.get("spans") or ())
        try:
            yield Fraction(text.replace(",", "").removesuffix("-yard"))
        except ValueError:
            continue


def rows(split: str, data: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """One row of the table for each kind of question."""
    by_kind: dict[str, list[str | None]] = defaultdict(list)
    for kind, missed in outcomes(data):
        by_kind[kind].append(missed)
    for kind, results in sorted(by_kind.items()):
        missed_answers = [answer for answer in results if answer is not None]
        total, reached = len(results), len(results) - len(missed_answers)
        share = f"{100 * reached / total:.2f} %"
        yield split, kind, str(total), str(reached), share, " ".join(missed_answers[:12])


def main(folder: Path, splits: list[str]) -> None:
    table = Table("split", "kind", "questions", "reached", "share", "unreachable answers")
    for split in splits:
        with gzip.open(folder / f"{split}.json.gz") as file:
            for row in rows(split, json.load(file)):
                table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ["dev", "test"])
