"""The training loop: one way from a recipe to weights, which the same command resumes."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from workings.checkpoint.model_folder import (
    is_model,
    load_model,
    load_model_encoder,
    save,
    shipped_model,
)
from workings.encoder.cache import ActivationCache
from workings.encoder.pretrained import load_encoder
from workings.encoder.scratch import scratch_encoder
from workings.encoder.transformer import Encoder
from workings.errors import RecipeError
from workings.evaluation.prediction import score_model
from workings.peers import Model, make_model
from workings.progress import ProgressCallback, no_progress
from workings.score import Report
from workings.settings import SCRATCH, SHIPPED, Recipe
from workings.training.batches import Order, portions
from workings.training.counter_pretraining import counter_of, pretrain_counter
from workings.training.curves import draw_curves
from workings.training.distillation import Teacher
from workings.training.examples import TrainingExample
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser
from workings.training.processes import Processes
from workings.training.sources import Sources, load_sources, synthetic_texts
from workings.training.training_run import TrainingRun

_GIGABYTE = 1e9
_LOG_EVERY = 20
# Entries of one kind that the trained layers keep for the way back; each layer keeps some thirty
# kinds. Six questions over an ordinary paragraph are fewer; over a long one they take turns.
_KEPT = 12_000_000


def train(
    recipe: Recipe, out: Path, data: Path | None, cache: Path | None, watch: ProgressCallback
) -> Path:
    """Train by a recipe, from where the run in ``out`` stands; gives the best weights' folder."""
    processes = Processes()
    run = TrainingRun(out, recipe)
    if processes.main:
        run.open()
    else:
        watch = no_progress  # one process among many tells how far they are
    processes.wait()
    torch.manual_seed(recipe.train.seed)
    model = build_model(recipe).to(processes.device)
    if recipe.modules.counter_pretrain_steps and run.kept is None:
        pretrain_counter(
            counter_of(model), recipe.modules.counter_pretrain_steps, recipe.train.seed, watch
        )
    model.encoder.bf16 = recipe.train.precision == "bf16"
    shelf = cache or out / "cache"
    sources = load_sources(recipe, data, model.tokenizer, shelf / "derivations", watch)
    sources = sources.readable(model.encoder.longest)
    if recipe.train.cache_gb:
        model.encoder.cache = ActivationCache(
            shelf / "activations",
            model.encoder.fingerprint,
            recipe.encoder.frozen,
            recipe.train.cache_gb * _GIGABYTE,
        )
    Trainer(model, run, sources, processes, watch).go()
    return run.best


def find_teacher(recipe: Recipe, student: Model) -> Teacher | None:
    """The model that a recipe lets teach another, if it names one."""
    if not recipe.teacher:
        return None
    if recipe.model != "modules":
        hint = "Leave out `teacher`, or train a model of modules."
        message = f"A {recipe.model} cannot be taught, only a network of modules."
        raise RecipeError(message, hint=hint)
    return Teacher.of(load_model(_named(recipe.teacher)), student)


def build_model(recipe: Recipe) -> Model:
    """A model to begin with: from a trained folder, or on a pretrained encoder."""
    if recipe.start:
        return load_model(_named(recipe.start), recipe=recipe)
    if recipe.encoder.source == SCRATCH:
        return make_model(recipe, *_from_scratch(recipe))
    if is_model(trained := _named(recipe.encoder.source)):
        return make_model(recipe, *load_model_encoder(trained, recipe.encoder))
    return make_model(recipe, *load_encoder(recipe.encoder))


def _from_scratch(recipe: Recipe) -> tuple[Encoder, Tokenizer]:
    if not recipe.data.synthetic:
        hint = "Set data.synthetic to a number of passages, or name a pretrained encoder."
        message = "An encoder from scratch learns its words from the made world."
        raise RecipeError(message, hint=hint)
    if recipe.encoder.frozen:
        hint = "Set encoder.frozen=0."
        raise RecipeError("An encoder from scratch has nothing yet to be frozen.", hint=hint)
    return scratch_encoder(recipe.encoder, synthetic_texts(recipe))


def _named(source: str) -> Path:
    """The folder of a trained model, which may be the one that is shipped."""
    return shipped_model() if source == SHIPPED else Path(source)


