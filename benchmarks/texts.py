"""Texts, training examples and a network for the benchmarks, from synthetic data."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from workings.checkpoint.model_folder import load
from workings.encoder.bert import Bert, BertConfig
from workings.encoder.pretrained import build_encoder
from workings.encoder.scratch import train_tokenizer
from workings.network.network import Network
from workings.settings import ModuleSettings, Recipe
from workings.synthetic import SyntheticPassage, make_synthetic
from workings.training.examples import TrainingExample, make_examples

SHIPPED = Path(__file__).parents[1] / "src" / "workings" / "weights"
# The mean length of a passage of DROP (Dua et al. 2019, table 3).
DROP_WORDS = 213


def passages(
    count: int, words: int = DROP_WORDS, questions: int = 10
) -> Iterator[SyntheticPassage]:
    """Synthetic passages, each extended by words of others to the given length."""
    more_words = _words()
    for synthetic in make_synthetic(7, count, questions=questions):
        text = synthetic.passage.text
        missing = max(0, words - len(text.split()))
        extended = " ".join([text, *(next(more_words) for _ in range(missing))])
        yield replace(synthetic, passage=replace(synthetic.passage, text=extended))


def example_groups(
    tokenizer: Tokenizer, count: int, words: int = DROP_WORDS
) -> Iterator[list[TrainingExample]]:
    """The training examples of each of ``count`` passages."""
    for synthetic in passages(count, words, questions=8):
        yield make_examples(
            synthetic.passage,
            synthetic.supervision,
            tokenizer,
            ModuleSettings(),
            use_evidence=True,
        )


def long_text(tokens: int, tokenizer: Tokenizer) -> str:
    """A text of exactly ``tokens`` tokens."""
    words = _words()
    text = " ".join(next(words) for _ in range(tokens))  # every word has at least one token
    _, end = tokenizer.encode(text, add_special_tokens=False).offsets[tokens - 1]
    return text[:end]


def text_with_numbers(count: int, words: int) -> str:
    """A text of ``words`` words, ``count`` of which are numbers, all different."""
    rng = random.Random(count)
    positions = sorted(rng.sample(range(0, words, 2), count))
    numbers = dict(zip(positions, rng.sample(range(2, 20 * count), count), strict=True))
    plain = itertools.cycle("people came by road to the town with bread wool and salt".split())
    return " ".join(
        str(numbers[position]) if position in numbers else next(plain) for position in range(words)
    )


def _words() -> Iterator[str]:
    for synthetic in make_synthetic(11, 1_000_000, questions=0):
        yield from synthetic.passage.text.split()


def load_network() -> Network:
    """The shipped model, or without it a network of the same size with random weights."""
    if (SHIPPED / "config.json").exists():
        return load(SHIPPED)
    recipe = Recipe.load("default")
    tokenizer = train_tokenizer((synthetic.passage.text for synthetic in passages(50)), 3000)
    config = BertConfig(
        hidden_size=384, num_hidden_layers=12, num_attention_heads=12, intermediate_size=1536
    )
    torch.manual_seed(0)
    encoder = build_encoder(Bert(config), tokenizer, recipe.encoder)
    return Network(recipe, encoder, tokenizer).eval()
