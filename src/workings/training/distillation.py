"""Distillation: a network learns to give the vectors that another one gives."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.errors import RecipeError
from workings.peers import Model


class Teacher:
    """A trained encoder, which reads along and says what each piece should have become."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder.eval().requires_grad_(False)

    @staticmethod
    def of(teacher: Model, student: Model) -> "Teacher":
        """Take a model's encoder as the teacher of another model, if that can follow it."""
        if student.encoder.dropout.p:
            hint = "Set encoder.dropout=0."
            raise RecipeError("With dropout the teacher's vectors cannot be learned.", hint=hint)
        same = teacher.tokenizer.get_vocab() == student.tokenizer.get_vocab()
        if not same or teacher.encoder.width != student.encoder.width:
            hint = "Teach by a model with the same encoder, read jointly or split elsewhere."
            raise RecipeError("The teacher has other word-pieces or another width.", hint=hint)
        return Teacher(teacher.encoder.to(student.encoder.device))

    def loss(self, mine: Encoding) -> Float[Tensor, ""]:
        """How far question and passage are from what the teacher makes of them."""
        with torch.no_grad():
            theirs = self.encoder(mine.questions, mine.inputs)
        question = distance(mine.question, theirs.question, mine.question_mask)
        return question + distance(mine.passage, theirs.passage, mine.passage_mask)


def distance(
    mine: Float[Tensor, "b t d"], theirs: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]
) -> Float[Tensor, ""]:
    """Squared distance of the vectors of real pieces, as a share of the teacher's squared length.

    A share, so that a weight means the same whatever the length of an encoder's vectors.
    """
    real = mask[..., None]
    apart = ((mine - theirs).square() * real).sum()
    return apart / (theirs.square() * real).sum().clamp(min=torch.finfo(theirs.dtype).tiny)
