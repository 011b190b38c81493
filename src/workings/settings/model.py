"""Settings of the model: encoder, modules, programmer, and the heads of the peers."""

from typing import Literal

from pydantic import Field, model_validator

from workings.settings.base import Settings

# Values of encoder.source beside folders and hub ids: an encoder with random weights, and the
# encoder of the model in the package.
SCRATCH, SHIPPED = "scratch", "shipped"


class EncoderSettings(Settings):
    """The transformer that reads question and passage."""

    source: str = Field(
        "minilm-l12",
        description="Pretrained encoder: a folder, a short name (`minilm-l12`, `gte-small`, "
        "`minilm-l6`), a hub id, a trained model, `shipped`, or `scratch` (random weights).",
    )
    layers: int | None = Field(
        None, ge=1, le=128, description="Number of lowest layers to keep; all if not set."
    )
    split: int = Field(
        0,
        ge=0,
        description="Number of lowest layers that read passage and question separately; 0 for "
        "none.",
    )
    frozen: int = Field(
        0,
        ge=0,
        description="Number of lowest layers that are not trained, together with the embeddings; "
        "0 trains all.",
    )
    layer_skip: bool = Field(False, description="Linear skip connection around the trained layers.")
    layer_skip_from: int | None = Field(
        None,
        ge=0,
        description="Layer where `layer_skip` starts; the lowest trained joint layer if not set.",
    )
    question_embedding_skip: bool = Field(
        False,
        description="Linear skip connection from the question's word embeddings to its output "
        "vectors.",
    )
    window: int = Field(
        448,
        ge=16,
        le=100_000,
        description="Largest number of passage tokens per window; longer passages are read in "
        "several windows.",
    )
    overlap: int = Field(96, ge=0, description="Tokens that neighbouring windows share.")
    lexical_match: bool = Field(
        False,
        description="Add embeddings that mark words common to passage and question; for encoders "
        "from scratch.",
    )
    distance_bias: bool = Field(
        False,
        description="Learned distance bias in each attention head; for encoders from scratch.",
    )
    width: int = Field(128, ge=8, le=16_384, description="Hidden size of an encoder from scratch.")
    heads: int = Field(4, ge=1, description="Attention heads of an encoder from scratch.")
    vocabulary: int = Field(
        3000, ge=100, le=1_000_000, description="Vocabulary size of an encoder from scratch."
    )
    dropout: float = Field(
        0.1, ge=0, lt=1, description="Dropout on the token vectors that the modules read."
    )
    inner_dropout: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Dropout inside the transformer; halves the training speed on a CPU.",
    )

    @property
    def below(self) -> int:
        """Number of layers below those that are trained and read jointly."""
        return max(self.frozen, self.split)

    @property
    def skip_layer(self) -> int:
        """Layer whose input the layer skip adds to the output."""
        return self.below if self.layer_skip_from is None else self.layer_skip_from

    @model_validator(mode="after")
    def _check(self) -> "EncoderSettings":
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
                "lexical_match needs trained joint layers: frozen must not be larger than split"
            )
        if self.distance_bias and self.frozen:
            raise ValueError("distance_bias is trained in every layer: frozen must be 0")
        return self


