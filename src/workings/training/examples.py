"""Examples: questions with what is known of their answers, placed on pieces."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tokenizers import Tokenizer

from workings.data.derivations import Derivation, Pick, Supervision
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, Pieces
from workings.program import Program
from workings.values import earlier

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

    @property
    def adds_three(self) -> bool:
        """Whether all its programs add or subtract three numbers or more."""
        return all(
            sum(step.name in ("add", "sub") for step in candidate.program.walk()) > 1
            for candidate in self.candidates
        )


def make_examples(
    passage: Passage,
    supervision: Mapping[str, Supervision],
    tokenizer: Tokenizer,
    *,
    narrow: bool,
    ordered: bool = False,
) -> list[Example]:
    """The questions of a passage that have a derivation.

    ``narrow`` teaches the picks that evidence fixed; ``ordered`` says that of two dates the later
    must be picked first, since a difference would lose what is below zero.
    """
    read = PassageInput.read(passage.text, tokenizer)
    found = []
    for question in passage.questions:
        known = supervision.get(question.id)
        if known and known.derivations and question.text.strip():
            pieces = Pieces.cut(question.text, tokenizer)
            candidates = list(_candidates(known.derivations, narrow=narrow))[:MAX_PROGRAMS]
            if ordered:
                candidates = [_later_first(candidate) for candidate in candidates]
            found.append(Example(question, pieces, read, known, tuple(candidates)))
    return found


def hide_shared(examples: Sequence[Example], share: float, tokenizer: Tokenizer) -> list[Example]:
    """Make as if unknown some words that a passage and its questions share.

    What is echoed need not be known: so are words of texts not yet seen.
    """
    unknown = tokenizer.token_to_id("[UNK]")
    if not share or not examples or unknown is None:
        return list(examples)
    asked = {word for one in examples for word, _ in one.pieces.words}
    shared = asked.intersection(word for word, _ in examples[0].passage.pieces.words)
    rng = Random(examples[0].passage.pieces.text)
    hidden = {word for word in sorted(shared) if rng.random() < share}
    passage = replace(examples[0].passage, pieces=examples[0].passage.pieces.hide(hidden, unknown))
    return [
        replace(one, pieces=one.pieces.hide(hidden, unknown), passage=passage) for one in examples
    ]


def _candidates(derivations: Sequence[Derivation], *, narrow: bool) -> Iterable[Candidate]:
    """One candidate a program; only the picks are taught that evidence fixed, and as one."""
    by_program: dict[str, list[Derivation]] = {}
    for derivation in derivations:
        by_program.setdefault(derivation.program, []).append(derivation)
    for text, same in by_program.items():
        fixed = narrow and all(one.narrowed for one in same)
        shared = (pick for pick in same[0].picks if all(pick in one.picks for one in same))
        yield Candidate(Program.parse(text), tuple(shared) if fixed else ())


def _later_first(candidate: Candidate) -> Candidate:
    """Two dates that are subtracted, the later given to the step that comes first."""
    dated = [pick for pick in candidate.picks if len(pick.dates) == 1]
    if candidate.program.name != "time-diff" or len(dated) != 2:
        return candidate
    first, second = sorted(dated, key=lambda pick: pick.step)
    if not earlier(first.dates[0], second.dates[0]):
        return candidate
    swapped = {
        first.step: replace(first, dates=second.dates),
        second.step: replace(second, dates=first.dates),
    }
    return replace(candidate, picks=tuple(swapped.get(pick.step, pick) for pick in candidate.picks))
