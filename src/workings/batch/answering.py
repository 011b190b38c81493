"""Answer files of questions in chunks, and resume an interrupted run."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from workings.batch.answer_file import open_answers
from workings.batch.answer_lines import answer_start, json_line
from workings.batch.questions import QuestionLine, RejectedLine, Request
from workings.errors import DataError, WorkingsError
from workings.explain import Explanation
from workings.reader import Reader

# Lines per chunk. Questions of one chunk share the preparation of a passage.
CHUNK_LINES = 64

Chunk: TypeAlias = Sequence[QuestionLine]


@dataclass(frozen=True)
class ChunkResult:
    """The result of a chunk.

    Attributes:
        answers: One line of JSON per answer.
        rejected: The lines that could not be answered.
    """

    answers: list[str] = field(default_factory=list)
    rejected: list[RejectedLine] = field(default_factory=list)


@runtime_checkable
class Backend(Protocol):
    """Answers chunks, in this process or on a cluster."""

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Yield the result of each chunk, in order."""


@runtime_checkable
class LineWriter(Protocol):
    """A text file or stream to write to."""

    def writelines(self, lines: Iterable[str], /) -> object:
        """Write lines that end in a line feed."""

    def flush(self) -> object:
        """Make the lines visible to other processes."""


@dataclass(frozen=True)
class BatchAnswerer:
    """The local backend: answers chunks one after the other with a reader.

    Attributes:
        reader: The reader.
        explain: Whether to write the whole explanation of each answer.
    """

    reader: Reader
    explain: bool = False

    @classmethod
    def from_model(
        cls,
        model: str | Path | None,
        *,
        explain: bool = False,
        threshold: float | None = None,
        fast: bool = False,
    ) -> "BatchAnswerer":
        """Load the reader of a model folder.

        Args:
            model: The model folder; None for the shipped weights.
            explain: Whether to write the whole explanation of each answer.
            threshold: Minimum confidence; below it no answer is given.
            fast: Run the encoder in bfloat16 or 8-bit integers, whichever suits the processor.
        """
        return cls(Reader.from_pretrained(model, threshold=threshold, fast=fast), explain)

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Yield the result of each chunk, in order."""
        return map(self.answer_chunk, chunks)

    def answer_chunk(self, chunk: Chunk) -> ChunkResult:
        """Answer the requests of one chunk; the rejected lines are passed on."""
        requests = [line for line in chunk if isinstance(line, Request)]
        result = ChunkResult(rejected=[line for line in chunk if isinstance(line, RejectedLine)])
        outcomes = ask_each(self.reader, [(line.question, line.passage) for line in requests])
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, WorkingsError):
                result.rejected.append(
                    RejectedLine(request.line, outcome.message, request.question)
                )
            else:
                result.answers.append(self._to_json_line(request, outcome))
        result.rejected.sort(key=lambda line: line.line)
        return result

    def _to_json_line(self, request: Request, explanation: Explanation) -> str:
        record = {
            **answer_start(request),
            "answer": list(explanation.answer.texts),
            "value": explanation.answer.value,
            "confidence": explanation.confidence,
            "program": explanation.program,
        }
        if self.explain:
            record["explanation"] = explanation.to_json()
        return json_line(record)


@dataclass(frozen=True)
class Counts:
    """How many lines of a file were answered.

    Attributes:
        answered: Lines answered in this run.
        kept: Lines that an earlier run had answered.
        bad: Lines that were rejected.
    """

    answered: int = 0
    kept: int = 0
    bad: int = 0


@dataclass(frozen=True)
class FileAnswerer:
    """Answers lines with a backend and writes the answers to a file or stream.

    Attributes:
        backend: The backend.
        progress: Called with the number of lines done so far.
    """

    backend: Backend
    progress: Callable[[int], None] = lambda _lines: None

    def into(
        self, out: Path, lines: Iterable[QuestionLine], source: Path | int | None = None
    ) -> Counts:
        """Answer lines into a .jsonl file; lines that it already answers are skipped.

        Rejected lines are written to ``rejects_path(out)``, which exists only if there are any.

        Args:
            out: The file of answers; it is created or continued.
            lines: The lines, from the first one on.
            source: The file of the lines, as a path or a descriptor, if they come from a file.

        Raises:
            DataError: If one of the two files holds something else or answers to other questions,
                is the source, is written by another process, or cannot be written.
        """
        try:
            with open_answers(out, lines, source) as opened:
                kept = opened.answered_before
                rest = replace(self, progress=lambda done: self.progress(kept + done))
                counts = rest.stream(opened.remaining, opened.answers, opened.rejects)
        except OSError as error:
            hint = "Fix this and run the command again: finished answers are kept."
            raise DataError(f"{out}: {error.strerror or error}", hint=hint) from error
        return Counts(counts.answered, kept, counts.bad)

    def stream(self, lines: Iterable[QuestionLine], out: LineWriter, rejects: LineWriter) -> Counts:
        """Answer lines as they arrive and write each chunk when it is done.

        Args:
            lines: The lines.
            out: Stream of the answers.
            rejects: Stream of the rejected lines.
        """
        answered = rejected = 0
        for result in self.backend.answer(_chunks(lines)):
            out.writelines(result.answers)
            rejects.writelines(json_line(asdict(line)) for line in result.rejected)
            out.flush()
            rejects.flush()
            answered, rejected = answered + len(result.answers), rejected + len(result.rejected)
            self.progress(answered + rejected)
        return Counts(answered, 0, rejected)


def ask_each(reader: Reader, pairs: Sequence[tuple[str, str]]) -> list[Explanation | WorkingsError]:
    """Answer (question, passage) pairs; a pair that cannot be answered does not affect the others.

    Returns:
        An explanation or an error for each pair.
    """
    try:
        return list(reader.ask_many(pairs))
    except WorkingsError as error:
        if len(pairs) == 1:
            return [error]
        half = len(pairs) // 2
        return ask_each(reader, pairs[:half]) + ask_each(reader, pairs[half:])


def _chunks(lines: Iterable[QuestionLine]) -> Iterator[Chunk]:
    rest = iter(lines)
    while chunk := list(islice(rest, CHUNK_LINES)):
        yield chunk
