"""Training examples: tokenized questions with the programs and step targets that supervise them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tokenizers import Tokenizer

from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.modules import REGISTRY
from workings.program import Program
from workings.settings import ModuleSettings
from workings.supervision.supervise import Derivation, StepTarget, Supervision
from workings.supervision.unfiltered import without_filters
from workings.values import earlier

# A question with many possible programs is trained on the most plausible ones.
MAX_PROGRAMS = 4


@dataclass(frozen=True)
class SupervisedProgram:
    """A program that can give the answer, and the known targets of its steps."""

    program: Program
    targets: tuple[StepTarget, ...]


@dataclass(frozen=True)
class TrainingExample:
    """A question about a passage, with its supervision.

    Attributes:
        question: The question as read from the data.
        tokens: The tokenized question.
        passage: The tokenized passage with its values; shared by the questions of a passage.
        supervision: The known answer and all its derivations.
        candidates: The programs to train on, most plausible first.
    """

    question: Question
    tokens: TokenizedText
    passage: PassageInput
    supervision: Supervision
    candidates: tuple[SupervisedProgram, ...]

    @property
    def has_three_operands(self) -> bool:
        """Whether every candidate combines three or more numbers by arithmetic."""
        return all(
            sum(REGISTRY[step.name].operation is not None for step in candidate.program.walk()) > 1
            or any(len(target.members) > 2 for target in candidate.targets)
            for candidate in self.candidates
        )


def make_examples(
    passage: Passage,
    supervision: Mapping[str, Supervision],
    tokenizer: Tokenizer,
    settings: ModuleSettings,
    *,
    use_evidence: bool,
) -> list[TrainingExample]:
    """Make examples of the questions of a passage that have a derivation.

    Args:
        passage: The passage with its questions.
        supervision: The supervision of each question, by question id.
        tokenizer: The tokenizer of the model to train.
        settings: The module settings of the model to train; they determine which operands commute.
        use_evidence: Whether to supervise steps with the targets that evidence determines.
    """
    passage_input = PassageInput.from_text(passage.text, tokenizer)
    examples = []
    for question in passage.questions:
        known = supervision.get(question.id, Supervision())
        if known.derivations and question.text.strip():
            tokens = TokenizedText.tokenize(question.text, tokenizer)
            programs = list(_candidates(known.derivations, use_evidence=use_evidence))
            if settings.filter == "none":
                programs = [_unfiltered(candidate) for candidate in programs]
            candidates = tuple(
                _put_later_date_first(candidate, settings) for candidate in programs[:MAX_PROGRAMS]
            )
            if candidates:
                examples.append(TrainingExample(question, tokens, passage_input, known, candidates))
    return examples


def mask_shared_words(
    examples: Sequence[TrainingExample], rate: float, tokenizer: Tokenizer
) -> list[TrainingExample]:
    """Replace some words that a passage shares with its questions by the unknown token.

    An encoder with lexical-match embeddings then learns to match words it does not know, such as
    names that do not occur in the training texts.

    Args:
        examples: The examples of one passage.
        rate: The probability that a shared word is masked, in the passage and in its questions.
        tokenizer: The tokenizer of the examples; without an unknown token nothing is masked.
    """
    unknown_id = tokenizer.token_to_id("[UNK]")
    if not rate or not examples or unknown_id is None:
        return list(examples)
    passage = examples[0].passage
    question_words = {word for example in examples for word, _ in example.tokens.words}
    shared = question_words.intersection(word for word, _ in passage.tokens.words)
    rng = Random(passage.tokens.text)
    masked = {word for word in sorted(shared) if rng.random() < rate}
    masked_passage = replace(passage, tokens=passage.tokens.mask_words(masked, unknown_id))
    return [
        replace(
            example, tokens=example.tokens.mask_words(masked, unknown_id), passage=masked_passage
        )
        for example in examples
    ]


def _candidates(
    derivations: Sequence[Derivation], *, use_evidence: bool
) -> Iterable[SupervisedProgram]:
    """One candidate per program, with the targets that all its derivations share.

    Targets found by search, without evidence, are guesses and are left out. So are programs with
    a module that is not registered.
    """
    by_program: dict[str, list[Derivation]] = {}
    for derivation in derivations:
        by_program.setdefault(derivation.program, []).append(derivation)
    for text, same in by_program.items():
        if not all(step.name in REGISTRY for step in Program.parse(text).walk()):
            continue
        certain = use_evidence and all(derivation.from_evidence for derivation in same)
        shared = (
            target
            for target in same[0].targets
            if all(target in derivation.targets for derivation in same)
        )
        yield SupervisedProgram(Program.parse(text), tuple(shared) if certain else ())


def _unfiltered(candidate: SupervisedProgram) -> SupervisedProgram:
    program, targets = without_filters(candidate.program, candidate.targets)
    return replace(candidate, program=program, targets=targets)


def _put_later_date_first(
    candidate: SupervisedProgram, settings: ModuleSettings
) -> SupervisedProgram:
    """Swap the targets of an ordered difference of dates if the first date is the earlier one.

    An ordered difference drops negative results, so the earlier date cannot come first.
    """
    module = REGISTRY[candidate.program.name]
    takes_two_dates = module.needs == "dates" and len(candidate.program.children) == 2
    dated = [target for target in candidate.targets if len(target.dates) == 1]
    if not takes_two_dates or module.commutes(settings) or len(dated) != 2:
        return candidate
    first, second = sorted(dated, key=lambda target: target.step)
    if not earlier(first.dates[0], second.dates[0]):
        return candidate
    swapped = {
        first.step: replace(first, dates=second.dates),
        second.step: replace(second, dates=first.dates),
    }
    targets = tuple(swapped.get(target.step, target) for target in candidate.targets)
    return replace(candidate, targets=targets)
