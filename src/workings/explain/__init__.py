"""Explanations: what a person sees of an answer, as plain data and as pictures of it."""

from workings.explain.explanation import Explanation

__all__ = ["Explanation"]
