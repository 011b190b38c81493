"""A small encoder of its own making, for learning without any pretrained weights."""

from collections import Counter
from collections.abc import Iterable

import torch
from jaxtyping import Float
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from torch import Tensor

from workings.encoder.pretrained import build_encoder
from workings.encoder.transformer import Encoder
from workings.settings import EncoderSettings
from workings.values.lexicon import SMALL, TENS, UNITS

_MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
_POSITIONS = 512
_UNIT = "|".join(word for word, value in UNITS.items() if value)
_NUMBER = rf"(?:(?:{'|'.join(TENS)})(?:-(?:{_UNIT}))?|{'|'.join(SMALL)})(?!\w)"
# One character at a time, so that every piece still knows where it stands in the text: the first
# of a number in words, or any next to the last one found, its hyphen included.
_OF_NUMBER = rf"\d|(?:(?<!\w)(?={_NUMBER})|\G(?<=[a-z-]))(?:[a-z]|(?<=ty)-(?=(?:{_UNIT})(?!\w)))"


def scratch_encoder(settings: EncoderSettings, texts: Iterable[str]) -> tuple[Encoder, Tokenizer]:
    """A new_parameters transformer, and words learned from the texts."""
    from transformers import BertConfig, BertModel

    tokenizer = learn_words(texts, settings.vocabulary)
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


def learn_words(texts: Iterable[str], size: int) -> Tokenizer:
    """A BERT-like tokenizer that knows the commonest words, names and numbers never among them.

    A word that is only ever written with a capital is taken for a name. Names and numbers are
    known by where they stand and by their lexical_matches alone, so that those of other texts are read no
    worse. What a number is worth is read elsewhere.
    """
    tokenizer = Tokenizer(WordPiece())
    alike = normalizers.Replace(Regex(_OF_NUMBER), "0")
    tokenizer.normalizer = normalizers.Sequence([normalizers.BertNormalizer(), alike])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words: Counter[str] = Counter()
    for text in texts:
        found = tokenizer.pre_tokenizer.pre_tokenize_str(alike.normalize_str(text))
        words.update(word for word, _ in found if word == word.lower())
    known = sorted(words, key=lambda word: (-words[word], word))[: max(size - len(_MARKS), 0)]
    vocabulary = {word: place for place, word in enumerate([*_MARKS, *known])}
    tokenizer.model = WordPiece(vocabulary, unk_token="[UNK]")
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer
