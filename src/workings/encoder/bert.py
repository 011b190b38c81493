"""BERT in plain PyTorch (Devlin et al. 2019): configuration, layers and loading of weights."""

from collections import OrderedDict
from pathlib import Path
from typing import Annotated, Literal

import torch
from jaxtyping import Bool, Float, Int
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from torch.nn import functional

from workings.errors import EncoderError

Hidden = Float[Tensor, "r t d"]
TokenIds = Int[Tensor, "r t"]
# True where a token may be attended to, or a bias that is added to the attention scores.
Mask = Bool[Tensor, "#r #h #t t"] | Float[Tensor, "#r #h #t t"] | None
# The bound keeps the size of a weight within 64 bits, whatever a damaged file contains.
Size = Annotated[int, Field(gt=0, le=2**24)]
Probability = Annotated[float, Field(ge=0, le=1)]

# Attention scores computed at once in bfloat16: few enough to stay in the processor's cache.
_MAX_SCORES = 4_000_000
_HINT = "Give a folder with config.json and model.safetensors of one BERT model."


class BertConfig(BaseModel):
    """Sizes and rates of a BERT encoder, named as in a published config.json."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    model_type: Literal["bert"] = "bert"
    hidden_act: Literal["gelu"] = "gelu"
    position_embedding_type: Literal["absolute"] = "absolute"
    is_decoder: Literal[False] = False
    vocab_size: Size = 30522
    hidden_size: Size = 768
    num_hidden_layers: int = Field(12, gt=0, le=1000)
    num_attention_heads: Size = 12
    intermediate_size: Size = 3072
    max_position_embeddings: Size = 512
    type_vocab_size: Size = 2
    pad_token_id: int | None = Field(0, ge=0)
    hidden_dropout_prob: Probability = 0.1
    attention_probs_dropout_prob: Probability = 0.1
    layer_norm_eps: float = Field(1e-12, gt=0)
    initializer_range: float = Field(0.02, ge=0)

    @model_validator(mode="after")
    def _check_sizes(self) -> "BertConfig":
        if self.hidden_size % self.num_attention_heads:
            raise ValueError("hidden_size is not a multiple of num_attention_heads")
        if self.pad_token_id is not None and self.pad_token_id >= self.vocab_size:
            raise ValueError("pad_token_id is not below vocab_size")
        return self

    @classmethod
    def load(cls, path: Path) -> "BertConfig":
        """Read a config.json.

        Raises:
            EncoderError: The file cannot be read, or describes an unsupported encoder.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise EncoderError(f"{path} cannot be read: {error.strerror}.", hint=_HINT) from error
        except ValidationError as error:
            first = error.errors()[0]
            value = f", found {first['input']!r}" if first["loc"] else ""
            reason = ": ".join(map(str, [*first["loc"], first["msg"]]))
            hint = f"{_HINT} It must be an encoder with GELU and absolute positions."
            message = f"{path} does not describe a supported encoder. {reason}{value}."
            raise EncoderError(message, hint=hint) from error


class Bert(nn.Module):
    """A BERT encoder without pooler; its parameters are named as in published weights."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.encoder = BertLayers(config)
        self.apply(self._initialize)

    def _initialize(self, module: nn.Module) -> None:
        if not isinstance(module, nn.Linear | nn.Embedding) or module.weight.is_meta:
            return
        nn.init.normal_(module.weight, std=self.config.initializer_range)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)
        elif module.padding_idx is not None:
            nn.init.zeros_(module.weight[module.padding_idx].detach())


class _Embedding(nn.Embedding):
    def reset_parameters(self) -> None:
        # A normal draw on the meta device imports PyTorch's compiler, which takes over a second.
        if not self.weight.is_meta:
            super().reset_parameters()


class BertEmbeddings(nn.Module):
    """The sum of word, position and token type embeddings, normalised."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.word_embeddings = _Embedding(config.vocab_size, width, config.pad_token_id)
        self.position_embeddings = _Embedding(config.max_position_embeddings, width)
        self.token_type_embeddings = _Embedding(config.type_vocab_size, width)
        self.LayerNorm = nn.LayerNorm(width, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, input_ids: TokenIds, token_type_ids: TokenIds, position_ids: TokenIds
    ) -> Hidden:
        words, types = self.word_embeddings(input_ids), self.token_type_embeddings(token_type_ids)
        embedded = words + types + self.position_embeddings(position_ids)
        outputs: Tensor = self.dropout(self.LayerNorm(embedded))
        return outputs


