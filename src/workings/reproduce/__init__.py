"""Reproduction of the paper's result tables: rows, runs, results, significance tests, page."""
