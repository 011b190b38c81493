"""Answer files of questions, on this machine or on a Ray cluster."""
