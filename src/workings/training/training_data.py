"""The data of a training run: examples from DROP files and synthetic data, and dev passages."""

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

# Synthetic dev passages have other seeds than the training passages.
_DEV_SEED = 10_000
_DEV_PASSAGES = 60
# So many synthetic passages contain every word of the synthetic data.
_VOCABULARY_PASSAGES = 1_000


@dataclass(frozen=True)
class TrainingData:
    """The examples to train on and the passages that select the best weights.

    Attributes:
        groups: The training examples of each passage.
        dev: Passages whose score selects the weights to keep.
    """

    groups: list[list[TrainingExample]]
    dev: list[Passage]

    @property
    def questions(self) -> int:
        """The number of training examples."""
        return sum(map(len, self.groups))

    def without_long_questions(self, max_tokens: int) -> "TrainingData":
        """Leave out the examples whose question has more than ``max_tokens`` tokens."""
        short = [
            [example for example in group if len(example.tokens) <= max_tokens]
            for group in self.groups
        ]
        return replace(self, groups=[group for group in short if group])


def load_training_data(
    recipe: Recipe,
    folder: Path | None,
    tokenizer: Tokenizer,
    cache: Path,
    on_progress: ProgressCallback,
) -> TrainingData:
    """Load everything that a recipe trains on and is evaluated on during training.

    Args:
        recipe: The recipe; its ``data`` section names files and numbers of synthetic passages.
        folder: The folder of the data files; not needed for synthetic data alone.
        tokenizer: The tokenizer of the model to train.
        cache: The folder in which derivations are cached.
        on_progress: Called while derivations are searched and passages are tokenized.

    Raises:
        RecipeError: The recipe names an unknown question kind.
        DataError: A file is missing or malformed, or there is no question to train on.
    """
    settings = recipe.data
    for kind in settings.kinds:
        if kind not in KINDS:
            raise RecipeError(
                f"There is no question kind {kind!r}.", hint=did_you_mean(kind, KINDS)
            )
    groups: list[list[TrainingExample]] = []
    if settings.synthetic:
        groups += [
            _make_examples(synthetic.passage, synthetic.supervision, tokenizer, recipe)
            for synthetic in make_synthetic(recipe.train.seed, settings.synthetic)
        ]
    if settings.train:
        passages = training_passages(settings, folder)
        groups += _file_examples(recipe, passages, tokenizer, cache, on_progress)
    if settings.dev:
        dev = dev_passages(settings, folder)
    else:
        seed = _DEV_SEED + recipe.train.seed
        synthetic_dev = make_synthetic(seed, _DEV_PASSAGES, names="unseen")
        dev = [synthetic.passage for synthetic in synthetic_dev]
    if not any(groups):
        raise DataError(
            "The recipe has no question to train on.",
            hint="Set data.train to a file with answers, or data.synthetic to some passages.",
        )
    groups += _repeats(groups, settings)
    return TrainingData([group for group in groups if group], dev)


def training_passages(settings: DataSettings, folder: Path | None) -> list[Passage]:
    """The passages of the training file with all their questions, selected or not.

    Raises:
        DataError: No folder was given, or the file is missing or malformed.
    """
    passages = load_split(_path(folder, settings.train), limit=settings.limit)
    return [augment(passage) for passage in passages] if settings.augment else passages


def dev_passages(settings: DataSettings, folder: Path | None) -> list[Passage]:
    """The passages of the dev file with the questions that are scored.

    Raises:
        DataError: No folder was given, or the file is missing or malformed.
    """
    passages = load_split(_path(folder, settings.dev), limit=settings.dev_limit)
    return questions_to_score(passages, all_questions=not settings.kinds)


def is_selected(question: Question, settings: DataSettings) -> bool:
    """Whether a recipe trains on a question, if the question has a derivation."""
    if settings.kinds and question.kind not in settings.kinds:
        return False
    if question.kind != "add-sub" or not settings.operations:
        return True
    return operation_of(question.text) in settings.operations


def synthetic_texts(recipe: Recipe) -> Iterator[str]:
    """The texts from which an encoder from scratch learns its vocabulary."""
    count = min(recipe.data.synthetic, _VOCABULARY_PASSAGES)
    for synthetic in make_synthetic(recipe.train.seed, count):
        yield synthetic.passage.text
        yield from (question.text for question in synthetic.passage.questions)


def _repeats(
    groups: Sequence[Sequence[TrainingExample]], settings: DataSettings
) -> list[list[TrainingExample]]:
    """Further copies of the examples that are trained on more than once an epoch.

    Each round of copies is grouped by passage, so that a passage is encoded once for all of them.
    """

    def copies(example: TrainingExample) -> int:
        arithmetic = settings.repeat_three_operand if example.has_three_operands else 1
        comparison = settings.repeat_comparison if example.question.kind in COMPARISONS else 1
        return max(arithmetic, comparison)

    rounds = range(1, max(settings.repeat_three_operand, settings.repeat_comparison))
    return [
        [example for example in group if copies(example) > number]
        for number in rounds
        for group in groups
    ]


def _path(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise DataError(
            f"The recipe needs {name}, but no data folder was given.",
            hint="Give the folder with --data DIR or in the variable WORKINGS_DATA.",
        )
    return folder / name


def _file_examples(
    recipe: Recipe,
    passages: list[Passage],
    tokenizer: Tokenizer,
    cache: Path,
    on_progress: ProgressCallback,
) -> list[list[TrainingExample]]:
    if not recipe.loss.use_evidence:
        passages = [without_evidence(passage) for passage in passages]
    to_derive = passages
    if not recipe.loss.use_kinds:
        to_derive = [without_kinds(passage) for passage in passages]
    supervision = supervise_all(
        to_derive,
        cache=cache,
        progress=lambda done, total: on_progress("Deriving programs", done, total),
    )
    groups = []
    for done, passage in enumerate(passages, 1):
        groups.append(_make_examples(passage, supervision, tokenizer, recipe))
        on_progress("Tokenizing", done, len(passages))
    return groups


def _make_examples(
    passage: Passage, supervision: Mapping[str, Supervision], tokenizer: Tokenizer, recipe: Recipe
) -> list[TrainingExample]:
    examples = make_examples(
        passage, supervision, tokenizer, recipe.modules, use_evidence=recipe.loss.use_evidence
    )
    selected = [example for example in examples if is_selected(example.question, recipe.data)]
    return mask_shared_words(selected, recipe.data.word_mask_rate, tokenizer)
