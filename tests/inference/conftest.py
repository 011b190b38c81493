"""Fixtures: explanations from a tiny network."""

from explained import explanation, predicted, reader

__all__ = ["explanation", "predicted", "reader"]
