"""The reader: questions in, explanations out."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from workings.checkpoint.model_folder import load, read_config, save, shipped_model
from workings.encoder.cache import PassageMemory
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.quantize import is_quantized, quantize
from workings.errors import CheckpointError, InputError, ProgramError
from workings.explain import Explanation
from workings.inference.decoding import decode
from workings.inference.explaining import explain
from workings.inference.ranking import AnswerPolicy, Candidate, answer_candidates, missing_values
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.network.programmer import ScoredProgram
from workings.program import Program

# Characters of a passage: a book, though not a library.
MAX_PASSAGE = 1_000_000
# The paper's modules match every word with every value: pieces they have memory for.
_MAX_PIECES_BY_TOKEN = 8192
# TokenizedText of passage read together: long passages share a batch with fewer questions.
_BATCH_PIECES = 16384
# Passages (or windows of long ones) remembered between questions.
_REMEMBERED = 64


class Reader:
    """Answers questions about passages and shows how.

    ``top_k`` is how many programs are told of; below the confidence ``threshold`` the reader
    says that it does not know; ``temperature`` fits confidence to how often answers are right.
    """

    def __init__(
        self,
        network: Network,
        *,
        top_k: int = 3,
        threshold: float = 0.0,
        temperature: float = 1.0,
    ) -> None:
        self.network = network.eval()
        self.network.encoder.memory = PassageMemory(_REMEMBERED)
        self.judgement = AnswerPolicy(top_k, threshold, temperature)

    @staticmethod
    def from_pretrained(
        folder: str | Path | None = None,
        *,
        top_k: int = 3,
        threshold: float = 0.0,
        fast: bool = False,
    ) -> "Reader":
        """The reader of a model folder; without one, of the weights that came with the package.

        ``fast`` rounds the encoder's weights to eight bits.
        """
        folder = model_folder(folder)
        network, temperature = load(folder), read_config(folder).temperature
        if fast:
            quantize(network.encoder.layers)
        return Reader(network, top_k=top_k, threshold=threshold, temperature=temperature)

    def save_pretrained(self, folder: str | Path) -> Path:
        """Write a model folder that ``from_pretrained`` reads."""
        if is_quantized(self.network.encoder):
            hint = "Load it again without fast=True, and save that."
            raise CheckpointError("The weights of a fast reader are rounded.", hint=hint)
        return save(self.network, folder, temperature=self.judgement.temperature)

    def read(self, passage: str) -> "PassageReader":
        """Read a passage once, to ask many questions about it."""
        _check(passage, "passage")
        _check_length(len(passage), MAX_PASSAGE, "characters")
        read = PassageInput.read(passage, self.network.tokenizer)
        if self.network.recipe.modules.grounding == "tokens":
            _check_length(len(read), _MAX_PIECES_BY_TOKEN, "word-pieces")
        return PassageReader(self, read)

    def ask(self, question: str, passage: str) -> Explanation:
        """The answer to a question about a passage, with the program and steps that led there."""
        return self.read(passage).ask(question)

    def ask_many(self, pairs: Sequence[tuple[str, str]], batch_size: int = 8) -> list[Explanation]:
        """Answer many (question, passage) pairs, in the order given."""
        passages = {passage: self.read(passage).passage for _, passage in pairs}
        asked = [(self._cut(question), passages[passage]) for question, passage in pairs]
        found: dict[int, Explanation] = {}
        for batch in _batches([passage for _, passage in asked], batch_size):
            found |= zip(batch, self._answer([asked[place] for place in batch]), strict=True)
        return [found[place] for place in range(len(pairs))]

    def run(self, program: str | Program, question: str, passage: str) -> Explanation:
        """Run a program of one's own; the question says which words each step is about."""
        return self.read(passage).run(program, question)

    def _cut(self, question: str) -> TokenizedText:
        _check(question, "question")
        return TokenizedText.cut(question, self.network.tokenizer)

    @torch.inference_mode()
    def _answer(self, asked: Sequence[tuple[TokenizedText, PassageInput]]) -> list[Explanation]:
        encoding = self.network.encoder([q for q, _ in asked], [p for _, p in asked])
        beam = max(self.judgement.top_k, self.network.recipe.programmer.beam)
        tried = answer_candidates(self.network, encoding, beam)
        if not all(tried):
            hint = "Load another model, or train this one again."
            raise CheckpointError("The model writes no program at all.", hint=hint)
        return [explain(candidates, self.judgement) for candidates in tried]

    @torch.inference_mode()
    def _run(self, program: Program, question: TokenizedText, passage: PassageInput) -> Explanation:
        self.network.grammar.derive(program)
        lack = missing_values(program, passage)
        if lack:
            message = f"{lack} needs {REGISTRY[lack].needs}, and none were found in the passage."
            raise ProgramError(message, hint="See what can be read with `workings values`.")
        encoding = self.network.encoder([question], [passage])
        _, asked = self.network.programmer.score(encoding, [program])
        # The program is given, not guessed: it is as sure as can be.
        certain = encoding.cls.new_zeros(())
        written = ScoredProgram(0, program, certain, torch.stack(asked)[:, 0])
        (execution,) = self.network.run(encoding, [(0, program)], [written.question_attention])
        answer = decode(execution.step.output, execution.encoding, 0)
        return explain([Candidate(written, execution, 0, answer)], self.judgement)


class PassageReader:
    """A passage that has been read, to be asked about."""

    def __init__(self, reader: Reader, passage: PassageInput) -> None:
        self.reader, self.passage = reader, passage

    def ask(self, question: str) -> Explanation:
        """The answer to one question."""
        return self.ask_many([question])[0]

    def ask_many(self, questions: Sequence[str], batch_size: int = 8) -> list[Explanation]:
        """The answers to many questions, in the order given."""
        asked = [(self.reader._cut(question), self.passage) for question in questions]
        batches = _batches([self.passage] * len(asked), batch_size)
        return [
            found
            for batch in batches
            for found in self.reader._answer([asked[place] for place in batch])
        ]

    def run(self, program: str | Program, question: str) -> Explanation:
        """Run a program of one's own."""
        parsed = Program.parse(program) if isinstance(program, str) else program
        return self.reader._run(parsed, self.reader._cut(question), self.passage)


def model_folder(folder: str | Path | None) -> Path:
    """The folder named; without one, that of the weights that came with the package."""
    return Path(folder) if folder is not None else shipped_model()


def _check(text: str, what: str) -> None:
    """Refuse what is not text, saying which of the two it is."""
    if not isinstance(text, str):
        hint = "Give a string; decode bytes first."
        raise InputError(f"The {what} is of type {type(text).__name__}, not text.", hint=hint)
    if not text.strip():
        raise InputError(f"The {what} is empty.", hint=f"Give a {what} of at least one word.")
    if "\0" in text or any("\ud800" <= mark <= "\udfff" for mark in text):
        raise InputError(f"The {what} is binary, not text.", hint="Give plain text.")


def _check_length(length: int, most: int, unit: str) -> None:
    if length > most:
        message = f"The passage has {length:,} {unit}, more than {most:,}."
        raise InputError(message, hint="Ask about a shorter part of it.")


def _batches(passages: Sequence[PassageInput], most: int) -> Iterator[list[int]]:
    """Places grouped by passage, passages of like length together, so that little is padded."""
    order = sorted(range(len(passages)), key=lambda i: (len(passages[i]), id(passages[i])))
    batch: list[int] = []
    for place in order:
        pieces = (len(batch) + 1) * len(passages[place])  # the longest so far, for every row
        if batch and (len(batch) == most or pieces > _BATCH_PIECES):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
