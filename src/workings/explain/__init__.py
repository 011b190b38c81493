"""Explanations of answers: plain data, and views for terminal, notebook and browser."""

from workings.explain.explanation import Explanation

__all__ = ["Explanation"]
