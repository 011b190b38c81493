"""Peers: published models on the same encoder, values, batches and scorer."""

from collections.abc import Sequence
from typing import TypeAlias

from tokenizers import Tokenizer

from workings.encoder.transformer import Encoder
from workings.network.network import Network
from workings.peers.naqanet import NAQANet
from workings.peers.numnet import NumNet
from workings.settings import Recipe

__all__ = ["Model", "NAQANet", "NumNet", "make_model"]

Model: TypeAlias = Network | NAQANet

_PEERS = {"naqanet": NAQANet, "numnet": NumNet}


def make_model(
    recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer, trained: Sequence[str] = ()
) -> Model:
    """Build the model that a recipe names; all weights above the encoder are new.

    Args:
        recipe: The recipe.
        encoder: The encoder.
        tokenizer: The encoder's tokenizer.
        trained: Names of the modules that the weights to be loaded were trained with.
    """
    if recipe.model in _PEERS:
        return _PEERS[recipe.model](recipe, encoder, tokenizer)
    return Network(recipe, encoder, tokenizer, trained)
