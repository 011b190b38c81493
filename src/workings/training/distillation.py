"""Distillation: a student's token vectors are trained towards a teacher's."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.errors import RecipeError
from workings.peers import Model


class Teacher:
    """A frozen encoder whose token vectors are the targets of another encoder."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder.eval().requires_grad_(False)

    @staticmethod
    def from_model(teacher: Model, student: Model) -> "Teacher":
        """Take the encoder of a model as the teacher of another model.

        Args:
            teacher: A trained model; its encoder is frozen and moved to the student's device.
            student: The model to train.

        Raises:
            RecipeError: The student has dropout, or another vocabulary or width than the teacher.
        """
        if student.encoder.dropout.p:
            raise RecipeError(
                "Distillation needs an encoder without dropout.", hint="Set encoder.dropout=0."
            )
        same_vocabulary = teacher.tokenizer.get_vocab() == student.tokenizer.get_vocab()
        if not same_vocabulary or teacher.encoder.width != student.encoder.width:
            raise RecipeError(
                "The teacher's encoder has another vocabulary or another width.",
                hint="Name a teacher with the same pretrained encoder; its split may differ.",
            )
        return Teacher(teacher.encoder.to(student.encoder.device))

    def loss(self, student: Encoding) -> Float[Tensor, ""]:
        """The distance of the student's question and passage vectors from the teacher's."""
        with torch.no_grad():
            teacher = self.encoder(student.questions, student.inputs)
        question = relative_squared_distance(
            student.question, teacher.question, student.question_mask
        )
        passage = relative_squared_distance(student.passage, teacher.passage, student.passage_mask)
        return question + passage


def relative_squared_distance(
    student: Float[Tensor, "b t d"], teacher: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]
) -> Float[Tensor, ""]:
    """The squared distance over all tokens, divided by the squared norm of the teacher's vectors.

    The division makes the weight of the loss independent of the scale of an encoder's vectors.
    """
    tokens = mask[..., None]
    squared = ((student - teacher).square() * tokens).sum()
    norm = (teacher.square() * tokens).sum()
    return squared / norm.clamp(min=torch.finfo(teacher.dtype).tiny)
