"""A network small enough for tests: random weights, and a tokenizer over the tests' own words."""

import re
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from workings.encoder.bert import Bert, BertConfig
from workings.encoder.pretrained import build_encoder
from workings.network.network import Network
from workings.settings import Recipe

PASSAGE = (
    "Ada kicked a 24-yard field goal in the first quarter. After the break, Ben Okafor answered "
    "with kicks of 31 and 47 yards. The club was founded on 3 May 1901 and moved in 1936."
)
QUESTION = "How many more yards was the longest field goal than the shortest?"


def tiny_tokenizer(*texts: str) -> Tokenizer:
    """Make a tokenizer that splits words of more than five letters into two word pieces."""
    words = {word for text in texts for word in re.findall(r"\w+|[^\w\s]", text.lower())}
    pieces = {word[:5] for word in words} | {f"##{word[5:]}" for word in words if len(word) > 5}
    special_tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {piece: index for index, piece in enumerate([*special_tokens, *sorted(pieces)])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def tiny_bert(tokenizer: Tokenizer, *, seed: int = 0) -> Bert:
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=256,
    )
    return Bert(config).eval()


def save_encoder(bert: Bert, tokenizer: Tokenizer, folder: Path) -> None:
    """Write a folder of encoder files as a model hub offers it."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(bert.config.model_dump_json())
    save_file(bert.state_dict(), folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))


def tiny_network(recipe: Recipe | None = None, *, seed: int = 0) -> Network:
    recipe = recipe or Recipe(name="tiny")
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION)
    encoder = build_encoder(tiny_bert(tokenizer, seed=seed), tokenizer, recipe.encoder)
    return Network(recipe, encoder, tokenizer).eval()


def one_layer_network() -> Network:
    """Build the smallest network, to save and load quickly."""
    return tiny_network(Recipe.read({"name": "tiny", "encoder": {"layers": 1}}))
