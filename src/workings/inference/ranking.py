"""Answer questions with the likeliest programs and rank the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput
from workings.errors import InputError
from workings.inference.decoding import Prediction, decode, normalised_words
from workings.modules import REGISTRY
from workings.network.network import Execution, Network
from workings.network.programmer import ScoredProgram
from workings.program import Program


@dataclass(frozen=True)
class Candidate:
    """A program for a question, its execution and its answer.

    Attributes:
        scored: The program with its log-probability.
        execution: The run of the program on all rows that share it.
        row: The question's row in the execution's batch.
        answer: The decoded answer.
    """

    scored: ScoredProgram
    execution: Execution
    row: int
    answer: Prediction

    @property
    def program_probability(self) -> float:
        return min(float(self.scored.score.detach().exp()), 1.0)

    @property
    def probability(self) -> float:
        """Probability of program and answer together."""
        return self.program_probability * min(self.answer.probability, 1.0)


@dataclass(frozen=True)
class AnswerPolicy:
    """How candidates become one answer with a confidence.

    Attributes:
        top_k: Number of programs to report, the best one included.
        threshold: Minimum confidence; below it no answer is given.
        temperature: Fitted on held-out questions so that confidence matches accuracy.

    Raises:
        InputError: If a value is out of range.
    """

    top_k: int = 3
    threshold: float = 0.0
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.top_k, bool) or not isinstance(self.top_k, int) or self.top_k < 1:
            raise InputError(f"top_k is {self.top_k!r}.", hint="Give a whole number from 1 on.")
        if not isinstance(self.threshold, Real) or not 0 <= self.threshold <= 1:
            hint = "Give a confidence between 0 and 1."
            raise InputError(f"threshold is {self.threshold!r}.", hint=hint)
        if not isinstance(self.temperature, Real) or not 0 < self.temperature < inf:
            hint = "Give a finite number above 0; 1 leaves probabilities unchanged."
            raise InputError(f"temperature is {self.temperature!r}.", hint=hint)

    def confidence(self, probability: float) -> float:
        """Convert a probability to a calibrated confidence."""
        return float(probability ** (1 / self.temperature))


def answer_candidates(
    network: Network, encoding: Encoding, beam: int | None = None
) -> list[list[Candidate]]:
    """Run the likeliest programs of every question and rank their answers.

    Args:
        network: The network.
        encoding: A batch of questions with their passages.
        beam: Number of programs per question; the recipe's beam by default.

    Returns:
        The candidates of each question, best first.
    """
    scored = [program for row in network.programmer.write(encoding, beam) for program in row]
    executions = network.run(
        encoding,
        [(program.row, program.program) for program in scored],
        [program.question_attention for program in scored],
    )
    by_request: dict[int, Candidate] = {}
    for execution in executions:
        for row, request in enumerate(execution.requests):
            answer = decode(execution.step.output, execution.encoding, row)
            by_request[request] = Candidate(scored[request], execution, row, answer)
    by_question: list[list[Candidate]] = [[] for _ in range(len(encoding))]
    for request, program in enumerate(scored):  # keeps the order of program probability
        by_question[program.row].append(by_request[request])
    rank_by = network.recipe.programmer.rank_by
    return [
        rank(candidates, passage, rank_by)
        for candidates, passage in zip(by_question, encoding.inputs, strict=True)
    ]


def rank(candidates: Sequence[Candidate], passage: PassageInput, rank_by: str) -> list[Candidate]:
    """Sort candidates, best first; programs whose values the passage lacks come last.

    Args:
        candidates: The candidates of one question.
        passage: The question's passage.
        rank_by: "answer" ranks by the probability of the answer over all programs, then of the
            candidate itself; "program" ranks by the probability of the program alone.
    """

    def key(pair: tuple[Candidate, float]) -> tuple[bool, float, float]:
        candidate, probability = pair
        missing = missing_values(candidate.scored.program, passage) is not None
        if rank_by == "program":
            return missing, -candidate.program_probability, 0.0
        return missing, -probability, -candidate.probability

    pairs = zip(candidates, answer_probability(candidates), strict=True)
    return [candidate for candidate, _ in sorted(pairs, key=key)]


def answer_probability(candidates: Sequence[Candidate]) -> list[float]:
    """The probability of each candidate's answer, summed over all candidates with that answer."""
    answers = [tuple(map(normalised_words, candidate.answer.texts)) for candidate in candidates]
    total: dict[tuple[str, ...], float] = {}
    for candidate, answer in zip(candidates, answers, strict=True):
        total[answer] = total.get(answer, 0.0) + candidate.probability
    return [min(total[answer], 1.0) for answer in answers]


def missing_values(program: Program, passage: PassageInput) -> str | None:
    """The first module of a program that needs numbers or dates where the passage has none."""
    available = {"": True, "numbers": passage.values.numbers, "dates": passage.values.dates}
    names = (step.name for step in program.walk())
    return next((name for name in names if not available[REGISTRY[name].needs]), None)
