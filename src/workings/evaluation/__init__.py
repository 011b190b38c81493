"""Answer the questions of a data file, score them and calibrate confidence."""
