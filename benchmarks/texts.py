"""Passages and questions for the benchmarks, of the made world, and a network to read them."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from workings.checkpoint.model_folder import load
from workings.encoder.pretrained import build_encoder
from workings.encoder.scratch import learn_words
from workings.network.network import Network
from workings.settings import Recipe
from workings.synthetic import SyntheticPassage, make_synthetic
from workings.training.examples import TrainingExample, make_examples

SHIPPED = Path(__file__).parents[1] / "src" / "workings" / "weights"
# The mean length of DROP's passages (Dua et al. 2019, table 3).
DROP_WORDS = 213


def passages(count: int, words: int = DROP_WORDS, questions: int = 10) -> Iterator[SyntheticPassage]:
    """SyntheticPassage passages, each followed by others until it has as many words as one of DROP."""
    rest = _words()
    for made in make_synthetic(7, count, questions=questions):
        text = made.passage.text
        missing = max(0, words - len(text.split()))
        longer = " ".join([text, *(next(rest) for _ in range(missing))])
        yield replace(made, passage=replace(made.passage, text=longer))


def groups(
    tokenizer: Tokenizer, count: int, words: int = DROP_WORDS
) -> Iterator[list[TrainingExample]]:
    """The questions of each passage, as training reads them."""
    for made in passages(count, words, questions=8):
        yield make_examples(made.passage, made.supervision, tokenizer, narrow=True)


def long_text(pieces: int, tokenizer: Tokenizer) -> str:
    """A passage of so many word-pieces."""
    words = _words()
    text = " ".join(next(words) for _ in range(pieces))  # no word is less than a piece
    cut = tokenizer.encode(text, add_special_tokens=False).offsets[pieces - 1]
    return text[: cut[1]]


def with_numbers(count: int, words: int) -> str:
    """A passage of so many words, some of them numbers, all different."""
    chosen = random.Random(count)
    places = sorted(chosen.sample(range(0, words, 2), count))
    numbers = dict(zip(places, chosen.sample(range(2, 20 * count), count), strict=True))
    plain = itertools.cycle("people came by road to the town with bread wool and salt".split())
    return " ".join(
        str(numbers[place]) if place in numbers else next(plain) for place in range(words)
    )


def _words() -> Iterator[str]:
    for made in make_synthetic(11, 1_000_000, questions=0):
        yield from made.passage.text.split()


def network() -> Network:
    """The shipped model; without one, its shape with random weights, which takes as long."""
    if (SHIPPED / "config.json").exists():
        return load(SHIPPED)
    recipe = Recipe.load("default")
    tokenizer = learn_words((made.passage.text for made in passages(50)), 3000)
    shape = BertConfig(
        vocab_size=30522,
        hidden_size=384,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=1536,
    )
    torch.manual_seed(0)
    bert = BertModel(shape, add_pooling_layer=False)
    return Network(recipe, build_encoder(bert, tokenizer, recipe.encoder), tokenizer).eval()
