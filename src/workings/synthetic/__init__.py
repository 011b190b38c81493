"""Synthetic data: generated passages with questions, gold programs and gold steps."""

from workings.synthetic.dataset import NameSplit, SyntheticPassage, make_synthetic
from workings.synthetic.export import save_synthetic

__all__ = ["NameSplit", "SyntheticPassage", "make_synthetic", "save_synthetic"]
