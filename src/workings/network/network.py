"""The whole network: encoder, programmer and interpreter."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.modules import REGISTRY
from workings.network.grammar import Grammar
from workings.network.interpreter import Interpreter, Step
from workings.network.programmer import Programmer
from workings.program import Program
from workings.settings import Recipe


@dataclass(frozen=True)
class Execution:
    """One program run on the rows of a batch that ask for it."""

    program: Program
    requests: tuple[int, ...]  # indices of the requests
    rows: tuple[int, ...]  # which rows of the encoding
    encoding: Encoding  # those rows
    step: Step


class Network(nn.Module):
    """Reads, writes programs and runs them."""

    def __init__(
        self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer, trained: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self.recipe, self.tokenizer, self.encoder = recipe, tokenizer, encoder
        self.grammar = Grammar.of(REGISTRY)
        known = set(trained) or set(REGISTRY)
        self.programmer = Programmer(encoder.width, recipe.programmer, self.grammar, known)
        self.interpreter = Interpreter(encoder.width, recipe.modules, REGISTRY)

    @property
    def modules_trained(self) -> list[str]:
        """The modules the programmer may write."""
        return sorted(
            {
                f.name
                for f, ok in zip(self.grammar.signatures, self.programmer.open, strict=True)
                if ok
            }
        )

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that no pretraining has touched."""
        yield from self.programmer.named_parameters("programmer")
        yield from self.interpreter.named_parameters("interpreter")
        yield from self.encoder.new_parameters()

    def run(
        self,
        encoding: Encoding,
        requests: Sequence[tuple[int, Program]],
        asked: Sequence[Float[Tensor, "_s n"]],
    ) -> list[Execution]:
        """Run each (row, program); those that share a program run together, on stacked tensors.

        ``asked[i][s]`` is the question attention of step s of request i.
        """
        groups: dict[Program, list[int]] = {}
        for place, (_, program) in enumerate(requests):
            groups.setdefault(program, []).append(place)
        groundings, found = self.interpreter.groundings.with_cache(), []
        for program, places in groups.items():
            rows = tuple(requests[place][0] for place in places)
            steps = sum(1 for _ in program.walk())
            looked = torch.stack([asked[place][:steps] for place in places], 1).unbind()
            selected = encoding.select(rows)
            step = self.interpreter(program, selected, looked, groundings)
            found.append(Execution(program, tuple(places), rows, selected, step))
        return found
