"""The interpreter runs a program on a batch and keeps the result of every step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from jaxtyping import Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.modules import Context, Module
from workings.ops.grounding import Groundings
from workings.ops.results import Result, StepDetails
from workings.program import Program
from workings.settings import ModuleSettings


@dataclass(frozen=True)
class Step:
    """One executed module.

    Attributes:
        program: The part of the program that ran.
        question_attention: The programmer's attention over the question at this step.
        inputs: The steps whose results it took.
        output: Its result.
        details: Intermediate results that the module recorded.
    """

    program: Program
    question_attention: Float[Tensor, "b n"]
    inputs: "tuple[Step, ...]"
    output: Result
    details: StepDetails = field(default_factory=StepDetails)

    def walk(self) -> "Iterator[Step]":
        """Yield this step and those below it, in the order of ``Program.walk``."""
        yield self
        for step in self.inputs:
            yield from step.walk()


class Interpreter(nn.Module):
    """Holds the modules and runs programs made of them."""

    def __init__(
        self, width: int, settings: ModuleSettings, modules: Mapping[str, type[Module]]
    ) -> None:
        super().__init__()
        self.groundings = Groundings(width, settings)
        self.library = nn.ModuleDict(
            {name: module(width, settings) for name, module in modules.items()}
        )

    def forward(
        self,
        program: Program,
        encoding: Encoding,
        question_attention: Sequence[Float[Tensor, "b n"]],
        groundings: Groundings | None = None,
    ) -> Step:
        """Run one program on all rows of a batch.

        Args:
            program: A well-typed program.
            encoding: The encoded batch.
            question_attention: The question attention of each step, in the order of
                ``Program.walk``.
            groundings: Groundings with a cache, to be shared by programs that run together.

        Returns:
            The last step, with all others below it.
        """
        groundings = groundings or self.groundings.with_cache()
        return self._run(program, encoding, groundings, iter(question_attention), count())

    def _run(
        self,
        program: Program,
        encoding: Encoding,
        groundings: Groundings,
        question_attention: Iterator[Tensor],
        find_indices: Iterator[int],
    ) -> Step:
        attention = next(question_attention)
        find_index = 0 if program.children else next(find_indices)
        inputs = tuple(
            self._run(child, encoding, groundings, question_attention, find_indices)
            for child in program.children
        )
        context = Context(encoding, attention, groundings, find_index)
        output = self.library[program.name](context, *(step.output for step in inputs))
        return Step(program, attention, inputs, output, context.details)
