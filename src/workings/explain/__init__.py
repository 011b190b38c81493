"""Explanations of answers: plain data, and views for terminal, notebook and browser."""

from workings.explain.explanation import Answer, Explanation

__all__ = ["Answer", "Explanation"]
