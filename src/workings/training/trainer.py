"""The training loop: from a recipe to the best weights; the same call resumes a stopped run."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import torch
from tokenizers import Tokenizer

from workings.checkpoint.config import is_model
from workings.checkpoint.model_folder import load_model, load_model_encoder, save, shipped_model
from workings.encoder.pretrained import load_encoder
from workings.encoder.scratch import scratch_encoder
from workings.encoder.transformer import Encoder
from workings.errors import RecipeError
from workings.evaluation.evaluating import evaluate
from workings.peers import Model, make_model
from workings.progress import ProgressCallback, no_progress
from workings.score import Report, Score
from workings.settings import SCRATCH, SHIPPED, Recipe
from workings.training.batches import GroupSampler, micro_batches
from workings.training.counter_pretraining import paper_count_module, pretrain_counter
from workings.training.curves import draw_curves
from workings.training.distillation import Teacher
from workings.training.examples import TrainingExample
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser
from workings.training.processes import Processes
from workings.training.training_data import TrainingData, load_training_data, synthetic_texts
from workings.training.training_run import TrainingRun

_BYTES_PER_GB = 1e9
_LOG_EVERY = 20  # steps
# The most entries (tokens × width × trained layers) of one activation in a micro-batch. A layer
# stores about thirty activations for the backward pass, so this bounds the memory of a step. Six
# questions on a paragraph of usual length stay below it; those on a long passage are split.
_MAX_ACTIVATION_ENTRIES = 12_000_000


def train(
    recipe: Recipe,
    out: Path,
    data: Path | None = None,
    cache: Path | None = None,
    on_progress: ProgressCallback = no_progress,
) -> Path:
    """Train a model by a recipe, or resume the run in ``out`` from its last checkpoint.

    A resumed run ends with the same weights as a run that was never stopped.

    Args:
        recipe: All settings of the model and its training.
        out: The folder of the run: checkpoints, metrics, learning curves, best weights.
        data: The folder of the data files; not needed for synthetic data alone.
        cache: The folder for derivations and frozen activations, which runs may share; by default
            ``out/cache``.
        on_progress: Called after each step.

    Returns:
        The model folder of the weights with the best dev F1.

    Raises:
        RecipeError: The settings cannot be combined, or name something unknown.
        DataError: The data are missing or malformed.
        CheckpointError: ``out`` belongs to another recipe, or a checkpoint cannot be read or
            written.
    """
    processes = Processes()
    run = TrainingRun(out, recipe)
    if processes.is_main:
        run.open()
    else:
        on_progress = no_progress  # only one process shows progress
    processes.wait()
    torch.manual_seed(recipe.train.seed)
    model = build_model(recipe).to(processes.device)
    pretrain_steps = recipe.modules.counter_pretrain_steps
    if pretrain_steps and run.last_checkpoint is None:
        counter = paper_count_module(model)
        pretrain_counter(counter, pretrain_steps, recipe.train.seed, on_progress)
    model.encoder.set_precision(recipe.train.precision)
    cache = cache or out / "cache"
    training_data = load_training_data(
        recipe, data, model.tokenizer, cache / "derivations", on_progress
    ).without_long_questions(model.encoder.max_question_tokens)
    if recipe.train.cache_gb:
        limit_bytes = recipe.train.cache_gb * _BYTES_PER_GB
        model.encoder.cache_frozen(cache / "activations", limit_bytes)
    Trainer(model, run, training_data, processes, on_progress).train()
    return run.best


def build_model(recipe: Recipe) -> Model:
    """Build the model that training starts from.

    Args:
        recipe: Its ``start`` names a trained model to continue from; otherwise ``encoder.source``
            names a pretrained encoder, a trained model whose encoder is used, or ``scratch``.

    Raises:
        RecipeError: The recipe's settings do not fit an encoder from scratch, or the source is
            unknown.
        CheckpointError: The named model cannot be read.
    """
    if recipe.start:
        return load_model(_model_folder(recipe.start), recipe=recipe)
    if recipe.encoder.source == SCRATCH:
        return make_model(recipe, *_encoder_from_scratch(recipe))
    if is_model(trained := _model_folder(recipe.encoder.source)):
        return make_model(recipe, *load_model_encoder(trained, recipe.encoder))
    return make_model(recipe, *load_encoder(recipe.encoder))


def load_teacher(recipe: Recipe, student: Model) -> Teacher | None:
    """Load the teacher for distillation, if the recipe names one.

    Raises:
        RecipeError: The recipe's model is a peer, or the teacher's encoder does not fit.
        CheckpointError: The teacher cannot be read.
    """
    if not recipe.teacher:
        return None
    if recipe.model != "modules":
        raise RecipeError(
            f"Distillation needs a network of modules, not {recipe.model}.",
            hint='Remove `teacher` from the recipe, or set model="modules".',
        )
    return Teacher.from_model(load_model(_model_folder(recipe.teacher)), student)


def _encoder_from_scratch(recipe: Recipe) -> tuple[Encoder, Tokenizer]:
    if not recipe.data.synthetic:
        raise RecipeError(
            "An encoder from scratch learns its vocabulary from synthetic data.",
            hint="Set data.synthetic to a number of passages, or name a pretrained encoder.",
        )
    if recipe.encoder.frozen:
        raise RecipeError(
            "An encoder from scratch cannot have frozen layers.", hint="Set encoder.frozen=0."
        )
    return scratch_encoder(recipe.encoder, synthetic_texts(recipe))


def _model_folder(source: str) -> Path:
    """The folder of a trained model; ``shipped`` is the one in the package."""
    return shipped_model() if source == SHIPPED else Path(source)


class Trainer:
    """Trains a model for the steps of its recipe, with evaluations and checkpoints.

    Args:
        model: The model; its weights change in place.
        run: The folder of the run, which is resumed if it has a checkpoint.
        data: The examples to train on and the dev passages.
        processes: The processes that share the work.
        on_progress: Called after each step.

    Raises:
        RecipeError: The recipe's teacher does not fit the model.
        CheckpointError: The checkpoint or the teacher cannot be read.
    """

    def __init__(
        self,
        model: Model,
        run: TrainingRun,
        data: TrainingData,
        processes: Processes,
        on_progress: ProgressCallback,
    ) -> None:
        self.model, self.run, self.data = model, run, data
        self.processes, self.on_progress = processes, on_progress
        self.teacher = load_teacher(run.recipe, model)
        self.settings = settings = run.recipe.train
        self.sampler = GroupSampler(
            settings.questions_per_group, settings.seed, settings.passages_per_group
        )
        groups = self.sampler.groups_per_epoch(data.groups, data.weights)
        self.steps = max(1, round(settings.epochs * groups / settings.groups_per_step))
        self.optimiser = Optimiser(model, settings, self.steps)
        run.resume(self.optimiser)
        if not processes.is_main:  # processes need different dropout
            torch.manual_seed(self.settings.seed + 7919 * processes.rank + run.progress.step)

    def train(self) -> None:
        """Take the remaining steps, or stop early when the dev score no longer improves.

        Raises:
            CheckpointError: A checkpoint or the metrics cannot be written.
        """
        progress, settings = self.run.progress, self.settings
        started = last_save = time.monotonic()
        seconds_before = progress.seconds
        groups = self.sampler.iterate(self.data.groups, progress.next_group, self.data.weights)
        while progress.step < self.steps and not self._stops_early():
            parts = self._step(groups)
            progress.seconds = seconds_before + time.monotonic() - started
            if self.processes.is_main and (progress.step == 1 or progress.step % _LOG_EVERY == 0):
                self.run.log(**parts, processes=self.processes.world_size)
            if progress.step % settings.evaluate_every == 0 or progress.step == self.steps:
                self._evaluate()
            if time.monotonic() - last_save > 60 * settings.checkpoint_minutes:
                self._save_checkpoint()
                last_save = time.monotonic()
            self.on_progress("Training", progress.step, self.steps)
        self._save_checkpoint()

    def _step(self, groups: Iterator[tuple[int, Sequence[TrainingExample]]]) -> dict[str, float]:
        """Take one optimiser step on several groups; every question has the same weight.

        Returns:
            The parts of the loss and the norm of the gradient.
        """
        self.model.train()
        batch = [next(groups) for _ in range(self.settings.groups_per_step)]
        questions = sum(len(group) for _, group in batch)
        parts: dict[str, float] = {}
        for _, group in self.processes.shard(batch):
            for examples in self._micro_batches(group):
                loss = batch_loss(self.model, examples, self.run.recipe.loss, self.teacher)
                torch.autograd.backward(loss.total * (len(examples) / questions))
                for name, value in loss.parts.items():
                    parts[name] = parts.get(name, 0.0) + value * len(examples) / questions
            for example in group:  # the supports of thousands of passages would fill the memory
                example.passage.clear_cache()
        self.processes.sum_gradients(self.optimiser.parameters.values())
        parts = self.processes.sum_loss_parts(parts)
        progress = self.run.progress
        parts["norm"] = self.optimiser.step(progress.step)
        progress.step += 1
        progress.next_group = batch[-1][0] + 1
        progress.questions += questions
        return parts

    def _micro_batches(self, group: Sequence[TrainingExample]) -> list[Sequence[TrainingExample]]:
        """Split a group to fit into memory; the gradients of the parts add up to the same sum."""
        encoder = self.model.encoder
        trained_layers = len(encoder.layers) - encoder.settings.below
        max_tokens = _MAX_ACTIVATION_ENTRIES // (encoder.width * max(1, trained_layers))
        token_counts = [len(example.tokens) + len(example.passage) for example in group]
        return micro_batches(group, token_counts, max_tokens)

    def _evaluate(self) -> None:
        """Score the averaged weights on dev, and save them if they are the best so far."""
        self.optimiser.swap_ema()
        progress = self.run.progress
        reports = {
            name: evaluate(self.model, passages, all_questions=True).report
            for name, passages in self.data.dev.items()
        }
        f1 = fmean(report.overall.f1.mean for report in reports.values())
        progress.evaluations_since_best += 1
        improved = f1 > progress.best_f1
        if improved:
            progress.best_f1, progress.evaluations_since_best = f1, 0
        if self.processes.is_main:
            self._log_scores(reports)
            if improved:
                save(self.model, self.run.best)
        self.optimiser.swap_ema()

    def _log_scores(self, reports: Mapping[str, Report]) -> None:
        """Log the mean scores of the dev files, and the F1 of each file if there are several."""
        f1 = {name: round(report.overall.f1.mean, 4) for name, report in reports.items()}
        self.run.log(
            dev_f1=round(fmean(report.overall.f1.mean for report in reports.values()), 4),
            dev_em=round(fmean(report.overall.em.mean for report in reports.values()), 4),
            kinds=_mean_f1(report.kinds for report in reports.values()),
            types=_mean_f1(report.types for report in reports.values()),
            **({"sources": f1} if len(f1) > 1 else {}),
            questions=self.run.progress.questions,
        )
        draw_curves(self.run.metrics, self.run.folder / "curves.png")

    def _save_checkpoint(self) -> None:
        if self.processes.is_main:
            self.run.save(self.optimiser)

    def _stops_early(self) -> bool:
        return 0 < self.settings.patience <= self.run.progress.evaluations_since_best


def _mean_f1(groups: Iterable[Mapping[str, Score]]) -> dict[str, float]:
    """The mean F1 of each name over the reports that have it."""
    scores: dict[str, list[float]] = {}
    for group in groups:
        for name, score in group.items():
            scores.setdefault(name, []).append(score.f1.mean)
    return {name: round(fmean(values), 4) for name, values in scores.items()}
