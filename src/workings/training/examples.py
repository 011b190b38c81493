"""Examples: questions with what is known of their answers, placed on pieces."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tokenizers import Tokenizer

from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.program import Program
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.values import earlier

# A question of many possible programs is trained on its most plausible ones.
MAX_PROGRAMS = 4


@dataclass(frozen=True)
class SupervisedProgram:
    """A program that can give the answer, and what its steps are known to pick."""

    program: Program
    picks: tuple[StepTarget, ...]


@dataclass(frozen=True)
class TrainingExample:
    """One question over one passage."""

    question: Question
    tokens: TokenizedText
    passage: PassageInput
    supervision: Supervision
    candidates: tuple[SupervisedProgram, ...]

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
) -> list[TrainingExample]:
    """The questions of a passage that have a derivation.

    ``narrow`` teaches the picks that evidence fixed; ``ordered`` says that of two dates the later
    must be picked first, since a difference would lose what is below zero.
    """
    read = PassageInput.read(passage.text, tokenizer)
    found = []
    for question in passage.questions:
        known = supervision.get(question.id)
        if known and known.derivations and question.text.strip():
            pieces = TokenizedText.cut(question.text, tokenizer)
            candidates = list(_candidates(known.derivations, narrow=narrow))[:MAX_PROGRAMS]
            if ordered:
                candidates = [_later_first(candidate) for candidate in candidates]
            found.append(TrainingExample(question, pieces, read, known, tuple(candidates)))
    return found


def mask_shared_words(
    examples: Sequence[TrainingExample], share: float, tokenizer: Tokenizer
) -> list[TrainingExample]:
    """Make as if unknown some words that a passage and its questions share.

    What is echoed need not be known: so are words of texts not yet seen.
    """
    unknown = tokenizer.token_to_id("[UNK]")
    if not share or not examples or unknown is None:
        return list(examples)
    asked = {word for one in examples for word, _ in one.tokens.words}
    shared = asked.intersection(word for word, _ in examples[0].passage.tokens.words)
    rng = Random(examples[0].passage.tokens.text)
    hidden = {word for word in sorted(shared) if rng.random() < share}
    passage = replace(examples[0].passage, tokens=examples[0].passage.tokens.hide(hidden, unknown))
    return [
        replace(one, tokens=one.tokens.hide(hidden, unknown), passage=passage) for one in examples
    ]


def _candidates(derivations: Sequence[Derivation], *, narrow: bool) -> Iterable[SupervisedProgram]:
    """One candidate a program; only the picks are taught that evidence fixed, and as one."""
    by_program: dict[str, list[Derivation]] = {}
    for derivation in derivations:
        by_program.setdefault(derivation.program, []).append(derivation)
    for text, same in by_program.items():
        fixed = narrow and all(one.narrowed for one in same)
        shared = (pick for pick in same[0].picks if all(pick in one.picks for one in same))
        yield SupervisedProgram(Program.parse(text), tuple(shared) if fixed else ())


def _later_first(candidate: SupervisedProgram) -> SupervisedProgram:
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
