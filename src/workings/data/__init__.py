"""DROP: its questions read, sorted into kinds, and made ready for training."""
