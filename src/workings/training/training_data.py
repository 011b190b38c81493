"""The data of a training run: examples from files and synthetic data, and dev passages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tokenizers import Tokenizer

from workings.data.augment import augment
from workings.data.held_out import is_held_out
from workings.data.kinds import load_split, operation_of
from workings.data.records import (
    COMPARISONS,
    KINDS,
    QUESTION_TYPES,
    Passage,
    Question,
    without_evidence,
    without_kinds,
)
from workings.data.unanswerable import add_unanswerable
from workings.errors import DataError, RecipeError, did_you_mean
from workings.evaluation.prediction import questions_to_score
from workings.progress import ProgressCallback
from workings.settings import DataSettings, Recipe, TrainingSource
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
        dev: Passages whose mean score selects the weights to keep, by the name of their file.
        weights: How often each group is used per epoch; None for once.
    """

    groups: list[list[TrainingExample]]
    dev: dict[str, list[Passage]]
    weights: list[float] | None = None

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
        return _without_empty(short, self.dev, self.weights or [1.0] * len(short))


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
        RecipeError: The recipe names an unknown kind or type of question.
        DataError: A file is missing or malformed, or there is no question to train on.
    """
    settings = recipe.data
    _check_names("kind", settings.kinds, KINDS)
    _check_names("type", settings.repeat_types, QUESTION_TYPES)
    groups: list[list[TrainingExample]] = []
    if settings.synthetic:
        groups += [
            _make_examples(synthetic.passage, synthetic.supervision, tokenizer, recipe)
            for synthetic in make_synthetic(recipe.train.seed, settings.synthetic)
        ]
    weights = [1.0] * len(groups)
    for source in training_passages(recipe, folder):
        groups += _file_examples(recipe, source.passages, tokenizer, cache, on_progress)
        weights += [source.weight] * len(source.passages)
    if not any(groups):
        raise DataError(
            "The recipe has no question to train on.",
            hint="Set data.sources to files with answers, or data.synthetic to some passages.",
        )
    repeats = _repeats(groups, settings)
    weights *= 1 + len(repeats) // len(groups)
    dev = dev_passages(settings, folder) if settings.dev else _synthetic_dev(recipe.train.seed)
    return _without_empty([*groups, *repeats], dev, weights)


@dataclass(frozen=True)
class SourcePassages:
    """The passages of a training file, and how often they are used per epoch."""

    passages: list[Passage]
    weight: float


def training_passages(recipe: Recipe, folder: Path | None) -> list[SourcePassages]:
    """The passages of each training file with all their questions, selected or not.

    Raises:
        DataError: No folder was given, or a file is missing or malformed.
    """
    return [
        SourcePassages(_source_passages(recipe, source, folder), source.weight)
        for source in recipe.data.sources
    ]


def dev_passages(settings: DataSettings, folder: Path | None) -> dict[str, list[Passage]]:
    """The passages of each dev file with the questions that are scored, by the file's name.

    Raises:
        DataError: No folder was given, or a file is missing or malformed.
    """
    scored: dict[str, list[Passage]] = {}
    for source in settings.dev:
        held_out = partial(is_held_out, share=source.held_out) if source.held_out else None
        limit = _smaller_limit(source.passages, settings.dev_limit)
        passages = load_split(_path(folder, source.file), limit=limit, keep=held_out)
        selected = questions_to_score(passages, all_questions=not settings.kinds)
        scored.setdefault(source.file, []).extend(selected)
    return scored


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


def _source_passages(recipe: Recipe, source: TrainingSource, folder: Path | None) -> list[Passage]:
    settings = recipe.data

    def is_trained_on(passage: Passage) -> bool:
        return not is_held_out(passage, source.hold_out)

    passages = load_split(
        _path(folder, source.file),
        limit=_smaller_limit(source.passages, settings.limit),
        keep=is_trained_on if source.hold_out else None,
    )
    if settings.augment:
        passages = [augment(passage) for passage in passages]
    return add_unanswerable(passages, settings.unanswerable, recipe.train.seed)


def _synthetic_dev(seed: int) -> dict[str, list[Passage]]:
    made = make_synthetic(_DEV_SEED + seed, _DEV_PASSAGES, names="unseen")
    return {"synthetic": [synthetic.passage for synthetic in made]}


def _check_names(what: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise RecipeError(
                f"There is no question {what} {name!r}.", hint=did_you_mean(name, known)
            )


def _smaller_limit(first: int, second: int) -> int:
    """The smaller of two limits, of which 0 means none."""
    return min(filter(None, (first, second)), default=0)


def _without_empty(
    groups: Sequence[list[TrainingExample]],
    dev: dict[str, list[Passage]],
    weights: Sequence[float],
) -> TrainingData:
    """Leave out the groups without examples, and the weights if all are 1."""
    used = [(group, weight) for group, weight in zip(groups, weights, strict=True) if group]
    is_plain = all(weight == 1 for _, weight in used)
    return TrainingData(
        [group for group, _ in used], dev, None if is_plain else [weight for _, weight in used]
    )


def _repeats(
    groups: Sequence[Sequence[TrainingExample]], settings: DataSettings
) -> list[list[TrainingExample]]:
    """Further copies of the examples that are trained on more than once an epoch.

    Each round of copies is grouped by passage, so that a passage is encoded once for all of them.
    """
    types = settings.repeat_types
    of_any_type = (settings.repeat_three_operand, settings.repeat_comparison, settings.repeat_asks)
    most = max(*of_any_type, *types.values())

    def copies(example: TrainingExample) -> int:
        arithmetic = settings.repeat_three_operand if example.has_three_operands else 1
        comparison = settings.repeat_comparison if example.question.kind in COMPARISONS else 1
        asks = settings.repeat_asks if example.question.asks else 1
        return max(arithmetic, comparison, asks, types.get(example.question.type or "", 1))

    return [
        [example for example in group if copies(example) > number]
        for number in range(1, most)
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
