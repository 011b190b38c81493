"""Answer the questions of a data file, score the answers and calibrate confidence."""

from workings.evaluation.evaluating import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
