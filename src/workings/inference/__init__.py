"""Inference: decode results into answers, rank candidates and explain them."""
