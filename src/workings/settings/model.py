"""What a network is made of: encoder, modules and programmer, or a peer's heads."""

from typing import Literal, Self

from pydantic import Field, model_validator

from workings.settings.base import Settings

# Encoders that are found nowhere: one made anew, and that of the weights in the package.
SCRATCH, SHIPPED = "scratch", "shipped"


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
    layer_skip: bool = Field(
        False, description="Add what enters the trained layers to what leaves them, mapped."
    )
    layer_skip_from: int | None = Field(
        None, ge=0, description="Layer after which that begins; the lowest trained one by itself."
    )
    question_embedding_skip: bool = Field(
        False,
        description="Add the question's plain word vectors to what leaves the layers, mapped.",
    )
    window: int = Field(
        448,
        ge=16,
        le=100_000,
        description="Passage pieces read at once; longer passages are read in windows.",
    )
    overlap: int = Field(96, ge=0, description="TokenizedText two neighbouring windows share.")
    lexical_match: bool = Field(
        False,
        description="Label passage words that stand in the question; for encoders from scratch.",
    )
    distance_bias: bool = Field(
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

    @property
    def below(self) -> int:
        """The layers below those that are trained and read jointly."""
        return max(self.frozen, self.split)

    @property
    def skip_layer(self) -> int:
        """How many layers have read what a skip adds to the last one."""
        return self.below if self.layer_skip_from is None else self.layer_skip_from

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.overlap >= self.window:
            raise ValueError("overlap must be smaller than window")
        if self.skip_layer < self.below:
            raise ValueError("layer_skip_from must not be below the frozen or split layers")
        if self.layers is not None and self.skip_layer > self.layers:
            raise ValueError("split, frozen and layer_skip_from must not be larger than layers")
        if self.source == SCRATCH and self.width % self.heads:
            raise ValueError("width must be a multiple of heads")
        if self.lexical_match and self.frozen > self.split:
            raise ValueError(
                "lexical_match joins where reading is trained: frozen must not exceed split"
            )
        if self.distance_bias and self.frozen:
            raise ValueError("distance_bias is learned in every layer: none can be frozen")
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
    grounding: Literal["pooled", "tokens"] = Field(
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
    distance_bias: bool = Field(
        True, description="Let grounding prefer values near the attended words by a learned bias."
    )
    number_features: bool = Field(
        True, description="Tell grounding the rank, size and unit of each number."
    )
    constants: bool = Field(True, description="Let 0, 1 and 100 be operands.")
    count: Literal["set", "gru"] = Field(
        "set",
        description="A probability per mention, totalled exactly; or the paper's counter.",
    )
    counter_pretrain_steps: int = Field(
        0,
        ge=0,
        description="Steps in which the paper's counter first practises on made attentions.",
    )
    extreme: Literal["set", "samples"] = Field(
        "set", description="Largest of an uncertain set, or of a few draws (paper)."
    )
    samples: int = Field(
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
    span: Literal["whole", "ends", "attention-only"] = Field(
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
    rank_by: Literal["answer", "program"] = Field(
        "answer",
        description="Give the answer all kept programs make likeliest, or the best one's (paper).",
    )


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
