"""Passages and questions for the benchmarks, of the made world, and a network to read them."""

import itertools
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from workings.checkpoint import load
from workings.encoder.load import build_encoder
from workings.encoder.scratch import learn_pieces
from workings.network import Network
from workings.settings import Recipe
from workings.world import Made, make_world

SHIPPED = Path(__file__).parents[1] / "src" / "workings" / "weights"


def passages(count: int = 8, questions: int = 10) -> list[Made]:
    return list(make_world(7, count, questions=questions))


def long_text(words: int) -> str:
    """A passage of about so many words, made of several."""
    found: list[str] = []
    for made in make_world(11, 10_000):
        found += made.passage.text.split()
        if len(found) >= words:
            break
    return " ".join(itertools.islice(found, words))


def network() -> Network:
    """The shipped model; without one, its shape with random weights, which takes as long."""
    if (SHIPPED / "config.json").exists():
        return load(SHIPPED)
    recipe = Recipe.load("default")
    tokenizer = _tokenizer()
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


def _tokenizer() -> Tokenizer:
    return learn_pieces((made.passage.text for made in passages(50)), 3000)
