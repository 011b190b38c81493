"""The network joins encoder, programmer and interpreter."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from tokenizers import Tokenizer
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.encoder.transformer import Encoder
from workings.modules import REGISTRY
from workings.modules.filter import Filter
from workings.network.grammar import Grammar
from workings.network.interpreter import Interpreter, Step
from workings.network.programmer import Programmer
from workings.program import Program
from workings.settings import Recipe


@dataclass(frozen=True)
class Execution:
    """One program, run on all rows of a batch that requested it.

    Attributes:
        program: The program.
        requests: Indices of the requests it answers.
        rows: The rows of the original encoding, one for each request.
        encoding: These rows of the encoding.
        step: The last step, with all others below it.
    """

    program: Program
    requests: tuple[int, ...]
    rows: tuple[int, ...]
    encoding: Encoding
    step: Step


class Network(nn.Module):
    """Encodes questions and passages, writes programs and runs them."""

    def __init__(
        self, recipe: Recipe, encoder: Encoder, tokenizer: Tokenizer, trained: Iterable[str] = ()
    ) -> None:
        """Build a network around an encoder.

        Args:
            recipe: The settings.
            encoder: The encoder.
            tokenizer: The encoder's tokenizer.
            trained: Names of the modules that the programmer may write; all modules by default.
        """
        super().__init__()
        self.recipe, self.tokenizer, self.encoder = recipe, tokenizer, encoder
        self.grammar = Grammar.of(REGISTRY)
        usable = set(trained) or set(REGISTRY)
        if recipe.modules.filter == "none":
            usable.discard(Filter.name)
        self.programmer = Programmer(encoder.width, recipe.programmer, self.grammar, usable)
        self.interpreter = Interpreter(encoder.width, recipe.modules, REGISTRY)

    @property
    def modules_trained(self) -> list[str]:
        """The modules that the programmer may write."""
        forms = zip(self.grammar.signatures, self.programmer.usable, strict=True)
        return sorted({form.name for form, usable in forms if usable})

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that are not pretrained."""
        yield from self.programmer.named_parameters("programmer")
        yield from self.interpreter.named_parameters("interpreter")
        yield from self.encoder.new_parameters()

    def run(
        self,
        encoding: Encoding,
        requests: Sequence[tuple[int, Program]],
        question_attention: Sequence[Float[Tensor, "_s n"]],
    ) -> list[Execution]:
        """Run programs; requests that share a program run together on stacked tensors.

        Args:
            encoding: The encoded batch.
            requests: A row of the batch and a program for each request.
            question_attention: The question attention of each request's steps.
        """
        groups: dict[Program, list[int]] = {}
        for index, (_, program) in enumerate(requests):
            groups.setdefault(program, []).append(index)
        groundings, executions = self.interpreter.groundings.with_cache(), []
        for program, indices in groups.items():
            rows = tuple(requests[index][0] for index in indices)
            steps = sum(1 for _ in program.walk())
            attention = torch.stack([question_attention[i][:steps] for i in indices], 1).unbind()
            selected = encoding.select(rows)
            step = self.interpreter(program, selected, attention, groundings)
            executions.append(Execution(program, tuple(indices), rows, selected, step))
        return executions
