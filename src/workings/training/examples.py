"""Examples: questions with what is known of their answers, placed on pieces."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from workings.data.derivations import Derivation, Pick, Supervision
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, Pieces
from workings.program import Program

# A question of many possible programs is trained on its most plausible ones.
MAX_PROGRAMS = 4


@dataclass(frozen=True)
class Candidate:
    """A program that can give the answer, and what its steps are known to pick."""

    program: Program
    picks: tuple[Pick, ...]


@dataclass(frozen=True)
class Example:
    """One question over one passage."""

    question: Question
    pieces: Pieces
    passage: PassageInput
    supervision: Supervision
    candidates: tuple[Candidate, ...]


def make_examples(
    passage: Passage, supervision: Mapping[str, Supervision], tokenizer: Tokenizer, *, narrow: bool
) -> list[Example]:
    """The questions of a passage that have a derivation."""
    read = PassageInput.read(passage.text, tokenizer)
    found = []
    for question in passage.questions:
        known = supervision.get(question.id)
        if known and known.derivations and question.text.strip():
            pieces = Pieces.cut(question.text, tokenizer)
            candidates = tuple(_candidates(known.derivations, narrow=narrow))[:MAX_PROGRAMS]
            found.append(Example(question, pieces, read, known, candidates))
    return found


def _candidates(derivations: Sequence[Derivation], *, narrow: bool) -> Iterable[Candidate]:
    """One candidate a program; its picks are taught only where evidence fixed them."""
    by_program: dict[str, Derivation] = {}
    for derivation in derivations:
        by_program.setdefault(derivation.program, derivation)
    for text, derivation in by_program.items():
        taught = derivation.picks if narrow and derivation.narrowed else ()
        yield Candidate(Program.parse(text), taught)
