"""Derivations: how each known answer can come out of the values of its passage."""

from workings.data.derive_types import Derivation, Pick, Supervision

__all__ = ["Derivation", "Pick", "Supervision"]
