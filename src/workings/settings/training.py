"""Settings of training: data, loss and optimisation."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from workings.settings.base import Settings


class TrainingSource(Settings):
    """A file of training questions, and how often it is used."""

    file: str = Field(description="The file, relative to the data folder.")
    weight: float = Field(
        1.0,
        gt=0,
        description="Passes over the file per epoch. With 0.5, every other epoch uses a passage; "
        "with 2, every epoch uses it twice.",
    )
    passages: int = Field(0, ge=0, description="Passages to use, spread over the file; 0 uses all.")
    hold_out: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of the titles that are not trained on, so that `dev` can use them.",
    )


class DevSource(Settings):
    """A file of dev questions."""

    file: str = Field(description="The file, relative to the data folder.")
    passages: int = Field(0, ge=0, description="Passages to use, spread over the file; 0 uses all.")
    held_out: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Use only the passages that a training source with this `hold_out` leaves out; "
        "0 uses all.",
    )


def _read_files(value: Any) -> Any:
    """Read file names as tables: ``"train.json.gz"`` is ``[{file = "train.json.gz"}]``."""
    entries = [value] if isinstance(value, str) and value else value or ()
    if not isinstance(entries, list | tuple):
        return entries
    return tuple({"file": entry} if isinstance(entry, str) else entry for entry in entries)


TrainingSources: TypeAlias = Annotated[tuple[TrainingSource, ...], BeforeValidator(_read_files)]
DevSources: TypeAlias = Annotated[tuple[DevSource, ...], BeforeValidator(_read_files)]


class DataSettings(Settings):
    """The questions to train on and those that select the best weights."""

    sources: TrainingSources = Field(
        (),
        description="Training files: a list of tables with `file`, `weight` (passes per epoch), "
        "`passages` (0 for all) and `hold_out` (share of titles left out), or a file name. None "
        "trains on synthetic data alone. `train` is another name for it.",
    )
    dev: DevSources = Field(
        (),
        description="Dev files: a list of tables with `file`, `passages` (0 for all) and "
        "`held_out` (use the titles that this `hold_out` leaves out), or a file name. The mean of "
        "the files' F1 selects the best weights; none uses synthetic passages.",
    )
    synthetic: int = Field(
        0, ge=0, description="Number of synthetic passages to train on, besides the training files."
    )
    kinds: tuple[str, ...] = Field(
        (), description="Question kinds to train on; all questions if empty."
    )
    operations: tuple[Literal["add", "sub"], ...] = Field(
        (), description="Operations of the add-sub questions to train on; both if empty."
    )
    augment: bool = Field(
        True, description="Add copies of date comparisons with events swapped or sense reversed."
    )
    repeat_three_operand: int = Field(
        1, ge=1, description="Times per epoch that a question with three or more operands is used."
    )
    repeat_comparison: int = Field(
        1, ge=1, description="Times per epoch that a comparison of dates or numbers is used."
    )
    repeat_types: dict[str, Annotated[int, Field(ge=1)]] = Field(
        {}, description="Times per epoch that the questions of some types are used, by type."
    )
    repeat_asks: int = Field(
        1,
        ge=1,
        description="Times per epoch that a question with annotated words (`asks`) is used.",
    )
    unanswerable: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Unanswerable questions to make from answerable ones, as a share of the "
        "questions of each passage.",
    )
    limit: int = Field(
        0,
        ge=0,
        description="Largest number of training passages of each file, spread over it; 0 uses all.",
    )
    dev_limit: int = Field(
        0,
        ge=0,
        description="Largest number of dev passages of each file, spread over it; 0 uses all.",
    )
    word_mask_rate: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of the words common to passage and questions that become unknown "
        "tokens.",
    )

    @model_validator(mode="before")
    @classmethod
    def _read_train(cls, settings: Any) -> Any:
        """Read ``train``, the name of a single training file in earlier models."""
        if not isinstance(settings, dict) or "train" not in settings or "sources" in settings:
            return settings
        return {("sources" if name == "train" else name): settings[name] for name in settings}


class LossSettings(Settings):
    """The weights of the parts of the loss."""

    execution: float = Field(1.0, ge=0, description="Weight of the supervision of single steps.")
    question_attention: float = Field(
        1.0,
        ge=0,
        description="Weight, within `execution`, of question attention on the words that ask for "
        "the result of each step.",
    )
    window: float = Field(
        0.0, ge=0, description="Weight of the paper's window loss on groundings; 0 for none."
    )
    window_size: int = Field(15, ge=1, description="Window of that loss, in tokens.")
    distillation: float = Field(
        10.0, ge=0, description="Weight of the distance from the teacher's token vectors."
    )
    hard_em: bool = Field(
        False,
        description="Train on the likeliest program of each question (hard EM) instead of the sum "
        "over its programs.",
    )
    use_evidence: bool = Field(
        True, description="Restrict programs and supervise steps by the evidence in the data."
    )
    use_kinds: bool = Field(True, description="Restrict programs by the kind of the question.")


class TrainSettings(Settings):
    """The optimiser, the batches, and the schedule of evaluations and checkpoints."""

    seed: int = Field(1, description="Random seed.")
    epochs: float = Field(4.0, gt=0, description="Passes over the training questions.")
    questions_per_group: int = Field(
        8, ge=1, description="Largest number of questions per passage in a group."
    )
    passages_per_group: int = Field(
        1, ge=1, description="Passages in a group; use several with a small encoder."
    )
    groups_per_step: int = Field(4, ge=1, description="Groups per optimiser step.")
    lr_encoder: float = Field(
        5e-5, ge=0, description="Peak learning rate of the pretrained encoder."
    )
    lr_modules: float = Field(5e-4, gt=0, description="Peak learning rate of new parameters.")
    lr_small: float = Field(
        1e-2,
        gt=0,
        description="Peak learning rate of new parameters with at most 64 entries, such as biases.",
    )
    warmup: float = Field(0.03, ge=0, lt=1, description="Share of the steps used for warm-up.")
    final_lr_share: float = Field(
        0.0, ge=0, le=1, description="Learning rate after the last step, as a share of the peak."
    )
    weight_decay: float = Field(0.01, ge=0, description="Weight decay of matrices.")
    max_grad_norm: float = Field(1.0, gt=0, description="Norm at which gradients are clipped.")
    ema_decay: float = Field(
        0.999,
        ge=0,
        lt=1,
        description="Decay of the exponential moving average of the weights; 0 uses the weights "
        "themselves.",
    )
    evaluate_every: int = Field(500, ge=1, description="Optimiser steps between evaluations.")
    checkpoint_minutes: float = Field(5.0, gt=0, description="Minutes between checkpoints.")
    patience: int = Field(
        0,
        ge=0,
        description="Evaluations without improvement after which training stops; 0 never stops "
        "early.",
    )
    cache_gb: float = Field(
        0.0, ge=0, description="Disk space for outputs of the frozen layers; 0 does not cache them."
    )
    precision: Literal["no", "bf16"] = Field(
        "no",
        description="Mixed precision of the transformer: none, or bfloat16 on processors that "
        "support it.",
    )
