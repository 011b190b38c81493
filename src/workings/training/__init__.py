"""Training: from answered questions to weights."""
