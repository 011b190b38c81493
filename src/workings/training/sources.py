"""Where training questions come from: DROP files, or the made world."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tokenizers import Tokenizer

from workings.data.augment import augment
from workings.data.kinds import load_split, operation_of
from workings.data.records import (
    COMPARISONS,
    KINDS,
    Passage,
    Question,
    without_evidence,
    without_kinds,
)
from workings.errors import DataError, RecipeError, did_you_mean
from workings.evaluation.prediction import questions_to_score
from workings.progress import ProgressCallback
from workings.settings import DataSettings, Recipe
from workings.supervision.supervise import Supervision, supervise_all
from workings.synthetic import make_synthetic
from workings.training.examples import TrainingExample, make_examples, mask_shared_words

# Made worlds of training and dev never share a seed.
_DEV_SEED = 10_000
_DEV_PASSAGES = 60
# So many made passages have all the words there are.
_WORDY_PASSAGES = 1_000


@dataclass(frozen=True)
class Sources:
    """The examples to learn from, grouped by passage, and the passages that choose."""

    groups: list[list[TrainingExample]]
    dev: list[Passage]

    @property
    def questions(self) -> int:
        return sum(map(len, self.groups))

    def readable(self, most: int) -> "Sources":
        """Only the examples whose question has so many pieces at most."""
        short = [[one for one in group if len(one.tokens) <= most] for group in self.groups]
        return replace(self, groups=[group for group in short if group])


def load_sources(
    recipe: Recipe, folder: Path | None, tokenizer: Tokenizer, cache: Path, watch: ProgressCallback
) -> Sources:
    """Everything a recipe trains on and chooses by."""
    settings = recipe.data
    for kind in settings.kinds:
        if kind not in KINDS:
            raise RecipeError(f"No kind {kind!r} of question.", hint=did_you_mean(kind, KINDS))
    groups: list[list[TrainingExample]] = []
    if settings.synthetic:
        groups += [
            _examples(made.passage, made.supervision, tokenizer, recipe)
            for made in make_synthetic(recipe.train.seed, settings.synthetic)
        ]
    if settings.train:
        passages = training_passages(settings, folder)
        groups += _from_file(recipe, passages, tokenizer, cache, watch)
    if settings.dev:
        dev = dev_passages(settings, folder)
    else:
        made_dev = make_synthetic(_DEV_SEED + recipe.train.seed, _DEV_PASSAGES, names="unseen")
        dev = [made.passage for made in made_dev]
    if not any(groups):
        raise DataError(
            "The recipe has no question to train on.",
            hint="Set data.train to a file with answers, or data.synthetic to a number of passages.",
        )
    groups += _again(groups, settings)
    return Sources([group for group in groups if group], dev)


def training_passages(settings: DataSettings, folder: Path | None) -> list[Passage]:
    """The training file's passages with all their questions, wanted or not."""
    passages = load_split(_path(folder, settings.train), limit=settings.limit)
    return [augment(passage) for passage in passages] if settings.augment else passages


def dev_passages(settings: DataSettings, folder: Path | None) -> list[Passage]:
    """The dev file's passages with the questions that choose."""
    passages = load_split(_path(folder, settings.dev), limit=settings.dev_limit)
    return questions_to_score(passages, all_questions=not settings.kinds)


def wanted(question: Question, settings: DataSettings) -> bool:
    """Whether a recipe trains on a question, if it can be derived."""
    if settings.kinds and question.kind not in settings.kinds:
        return False
    if question.kind != "add-sub" or not settings.operations:
        return True
    return operation_of(question.text) in settings.operations


def synthetic_texts(recipe: Recipe) -> Iterator[str]:
    """What an encoder from scratch learns its words from."""
    for made in make_synthetic(recipe.train.seed, min(recipe.data.synthetic, _WORDY_PASSAGES)):
        yield made.passage.text
        yield from (question.text for question in made.passage.questions)


def _again(
    groups: Sequence[Sequence[TrainingExample]], settings: DataSettings
) -> list[list[TrainingExample]]:
    """The questions to be trained on more than once, a passage's together, for each time more."""

    def times(one: TrainingExample) -> int:
        three = settings.repeat_three_operand if one.adds_three else 1
        return max(three, settings.repeat_comparison if one.question.kind in COMPARISONS else 1)

    turns = range(1, max(settings.repeat_three_operand, settings.repeat_comparison))
    return [[one for one in group if times(one) > turn] for turn in turns for group in groups]


def _path(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise DataError(
            f"The recipe trains on {name}, but no data folder was given.",
            hint="Give it with --data DIR or in the environment as WORKINGS_DATA.",
        )
    return folder / name


def _from_file(
    recipe: Recipe,
    passages: list[Passage],
    tokenizer: Tokenizer,
    cache: Path,
    watch: ProgressCallback,
) -> list[list[TrainingExample]]:
    if not recipe.loss.use_evidence:
        passages = [without_evidence(passage) for passage in passages]
    derived = (
        passages if recipe.loss.use_kinds else [without_kinds(passage) for passage in passages]
    )
    known = supervise_all(
        derived, cache=cache, progress=lambda done, all_: watch("Deriving", done, all_)
    )
    groups = []
    for done, passage in enumerate(passages):
        groups.append(_examples(passage, known, tokenizer, recipe))
        watch("Reading", done + 1, len(passages))
    return groups


def _examples(
    passage: Passage, known: Mapping[str, Supervision], tokenizer: Tokenizer, recipe: Recipe
) -> list[TrainingExample]:
    found = make_examples(
        passage,
        known,
        tokenizer,
        narrow=recipe.loss.use_evidence,
        ordered=recipe.modules.difference == "ordered",
    )
    chosen = [example for example in found if wanted(example.question, recipe.data)]
    return mask_shared_words(chosen, recipe.data.word_mask_rate, tokenizer)
