"""Fixtures: explanations of a tiny network's runs."""

from explained import asked, explanation, reader

__all__ = ["asked", "explanation", "reader"]
