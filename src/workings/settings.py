"""Recipes: one TOML file makes one model; every setting is declared here, with its meaning."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from workings.errors import RecipeError, did_you_mean
from workings.recipe_files import find_recipe, override, read_recipe

# Encoders that are found nowhere: one made anew, and that of the weights in the package.
SCRATCH, SHIPPED = "scratch", "shipped"


class Settings(BaseModel):
    """Frozen, and strict about names: a misspelt key is an error, not a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class EncoderSettings(Settings):
    source: str = Field(
        "minilm-l12",
        description="A folder of an encoder or of a trained model, a known name, a hub id, "
        "`shipped` or `scratch`.",
    )
    layers: int | None = Field(
        None, ge=1, le=128, description="Keep only this many of the lowest layers."
    )
    split: int = Field(
        0, ge=0, description="Layers that read passage and question apart; 0 reads them jointly."
    )
    frozen: int = Field(0, ge=0, description="Layers (and the embeddings) that are not trained.")
    skip: bool = Field(
        False, description="Add what enters the trained layers to what leaves them, mapped."
    )
    words: bool = Field(
        False,
        description="Add the question's plain word vectors to what leaves the layers, mapped.",
    )
    window: int = Field(
        448,
        ge=16,
        le=100_000,
        description="Passage pieces read at once; longer passages are read in windows.",
    )
    overlap: int = Field(96, ge=0, description="Pieces two neighbouring windows share.")
    echoes: bool = Field(
        False,
        description="Label passage words that stand in the question; for encoders from scratch.",
    )
    reach: bool = Field(
        False,
        description="Let each head prefer by learned distance; for encoders from scratch.",
    )
    width: int = Field(128, ge=8, le=16_384, description="Width of an encoder made from scratch.")
    heads: int = Field(4, ge=1, description="Attention heads of an encoder made from scratch.")
    vocabulary: int = Field(
        3000, ge=100, le=1_000_000, description="Words known to an encoder made from scratch."
    )
    dropout: float = Field(
        0.1, ge=0, lt=1, description="On the token vectors handed to the modules."
    )
    inner_dropout: float = Field(
        0.0, ge=0, lt=1, description="Inside the transformer; costs half the speed on a CPU."
    )

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.overlap >= self.window:
            raise ValueError("overlap must be smaller than window")
        if self.layers is not None and max(self.split, self.frozen) > self.layers:
            raise ValueError("split and frozen must not be larger than layers")
        if self.source == SCRATCH and self.width % self.heads:
            raise ValueError("width must be a multiple of heads")
        if self.echoes and self.frozen > self.split:
            raise ValueError("echoes join where reading is trained: frozen must not exceed split")
        if self.reach and self.frozen:
            raise ValueError("reach is learned in every layer: none can be frozen")
        return self


class ModuleSettings(Settings):
    similarity: Literal["trilinear", "bilinear"] = Field(
        "bilinear", description="How question and passage vectors are matched."
    )
    find: Literal["pooled", "tokens"] = Field(
        "pooled",
        description="Match the attended question as one vector, or token by token (paper).",
    )
    filter: Literal["token", "sentence"] = Field(
        "token", description="What a filter keeps or drops."
    )
    ground: Literal["pooled", "tokens"] = Field(
        "pooled",
        description="Trace the attended words to values as one vector, or token by token (paper).",
    )
    alpha_num: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Weight of the passage against the question in grounding numbers; 1 is all.",
    )
    alpha_date: float = Field(
        0.4, ge=0, le=1, description="The same for dates; the paper's best is 0.4."
    )
    nearness: bool = Field(
        True, description="Let grounding prefer values near the attended words by a learned bias."
    )
    features: bool = Field(
        True, description="Tell grounding the rank, size and unit of each number."
    )
    constants: bool = Field(True, description="Let 0, 1 and 100 be operands.")
    count: Literal["set", "gru"] = Field(
        "set",
        description="A probability per mention, totalled exactly; or the paper's counter.",
    )
    extreme: Literal["set", "draws"] = Field(
        "set", description="Largest of an uncertain set, or of a few draws (paper)."
    )
    draws: int = Field(
        5, ge=1, le=1_000, description="How many draws the paper's find-max-num takes."
    )
    difference: Literal["absolute", "ordered"] = Field(
        "absolute", description="Whether sub and time-diff ignore the order of their operands."
    )
    distinct: bool = Field(
        True, description="Let no mention of a value be taken twice in a sum or difference."
    )
    ties: Literal["share", "drop"] = Field(
        "share", description="What compare does with the mass of equal values."
    )
    span: Literal["whole", "text", "blind"] = Field(
        "whole",
        description="Weigh phrases as wholes; or their ends apart, by words or blindly (paper).",
    )
    largest_count: int = Field(
        20, ge=1, le=1_000, description="The largest count that can be answered."
    )


class ProgrammerSettings(Settings):
    width: int = Field(256, ge=8, le=16_384, description="Hidden size of the decoder.")
    embedding: int = Field(100, ge=4, le=16_384, description="Size of a production's vector.")
    steps: int = Field(12, ge=3, le=64, description="The longest program that is written.")
    beam: int = Field(4, ge=1, le=1_000, description="Programs kept while searching.")


