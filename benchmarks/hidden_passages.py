"""Accuracy on long texts: F1 with each passage hidden among others, against the passage alone.

python benchmarks/hidden_passages.py dev.json.gz --questions 60 --characters 100000
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from workings.data.records import Passage, Question, read_passages
from workings.explain import Explanation
from workings.explain.explanation import Place
from workings.inference import excerpt
from workings.reader import Reader
from workings.score import best_score

_BREAK = "\n\n"


@dataclass(frozen=True)
class HiddenQuestion:
    """A question with its passage, alone and inside a long text.

    Attributes:
        question: The question.
        passage: The passage that it is about.
        text: The long text.
        start: Where the passage starts in the long text.
    """

    question: Question
    passage: str
    text: str
    start: int


@dataclass(frozen=True)
class HiddenScore:
    """F1 alone and hidden, and the share of the hidden passage that was read."""

    kind: str
    alone: float
    hidden: float
    share_read: float


def hide(passages: Sequence[Passage], count: int, characters: int) -> Iterator[HiddenQuestion]:
    """Sample questions, and hide the passage of each among others in a random order."""
    rng = random.Random(0)
    pairs = [(question, p) for p in passages for question in p.questions if question.kind]
    for question, passage in rng.sample(pairs, min(count, len(pairs))):
        others = sorted({p.text for p in passages} - {passage.text})
        rng.shuffle(others)
        ends = accumulate(len(text) + len(_BREAK) for text in others)
        fitting = others[: sum(1 for _ in takewhile(lambda end: end <= characters, ends))]
        position = rng.randint(0, len(fitting))
        before = "".join(text + _BREAK for text in fitting[:position])
        after = "".join(_BREAK + text for text in fitting[position:])
        text = before + passage.text + after
        yield HiddenQuestion(question, passage.text, text, len(before))


def measure(reader: Reader, hidden: HiddenQuestion) -> HiddenScore:
    """Answer a question with its passage alone and with the long text."""
    alone = reader.ask(hidden.question.text, hidden.passage)
    inside = reader.ask(hidden.question.text, hidden.text)
    end = hidden.start + len(hidden.passage)
    whole = (Place(source="passage", start=0, end=len(hidden.text)),)
    shared = sum(
        max(min(part.end, end) - max(part.start, hidden.start), 0)
        for part in inside.parts_read or whole
    )
    return HiddenScore(
        hidden.question.kind or "",
        _f1(alone, hidden.question),
        _f1(inside, hidden.question),
        shared / len(hidden.passage),
    )


def _f1(explanation: Explanation, question: Question) -> float:
    return best_score(list(explanation.answer.texts), question.answers)[1]


def table(outcomes: Sequence[HiddenScore]) -> Table:
    """Mean F1 of all questions, of those whose passage was read in full, and by kind."""
    columns = ("questions", "count", "F1 alone", "F1 hidden", "share of the passage read")
    rows = Table(*columns, box=None, pad_edge=False)
    groups = {
        "all": list(outcomes),
        "passage read in full": [o for o in outcomes if o.share_read > 0.99],
    }
    for kind in sorted({outcome.kind for outcome in outcomes}):
        groups[kind] = [outcome for outcome in outcomes if outcome.kind == kind]
    for name, group in groups.items():
        shares = zip(*((o.alone, o.hidden, o.share_read) for o in group), strict=True)
        means = [f"{100 * sum(values) / len(group):.1f}" for values in shares]
        rows.add_row(name, str(len(group)), *means)
    return rows


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="Passages in DROP's format.")
    parser.add_argument("--questions", type=int, default=60, help="Questions to sample.")
    parser.add_argument("--characters", type=int, default=100_000, help="Length of other text.")
    parser.add_argument("--max-tokens", type=int, default=excerpt.MAX_EXCERPT_TOKENS)
    options = parser.parse_args()
    excerpt.MAX_EXCERPT_TOKENS = options.max_tokens
    reader = Reader.from_pretrained()
    passages = read_passages(options.data).passages
    hidden = hide(passages, options.questions, options.characters)
    Console(width=120).print(table([measure(reader, question) for question in hidden]))


if __name__ == "__main__":
    main()
