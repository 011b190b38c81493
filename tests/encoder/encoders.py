"""A small encoder, with questions and passages of different lengths."""

from typing import Any

from tiny import PASSAGE, QUESTION, tiny_bert, tiny_tokenizer
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder
from workings.encoder.transformer import Encoder
from workings.settings import EncoderSettings

LONG = " ".join([PASSAGE] * 3)
TOKENIZER = tiny_tokenizer(PASSAGE, QUESTION)
QUESTIONS = [
    TokenizedText.tokenize(text, TOKENIZER) for text in (QUESTION, "When was the club founded?")
]
PASSAGES = [PassageInput.from_text(text, TOKENIZER) for text in ("Ada kicked.", PASSAGE)]


def encoder(**settings: Any) -> Encoder:
    """Build an encoder; the weights are the same whatever the settings."""
    return build_encoder(tiny_bert(TOKENIZER), TOKENIZER, EncoderSettings(**settings)).eval()
