"""A small encoder of its own making, for learning without any pretrained weights."""

from collections.abc import Iterable

import torch
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from tokenizers.trainers import WordPieceTrainer

from workings.encoder.load import build_encoder
from workings.encoder.transformer import Encoder
from workings.settings import EncoderSettings

SCRATCH = "scratch"
_MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
_POSITIONS = 512


def scratch_encoder(
    settings: EncoderSettings, texts: Iterable[str]
) -> tuple[Encoder, Tokenizer]:
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
    )
    bert = BertModel(config, add_pooling_layer=False).to(torch.float32)
    return build_encoder(bert, tokenizer, settings), tokenizer


def learn_pieces(texts: Iterable[str], size: int) -> Tokenizer:
    """A BERT-like tokenizer whose vocabulary covers the texts."""
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.decoder = decoders.WordPiece()
    trainer = WordPieceTrainer(vocab_size=size, special_tokens=_MARKS, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
