"""A small encoder of its own making, for learning without any pretrained weights."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import torch
from jaxtyping import Float
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from torch import Tensor

from workings.encoder.load import build_encoder
from workings.encoder.transformer import Encoder
from workings.settings import EncoderSettings

SCRATCH = "scratch"
_MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
_POSITIONS = 512


def scratch_encoder(settings: EncoderSettings, texts: Iterable[str]) -> tuple[Encoder, Tokenizer]:
    """A fresh transformer, and word-pieces learned from the texts."""
    from transformers import BertConfig, BertModel

    tokenizer = learn_pieces(texts, settings.vocabulary)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=settings.width,
        num_hidden_layers=settings.layers or 4,
        num_attention_heads=settings.heads,
        intermediate_size=4 * settings.width,
        max_position_embeddings=_POSITIONS,
        initializer_range=settings.width**-0.5,  # what BERT begins with is too timid when so small
    )
    bert = BertModel(config, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    waves = _waves(_POSITIONS, settings.width) * config.initializer_range
    bert.embeddings.position_embeddings.weight.data.copy_(waves)
    return build_encoder(bert, tokenizer, settings), tokenizer


def _waves(places: int, width: int) -> Float[Tensor, "p d"]:
    """Sines and cosines of many lengths: how far apart two places are shows from the first step."""
    place = torch.arange(places)[:, None]
    slowness = 10_000 ** (torch.arange(0, width, 2) / width)
    return torch.cat([torch.sin(place / slowness), torch.cos(place / slowness)], 1)[:, :width]


def learn_pieces(texts: Iterable[str], size: int) -> Tokenizer:
    """A BERT-like tokenizer: every letter, then the commonest words and their commonest parts.

    The library's own trainer breaks ties at random; this gives the same pieces every time.
    """
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    # What a number is worth is read elsewhere: here a number is a number, seen before or not.
    alike = normalizers.Replace(Regex(r"\d"), "0")
    tokenizer.normalizer = normalizers.Sequence([normalizers.BertNormalizer(), alike])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words: Counter[str] = Counter()
    for text in texts:
        plain = tokenizer.normalizer.normalize_str(text)
        words.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(plain))
    letters = sorted({letter for word in words for letter in word})
    pieces = dict.fromkeys([*_MARKS, *letters, *(f"##{letter}" for letter in letters)])
    pieces |= dict.fromkeys(_commonest(words, size - len(pieces)))
    tokenizer.model = WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]")
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _commonest(words: Counter[str], most: int) -> list[str]:
    """Whole words, and beginnings and insides of words of two or three letters."""
    counts = Counter(words)
    for word, count in words.items():
        for start, length in product(range(len(word)), (2, 3)):
            part = word[start : start + length]
            if len(part) == length < len(word):
                counts[f"##{part}" if start else part] += count
    return sorted(counts, key=lambda piece: (-counts[piece], piece))[: max(most, 0)]