class PeerSettings(Settings):
    operands: int = Field(
        2, ge=1, le=3, description="The most numbers in a signed sum that teaches."
    )
    constants: tuple[Literal[0, 1, 100], ...] = Field(
        (), description="Numbers that may be operands without standing in the passage."
    )
    largest_count: int = Field(
        9, ge=1, le=1_000, description="The largest count that can be answered."
    )
    derivations: int = Field(256, ge=1, description="Signed sums kept of one question at most.")
    steps: int = Field(3, ge=0, description="Rounds of messages between the numbers (numnet).")
    question_last: bool = Field(
        False, description="Take an answer from the question only where the passage has none."
    )
    decode: Literal["type", "joint"] = Field(
        "type", description="Choose the likeliest type first, or the likeliest answer of all."
    )


class DataSettings(Settings):
    train: str = Field(
        "",
        description="Training file, relative to the data folder; empty trains on the made world.",
    )
    dev: str = Field("", description="File that chooses the best weights.")
    world: int = Field(
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
    three: int = Field(1, ge=1, description="How often a question of three numbers is trained on.")
    limit: int = Field(
        0, ge=0, description="Train on so many passages, from all over the file; 0 means all."
    )
    dev_limit: int = Field(0, ge=0, description="The same for the passages that choose.")
    hidden: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of the words of both passage and questions to train on as unknown.",
    )


class LossSettings(Settings):
    execution: float = Field(1.0, ge=0, description="Weight of all supervision of single steps.")
    asking: float = Field(
        1.0, ge=0, description="Within it, that of asking about a comparison's own two events."
    )
    window: float = Field(0.0, ge=0, description="Weight of the paper's window loss on groundings.")
    span: int = Field(15, ge=1, description="Window of that loss in pieces.")
    teaching: float = Field(10.0, ge=0, description="Weight of giving the teacher's vectors.")
    hard: bool = Field(False, description="Train only on the likeliest derivation (hard EM).")
    narrow: bool = Field(
        True, description="Let evidence narrow the derivations; otherwise marginalise over all."
    )


class TrainSettings(Settings):
    seed: int = Field(1, description="Of all that is drawn at random.")
    epochs: float = Field(4.0, gt=0, description="How often the questions are gone through.")
    questions: int = Field(8, ge=1, description="Questions of one passage read together.")
    passages: int = Field(
        1, ge=1, description="Passages read together; many pay where the encoder is small."
    )
    accumulate: int = Field(4, ge=1, description="Such groups to one step of the optimiser.")
    rate_encoder: float = Field(5e-5, ge=0, description="Peak learning rate of pretrained weights.")
    rate_modules: float = Field(5e-4, gt=0, description="Peak learning rate of fresh weights.")
    rate_few: float = Field(
        1e-2, gt=0, description="The same for fresh weights of few entries: biases, shares, costs."
    )
    warmup: float = Field(0.03, ge=0, lt=1, description="Share of the steps spent warming up.")
    cooldown: float = Field(0.0, ge=0, le=1, description="Rate at the end as a share of the peak.")
    decay: float = Field(0.01, ge=0, description="Weight decay on matrices.")
    clip: float = Field(1.0, gt=0, description="Largest norm of the gradient.")
    average: float = Field(
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
    precision: Literal["no", "bf16"] = Field("no", description="Mixed precision, for GPUs.")


class Recipe(Settings):
    """All there is to know to make one model again."""

    name: str = Field("unnamed", description="What the model is called on its card.")
    model: Literal["modules", "naqanet", "numnet"] = Field(
        "modules", description="The network of modules, or one of its peers."
    )
    start: str = Field("", description="A model folder whose weights to start from, or `shipped`.")
    teacher: str = Field("", description="A model folder whose vectors to learn to give.")
    encoder: EncoderSettings = EncoderSettings()
    modules: ModuleSettings = ModuleSettings()
    programmer: ProgrammerSettings = ProgrammerSettings()
    peer: PeerSettings = PeerSettings()
    data: DataSettings = DataSettings()
    loss: LossSettings = LossSettings()
    train: TrainSettings = TrainSettings()

    @staticmethod
    def load(source: str | Path, overrides: Sequence[str] = ()) -> "Recipe":
        """Read a recipe file, or a shipped one by name, and apply ``a.b=c`` overrides."""
        tree = read_recipe(find_recipe(source))
        for setting in overrides:
            override(tree, setting)
        return Recipe.read(tree)

    @staticmethod
    def read(tree: dict[str, Any]) -> "Recipe":
        """Check a tree of settings."""
        try:
            return Recipe.model_validate(tree)
        except ValidationError as error:
            first = error.errors()[0]
            # A name that is half a character has no place that could be told.
            place = ".".join(str(part) for part in first["loc"]) or "of no readable name"
            raise RecipeError(
                f"Setting {place}: {first['msg']}.", hint=_hint(first["loc"])
            ) from error


def _hint(place: tuple[int | str, ...]) -> str:
    settings: Any = Recipe
    for part in place[:-1]:
        field = getattr(settings, "model_fields", {}).get(part)
        settings = field.annotation if field else None
    known = getattr(settings, "model_fields", {})
    return (
        did_you_mean(str(place[-1]), known)
        if place and known and place[-1] not in known
        else "See docs/settings.md for its values."
    )