class Trainer:
    """A model on its way through a run."""

    def __init__(
        self,
        model: Model,
        run: TrainingRun,
        sources: Sources,
        processes: Processes,
        watch: ProgressCallback,
    ) -> None:
        self.model, self.run, self.sources = model, run, sources
        self.processes, self.watch = processes, watch
        self.teacher = find_teacher(run.recipe, model)
        self.settings = settings = run.recipe.train
        self.order = Order(settings.questions_per_group, settings.seed, settings.passages_per_group)
        groups = self.order.length(sources.groups)
        self.steps = max(1, round(settings.epochs * groups / settings.groups_per_step))
        self.optimiser = Optimiser(model, settings, self.steps)
        run.resume(self.optimiser)
        if not processes.main:  # dropout must differ between processes
            torch.manual_seed(self.settings.seed + 7919 * processes.rank + run.progress.step)

    def go(self) -> None:
        progress, began, saved = self.run.progress, time.monotonic(), time.monotonic()
        before = progress.seconds
        groups = self.order.endless(self.sources.groups, progress.group)
        while progress.step < self.steps and not self._patience_ends():
            parts = self._step(groups)
            progress.seconds = before + time.monotonic() - began
            if self.processes.main and (progress.step == 1 or progress.step % _LOG_EVERY == 0):
                self.run.log(**parts, processes=self.processes.world)
            if progress.step % self.settings.evaluate_every == 0 or progress.step == self.steps:
                self._evaluate()
            if time.monotonic() - saved > 60 * self.settings.checkpoint_minutes:
                self._save()
                saved = time.monotonic()
            self.watch("Training", progress.step, self.steps)
        self._save()

    def _save(self) -> None:
        if self.processes.main:
            self.run.save(self.optimiser)

    def _step(self, groups: Iterator[tuple[int, Sequence[TrainingExample]]]) -> dict[str, float]:
        """One update from several groups of questions; every question counts alike."""
        self.model.train()
        some = [next(groups) for _ in range(self.settings.groups_per_step)]
        asked = sum(len(group) for _, group in some)
        parts: dict[str, float] = {}
        for _, group in self.processes.share(some):
            for portion in self._portions(group):
                loss = batch_loss(self.model, portion, self.run.recipe.loss, self.teacher)
                torch.autograd.backward(loss.total * (len(portion) / asked))
                for name, value in loss.parts.items():
                    parts[name] = parts.get(name, 0.0) + value * len(portion) / asked
            for example in group:  # thousands of passages with all their supports fill a memory
                example.passage.forget()
        self.processes.add_up(self.optimiser.named.values())
        parts = self.processes.add_up_parts(parts)
        parts["norm"] = self.optimiser.step(self.run.progress.step)
        progress = self.run.progress
        progress.step += 1
        progress.group = some[-1][0] + 1
        progress.questions += asked
        return parts

    def _portions(self, group: Sequence[TrainingExample]) -> list[Sequence[TrainingExample]]:
        """A group as it fits into memory; their gradients add up to the same."""
        encoder = self.model.encoder
        trained = len(encoder.layers) - encoder.settings.below
        most = _KEPT // (encoder.width * max(1, trained))
        return portions(group, [len(one.tokens) + len(one.passage) for one in group], most)

    def _evaluate(self) -> None:
        """Score the averaged weights on dev, and keep them if they are the best so far."""
        self.optimiser.swap()
        progress = self.run.progress
        report = score_model(self.model, self.sources.dev)
        f1 = report.overall.f1.mean
        progress.waited += 1
        better = f1 > progress.best
        if better:
            progress.best, progress.waited = f1, 0
        if self.processes.main:
            self._record(report)
            if better:
                save(self.model, self.run.best)
        self.optimiser.swap()

    def _record(self, report: Report) -> None:
        self.run.log(
            dev_f1=round(report.overall.f1.mean, 4),
            dev_em=round(report.overall.em.mean, 4),
            kinds={kind: round(score.f1.mean, 4) for kind, score in report.kinds.items()},
            types={name: round(score.f1.mean, 4) for name, score in report.types.items()},
            questions=self.run.progress.questions,
        )
        draw_curves(self.run.folder / "metrics.jsonl", self.run.folder / "curves.png")

    def _patience_ends(self) -> bool:
        return 0 < self.settings.patience <= self.run.progress.waited
