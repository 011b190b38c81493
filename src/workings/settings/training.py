"""What a network is trained on, towards what, and how."""

from typing import Literal

from pydantic import Field

from workings.settings.base import Settings


class DataSettings(Settings):
    train: str = Field(
        "",
        description="Training file, relative to the data folder; empty trains on the made world.",
    )
    dev: str = Field("", description="File that chooses the best weights.")
    synthetic: int = Field(
        0, ge=0, description="Made passages to train on (alone, or before the data)."
    )
    kinds: tuple[str, ...] = Field(
        (), description="Question kinds to train on; empty means all questions."
    )
    operations: tuple[Literal["add", "sub"], ...] = Field(
        (), description="Which add-sub questions to train on; empty means all of them."
    )
    augment: bool = Field(
        True, description="Add swapped and flipped date comparisons to the training questions."
    )
    repeat_three_operand: int = Field(
        1, ge=1, description="How often a question of three numbers is trained on."
    )
    repeat_comparison: int = Field(
        1, ge=1, description="How often one that compares dates or numbers is."
    )
    limit: int = Field(
        0, ge=0, description="Train on so many passages, from all over the file; 0 means all."
    )
    dev_limit: int = Field(0, ge=0, description="The same for the passages that choose.")
    word_mask_rate: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of the words of both passage and questions to train on as unknown.",
    )


class LossSettings(Settings):
    execution: float = Field(1.0, ge=0, description="Weight of all supervision of single steps.")
    question_attention: float = Field(
        1.0, ge=0, description="Within it, that of asking about a comparison's own two events."
    )
    window: float = Field(0.0, ge=0, description="Weight of the paper's window loss on groundings.")
    window_size: int = Field(15, ge=1, description="Window of that loss in pieces.")
    distillation: float = Field(10.0, ge=0, description="Weight of giving the teacher's vectors.")
    hard_em: bool = Field(False, description="Train only on the likeliest derivation (hard EM).")
    use_evidence: bool = Field(
        True, description="Let evidence narrow the derivations; otherwise marginalise over all."
    )
    use_kinds: bool = Field(
        True, description="Let a question's kind say by which programs it can be answered."
    )


class TrainSettings(Settings):
    seed: int = Field(1, description="Of all that is drawn at random.")
    epochs: float = Field(4.0, gt=0, description="How often the questions are gone through.")
    questions_per_group: int = Field(8, ge=1, description="Questions of one passage read together.")
    passages_per_group: int = Field(
        1, ge=1, description="Passages read together; many pay where the encoder is small."
    )
    groups_per_step: int = Field(4, ge=1, description="Such groups to one step of the optimiser.")
    lr_encoder: float = Field(5e-5, ge=0, description="Peak learning rate of pretrained weights.")
    lr_modules: float = Field(
        5e-4, gt=0, description="Peak learning rate of new_parameters weights."
    )
    lr_small: float = Field(
        1e-2,
        gt=0,
        description="The same for new_parameters weights of few entries: biases, shares, costs.",
    )
    warmup: float = Field(0.03, ge=0, lt=1, description="Share of the steps spent warming up.")
    final_lr_share: float = Field(
        0.0, ge=0, le=1, description="Rate at the end as a share of the peak."
    )
    weight_decay: float = Field(0.01, ge=0, description="Weight decay on matrices.")
    max_grad_norm: float = Field(1.0, gt=0, description="Largest norm of the gradient.")
    ema_decay: float = Field(
        0.999,
        ge=0,
        lt=1,
        description="Decay of the running average of the weights; 0 switches it off.",
    )
    evaluate_every: int = Field(500, ge=1, description="Optimiser steps between dev scores.")
    checkpoint_minutes: float = Field(5.0, gt=0, description="Minutes between checkpoints.")
    patience: int = Field(
        0, ge=0, description="Dev scores without a best one before stopping; 0 never stops early."
    )
    cache_gb: float = Field(
        0.0, ge=0, description="Disk for cached outputs of the frozen layers; 0 caches nothing."
    )
    precision: Literal["no", "bf16"] = Field(
        "no", description="The transformer in bfloat16: on GPUs, and on CPUs that multiply in it."
    )
