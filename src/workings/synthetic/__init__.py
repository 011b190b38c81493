"""A world to learn in: made passages with questions, gold programs and gold gold_steps."""

from workings.synthetic.dataset import Names, SyntheticPassage, make_synthetic
from workings.synthetic.export import save_synthetic

__all__ = ["SyntheticPassage", "Names", "make_synthetic", "save_synthetic"]
