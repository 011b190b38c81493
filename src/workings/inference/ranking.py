"""Answer questions with the likeliest programs and rank the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import InputError
from workings.inference.decoding import Prediction, decode, normalised_words
from workings.modules import REGISTRY
from workings.modules.unknown import Unknown
from workings.network.network import Execution, Network
from workings.network.programmer import ScoredProgram
from workings.ops.results import Nothing
from workings.program import Program
from workings.settings import ProgrammerSettings


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
    written = network.programmer.write(encoding, beam)
    scored = [program for row in with_unknown(network, encoding, written) for program in row]
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
    settings = network.recipe.programmer
    rows = zip(by_question, encoding.questions, encoding.inputs, strict=True)
    return [rank(candidates, question, passage, settings) for candidates, question, passage in rows]


def with_unknown(
    network: Network, encoding: Encoding, written: Sequence[list[ScoredProgram]]
) -> list[list[ScoredProgram]]:
    """Add the program ``unknown`` to every beam that lacks it.

    Its probability is reported for every question, however unlikely it is.
    """
    unknown = Program(Unknown.name)
    lacking = [
        row
        for row, programs in enumerate(written)
        if programs and all(scored.program != unknown for scored in programs)
    ]
    if not lacking or Unknown.name not in network.modules_trained:
        return list(written)
    selected = encoding.select(lacking)
    scores, attention = network.programmer.score(selected, [unknown] * len(lacking))
    complete = [list(programs) for programs in written]
    for index, row in enumerate(lacking):
        scored = ScoredProgram(row, unknown, scores[index], attention[0][index][None])
        complete[row].append(scored)
    return complete


def unknown_probability(candidates: Sequence[Candidate]) -> float:
    """The probability that the passage does not contain the answer."""
    return sum(
        candidate.program_probability
        for candidate in candidates
        if isinstance(candidate.execution.step.output, Nothing)
    )


def rank(
    candidates: Sequence[Candidate],
    question: TokenizedText,
    passage: PassageInput,
    settings: ProgrammerSettings,
) -> list[Candidate]:
    """Sort candidates, best first.

    Programs whose values the texts lack come last, and so do programs without an answer, unless
    "unknown" is likely enough to be the answer.

    Args:
        candidates: The candidates of one question.
        question: The question.
        passage: The question's passage.
        settings: How to rank, and how likely "unknown" must be.
    """

    def is_last(candidate: Candidate) -> bool:
        if missing_values(candidate.scored.program, question, passage) is not None:
            return True
        says_unknown = isinstance(candidate.execution.step.output, Nothing)
        likely = candidate.program_probability >= settings.unknown_threshold
        return not candidate.answer.texts and not (says_unknown and likely)

    def key(pair: tuple[Candidate, float]) -> tuple[bool, float, float]:
        candidate, probability = pair
        if settings.rank_by == "program":
            return is_last(candidate), -candidate.program_probability, 0.0
        return is_last(candidate), -probability, -candidate.probability

    pairs = zip(candidates, answer_probability(candidates), strict=True)
    return [candidate for candidate, _ in sorted(pairs, key=key)]


def answer_probability(candidates: Sequence[Candidate]) -> list[float]:
    """The probability of each candidate's answer, summed over all candidates with that answer."""
    answers = [tuple(map(normalised_words, candidate.answer.texts)) for candidate in candidates]
    total: dict[tuple[str, ...], float] = {}
    for candidate, answer in zip(candidates, answers, strict=True):
        total[answer] = total.get(answer, 0.0) + candidate.probability
    return [min(total[answer], 1.0) for answer in answers]


def missing_values(program: Program, question: TokenizedText, passage: PassageInput) -> str | None:
    """The first module of a program that needs values which passage or question do not have."""
    available = {
        "": True,
        "numbers": passage.values.numbers,
        "dates": passage.values.dates,
        "times": passage.values.timings,
        "question numbers": question.values.numbers,
    }
    names = (step.name for step in program.walk())
    return next((name for name in names if not available[REGISTRY[name].needs]), None)
