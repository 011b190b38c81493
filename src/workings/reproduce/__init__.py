"""The paper's result tables again: rows, runs, results, tests between them, and the page."""
