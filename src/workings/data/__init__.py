"""The DROP dataset: downloading, reading, labelling question kinds, building training data."""