class ModuleSettings(Settings):
    """The versions of the modules; ``(paper)`` marks those of the published model."""

    similarity: Literal["trilinear", "bilinear"] = Field(
        "bilinear",
        description="Similarity of question and passage vectors; trilinear is the paper's.",
    )
    find: Literal["pooled", "tokens"] = Field(
        "pooled",
        description="Question in `find`: one pooled vector, or each token by itself (paper).",
    )
    filter: Literal["token", "sentence", "none"] = Field(
        "token",
        description="Unit that `filter` keeps or drops: a token, or a sentence (paper). With "
        "`none`, programs have no `filter`, and `find` also selects by the condition.",
    )
    grounding: Literal["local", "pooled", "tokens"] = Field(
        "pooled",
        description="How attended words are linked to numbers and dates: by their distance in the "
        "text (`local`); by one pooled vector of the words (`pooled`); or by the vector of each "
        "token (`tokens`, paper).",
    )
    alpha_num: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Weight of the passage in number grounding; the rest is the weight of the "
        "question, so 1 ignores the question (paper).",
    )
    alpha_date: float = Field(
        0.4, ge=0, le=1, description="Weight of the passage in date grounding; 0.4 in the paper."
    )
    pooled_words: Literal["passage", "both"] = Field(
        "both",
        description="Attended words from which sets and spans are computed: those of the passage, "
        "or those of passage and question (paper).",
    )
    gated: bool = Field(
        False,
        description="Only attended words can be members of a set or of an answer span; token "
        "vectors change their odds within bounds.",
    )
    distance_bias: bool = Field(
        True, description="Learned bias of groundings towards values near the attended words."
    )
    number_features: bool = Field(
        True, description="Give number grounding the rank, size and unit of each number."
    )
    constants: bool = Field(True, description="Allow 0, 1 and 100 as operands.")
    count: Literal["set", "multiples", "gru"] = Field(
        "set",
        description="Counting: the exact distribution of the number of mentions, from a "
        "probability per mention (`set`); the same, where a mention may stand for several things, "
        "such as 'two runs' (`multiples`); or a recurrent network over the attention (`gru`, "
        "paper).",
    )
    counter_pretrain_steps: int = Field(
        0,
        ge=0,
        description="Steps of pretraining the paper's count module on synthetic attentions; 0 for "
        "none.",
    )
    extreme: Literal["set", "samples"] = Field(
        "set",
        description="Maximum and minimum: exact over uncertain sets of mentions, or from samples "
        "(paper).",
    )
    samples: int = Field(
        5, ge=1, le=1_000, description='Samples per maximum or minimum with `extreme = "samples"`.'
    )
    difference: Literal["absolute", "ordered"] = Field(
        "absolute",
        description="Result of `sub` and `time-diff`: the absolute difference, or first minus "
        "second without negative results (paper).",
    )
    distinct: bool = Field(
        True, description="Exclude sums and differences that use one mention twice."
    )
    ties: Literal["share", "drop"] = Field(
        "share",
        description="Probability of equal values in a comparison: shared by both events, or "
        "dropped (paper).",
    )
    span: Literal["whole", "ends", "attention-only"] = Field(
        "whole",
        description="Span scores: of whole spans; of start and end from token vectors; or of start "
        "and end from the attention alone (paper).",
    )
    largest_count: int = Field(
        20, ge=1, le=1_000, description="Largest count that can be answered; 9 in the paper."
    )


class ProgrammerSettings(Settings):
    """The decoder that writes programs."""

    width: int = Field(256, ge=8, le=16_384, description="Hidden size of the decoder.")
    embedding: int = Field(100, ge=4, le=16_384, description="Embedding size of a production.")
    steps: int = Field(12, ge=3, le=64, description="Largest number of modules in a program.")
    beam: int = Field(4, ge=1, le=1_000, description="Beam size.")
    rank_by: Literal["answer", "program"] = Field(
        "answer",
        description="Rank answers by their probability summed over all programs of the beam, or by "
        "their program's probability (paper).",
    )
    unknown_threshold: float = Field(
        0.3,
        ge=0,
        le=1,
        description="Smallest probability of `unknown` with which it can be the answer.",
    )


class PeerSettings(Settings):
    """The heads of NAQANet and NumNet."""

    operands: int = Field(
        2, ge=1, le=3, description="Largest number of operands in a signed sum to train on."
    )
    constants: tuple[Literal[0, 1, 100], ...] = Field(
        (), description="Operands besides the numbers of the passage; none by default."
    )
    largest_count: int = Field(9, ge=1, le=1_000, description="Largest count that can be answered.")
    derivations: int = Field(
        256, ge=1, description="Largest number of signed sums to train on per question."
    )
    steps: int = Field(
        3, ge=0, description="Rounds of message passing between the numbers (numnet only)."
    )
    question_last: bool = Field(
        False, description="Train on spans of the question only if the passage has none."
    )
    decode: Literal["type", "joint"] = Field(
        "type",
        description="Decoding: the best answer of the likeliest answer type, or the likeliest "
        "answer of all types.",
    )
