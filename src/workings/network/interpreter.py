"""The interpreter: runs a program over a batch and keeps every step. Explaining is running."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from jaxtyping import Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.modules import Context, Module
from workings.ops.grounding import Groundings
from workings.ops.results import Result
from workings.program import Program
from workings.settings import ModuleSettings


@dataclass(frozen=True)
class Step:
    """One module as it ran: what it was asked, what it was given, what it gave."""

    program: Program
    question_attention: Float[Tensor, "b n"]
    inputs: "tuple[Step, ...]"
    output: Result
    notes: Mapping[str, Result] = field(default_factory=dict)

    def walk(self) -> "Iterator[Step]":
        """This step and those below it, in the order of ``Program.walk``."""
        yield self
        for step in self.inputs:
            yield from step.walk()


class Interpreter(nn.Module):
    """The modules with their weights, and the one way to run them."""

    def __init__(
        self, width: int, settings: ModuleSettings, modules: Mapping[str, type[Module]]
    ) -> None:
        super().__init__()
        self.groundings = Groundings(width, settings)
        self.library = nn.ModuleDict({n: make(width, settings) for n, make in modules.items()})

    def forward(
        self,
        program: Program,
        encoding: Encoding,
        asked: Sequence[Float[Tensor, "b n"]],
        groundings: Groundings | None = None,
    ) -> Step:
        """Run one program on all rows; ``asked`` holds each step's question attention, in order.

        Programs that are run together may share groundings that remember.
        """
        groundings = groundings or self.groundings.with_cache()
        return self._run(program, encoding, groundings, iter(asked), count())

    def _run(
        self,
        program: Program,
        encoding: Encoding,
        groundings: Groundings,
        asked: Iterator[Tensor],
        leaves: Iterator[int],
    ) -> Step:
        mine = next(asked)
        order = 0 if program.children else next(leaves)
        inputs = tuple(
            self._run(child, encoding, groundings, asked, leaves) for child in program.children
        )
        context = Context(encoding, mine, groundings, order)
        output = self.library[program.name](context, *(step.output for step in inputs))
        return Step(program, mine, inputs, output, context.notes)
