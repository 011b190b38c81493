"""Training: from a recipe and answered questions to the weights of a model."""
