"""The interpreter runs a program on a batch and keeps the result of every step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from jaxtyping import Float
from torch import Tensor, nn

from workings.budget import check_budget
from workings.encoder.encoding import Encoding
from workings.modules import Context, Module
from workings.ops.grounding import Groundings
from workings.ops.results import Result, StepDetails
from workings.program import Program
from workings.settings import ModuleSettings

# Replaces the output of one step while the rest of the program runs as it is.
Intervention = Callable[[Result], Result]


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
        interventions: Mapping[int, Intervention] | None = None,
    ) -> Step:
        """Run one program on all rows of a batch.

        Args:
            program: A well-typed program.
            encoding: The encoded batch.
            question_attention: The question attention of each step, in the order of
                ``Program.walk``.
            groundings: Groundings with a cache, to be shared by programs that run together.
            interventions: Replacements of the outputs of some steps, by the step's position in
                ``Program.walk``; later steps read the replaced output.

        Returns:
            The last step, with all others below it.
        """
        groundings = groundings or self.groundings.with_cache()
        run = _Run(encoding, groundings, enumerate(question_attention), interventions or {})
        return self._execute(program, run)

    def _execute(self, program: Program, run: "_Run") -> Step:
        position, attention = next(run.question_attention)
        find_index = 0 if program.children else next(run.find_indices)
        inputs = tuple(self._execute(child, run) for child in program.children)
        check_budget()
        context = Context(run.encoding, attention, run.groundings, find_index)
        output = self.library[program.name](context, *(step.output for step in inputs))
        if position in run.interventions:
            output = run.interventions[position](output)
        return Step(program, attention, inputs, output, context.details)


@dataclass(frozen=True)
class _Run:
    """The state of one execution: each step takes the next attention and position."""

    encoding: Encoding
    groundings: Groundings
    question_attention: Iterator[tuple[int, Tensor]]
    interventions: Mapping[int, Intervention]
    find_indices: Iterator[int] = field(default_factory=count)