class BertLayers(nn.Module):
    """The transformer layers, which the caller runs one by one."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(config) for _ in range(config.num_hidden_layers))


class BertLayer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual connection and LayerNorm."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = BertAttention(config)
        widen = nn.Linear(config.hidden_size, config.intermediate_size)
        self.intermediate = nn.Sequential(OrderedDict(dense=widen, activation=nn.GELU()))
        self.output = BertOutput(config, config.intermediate_size)

    def forward(self, hidden: Hidden, mask: Mask) -> Hidden:
        attended = self.attention(hidden, mask)
        outputs: Tensor = self.output(self.intermediate(attended), attended)
        return outputs


class BertAttention(nn.Module):
    """Self-attention with a residual connection and LayerNorm."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.self = BertSelfAttention(config)
        self.output = BertOutput(config, config.hidden_size)

    def forward(self, hidden: Hidden, mask: Mask) -> Hidden:
        outputs: Tensor = self.output(self.self(hidden, mask), hidden)
        return outputs


class BertSelfAttention(nn.Module):
    """Multi-head self-attention, before its output projection."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def forward(self, hidden: Hidden, mask: Mask) -> Hidden:
        query, key, value = (
            project(hidden).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        return attend(query, key, value, mask, self.dropout.p if self.training else 0.0).flatten(2)


class BertOutput(nn.Module):
    """Linear projection and dropout, added to the residual and normalised."""

    def __init__(self, config: BertConfig, inputs: int) -> None:
        super().__init__()
        self.dense = nn.Linear(inputs, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, inputs: Float[Tensor, "r t i"], residual: Hidden) -> Hidden:
        outputs: Tensor = self.LayerNorm(self.dropout(self.dense(inputs)) + residual)
        return outputs


def attend(
    query: Float[Tensor, "r h t k"],
    key: Float[Tensor, "r h t k"],
    value: Float[Tensor, "r h t k"],
    mask: Mask,
    dropout: float = 0.0,
) -> Float[Tensor, "r t h k"]:
    """Scaled dot-product attention, by the fastest method for the device and precision."""
    scale = query.shape[-1] ** -0.5
    if query.device.type != "cpu" or query.dtype != torch.bfloat16:
        fused = functional.scaled_dot_product_attention
        return fused(query, key, value, mask, dropout, scale=scale).transpose(1, 2)
    # The fused CPU kernel makes no use of the processor's bfloat16 products: plain matrix
    # products take a third of its time.
    query = query * scale
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.where(mask, 0.0, torch.finfo(query.dtype).min)
    bias = None if mask is None else mask.to(query.dtype).expand(len(query), -1, -1, -1)
    rows = max(1, _MAX_SCORES // (query.shape[1] * query.shape[2] * key.shape[2]))
    chunks = []
    for chunk in (slice(start, start + rows) for start in range(0, len(query), rows)):
        scores = query[chunk] @ key[chunk].transpose(-1, -2)
        if bias is not None:
            scores += bias[chunk]
        weights = functional.dropout(scores.softmax(-1), dropout)
        chunks.append((weights @ value[chunk]).transpose(1, 2))
    return torch.cat(chunks)


def load_bert(folder: str | Path) -> Bert:
    """Load a BERT encoder in evaluation mode, with float32 weights.

    Args:
        folder: A folder with config.json and model.safetensors; weights of task heads are ignored.

    Raises:
        EncoderError: A file is absent, damaged, or of another kind of model.
    """
    config = BertConfig.load(Path(folder) / "config.json")
    with torch.device("meta"):  # the weights of the file replace these, which need no memory
        bert = Bert(config)
    weights = _read_weights(Path(folder) / "model.safetensors", bert.state_dict())
    bert.load_state_dict(weights, assign=True)
    return bert.eval()


def _read_weights(path: Path, expected: dict[str, Tensor]) -> dict[str, Tensor]:
    try:
        with safe_open(path, "pt") as file:
            stored = {_standard_name(name): name for name in file.keys()}  # noqa: SIM118
            weights = {name: file.get_tensor(stored[name]) for name in expected if name in stored}
    except (OSError, SafetensorError) as error:
        raise EncoderError(f"{path} cannot be read: {error}.", hint=_HINT) from error
    for name, weight in expected.items():
        read = weights.get(name)
        if read is None or read.shape != weight.shape or not read.is_floating_point():
            described = "absent" if read is None else f"{read.dtype} {list(read.shape)}"
            message = f"{path}: {name} should be float {list(weight.shape)}, but is {described}."
            raise EncoderError(message, hint=_HINT)
    # Copies: the file may be replaced while the model is in use.
    return {name: weight.to(torch.float32, copy=True) for name, weight in weights.items()}


def _standard_name(name: str) -> str:
    """Drops the prefix of models with task heads; renames parameters converted from TensorFlow."""
    name = name.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight")
    return name.replace("LayerNorm.beta", "LayerNorm.bias")
