"""A small encoder with random weights, for training without pretrained ones."""

from collections import Counter
from collections.abc import Iterable

import torch
from jaxtyping import Float
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from torch import Tensor

from workings.encoder.bert import Bert, BertConfig
from workings.encoder.pretrained import build_encoder
from workings.encoder.transformer import Encoder
from workings.settings import EncoderSettings
from workings.values.lexicon import SMALL, TENS, UNITS

_SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
_POSITIONS = 512
_UNIT = "|".join(word for word, value in UNITS.items() if value)
_NUMBER = rf"(?:(?:{'|'.join(TENS)})(?:-(?:{_UNIT}))?|{'|'.join(SMALL)})(?!\w)"
# Matches one character at a time, so that tokens keep their offsets: the first character of a
# number in words, or one that follows the last match, hyphens included.
_OF_NUMBER = rf"\d|(?:(?<!\w)(?={_NUMBER})|\G(?<=[a-z-]))(?:[a-z]|(?<=ty)-(?=(?:{_UNIT})(?!\w)))"


def scratch_encoder(settings: EncoderSettings, texts: Iterable[str]) -> tuple[Encoder, Tokenizer]:
    """Build an encoder with random weights, and a tokenizer trained on texts.

    Args:
        settings: The sizes of the encoder.
        texts: The texts that the vocabulary is taken from.
    """
    tokenizer = train_tokenizer(texts, settings.vocabulary)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=settings.width,
        num_hidden_layers=settings.layers or 4,
        num_attention_heads=settings.heads,
        intermediate_size=4 * settings.width,
        max_position_embeddings=_POSITIONS,
        initializer_range=settings.width**-0.5,  # BERT's own range is too small for this width
    )
    bert = Bert(config)
    positions = _sinusoids(_POSITIONS, settings.width) * config.initializer_range
    bert.embeddings.position_embeddings.weight.data.copy_(positions)
    return build_encoder(bert, tokenizer, settings), tokenizer


def _sinusoids(positions: int, width: int) -> Float[Tensor, "p d"]:
    """Sinusoidal position embeddings, which contain distances from the first step on."""
    position = torch.arange(positions)[:, None]
    wavelength = 10_000 ** (torch.arange(0, width, 2) / width)
    angles = position / wavelength
    return torch.cat([torch.sin(angles), torch.cos(angles)], 1)[:, :width]


def train_tokenizer(texts: Iterable[str], size: int) -> Tokenizer:
    """Build a BERT-like tokenizer of the most frequent words, without names and numbers.

    A word that occurs with a capital letter only counts as a name. Names and numbers are unknown
    tokens, recognised by position and lexical match alone, so that those of other texts are read
    equally well. The values of numbers are read separately.

    Args:
        texts: The texts to count words in.
        size: Maximum number of tokens.
    """
    tokenizer = Tokenizer(WordPiece())
    mask_numbers = normalizers.Replace(Regex(_OF_NUMBER), "0")
    tokenizer.normalizer = normalizers.Sequence([normalizers.BertNormalizer(), mask_numbers])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for text in texts:
        words = tokenizer.pre_tokenizer.pre_tokenize_str(mask_numbers.normalize_str(text))
        counts.update(word for word, _ in words if word == word.lower())
    frequent = sorted(counts, key=lambda word: (-counts[word], word))
    words_kept = frequent[: max(size - len(_SPECIAL_TOKENS), 0)]
    vocabulary = {word: index for index, word in enumerate([*_SPECIAL_TOKENS, *words_kept])}
    tokenizer.model = WordPiece(vocabulary, unk_token="[UNK]")
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer
