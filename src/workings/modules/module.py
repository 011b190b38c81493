"""What a module is: a small typed function over results, known by being in this folder."""

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Union, get_args, get_origin, get_type_hints

from jaxtyping import Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.ops.grounding import Groundings
from workings.ops.results import Result
from workings.settings import ModuleSettings

REGISTRY: dict[str, type["Module"]] = {}


@dataclass(frozen=True)
class Context:
    """What a step sees beside its inputs: the texts, and the words of the question it is about."""

    encoding: Encoding
    question_attention: Float[Tensor, "b n"]
    groundings: Groundings
    order: int = 0  # how many finds the program has before this one
    notes: dict[str, Result] = field(default_factory=dict)

    def note(self, name: str, result: Result) -> None:
        """Keep something the step worked out on its way, to be shown and supervised."""
        self.notes[name] = result


@dataclass(frozen=True)
class Signature:
    """Which types a module takes and which it gives, with one entry for each allowed arity."""

    name: str
    takes: tuple[type[Result], ...]
    gives: type[Result]

    def __str__(self) -> str:
        inside = ", ".join(kind.word for kind in self.takes)
        return f"{self.name}{f'({inside})' if inside else ''} → {self.gives.word}"

    @property
    def key(self) -> str:
        """The production's name: arity tells the forms of one module apart."""
        return f"{self.name}/{len(self.takes)}"


class Module(nn.Module):
    """One operation: its docstring is the sentence people read, ``forward``'s hints its type."""

    name: ClassVar[str]
    example: ClassVar[str]
    asks: ClassVar[bool] = False  # whether it looks at the words of the question itself
    needs: ClassVar[str] = ""  # "numbers" or "dates", if the passage must hold some

    def __init_subclass__(cls, *, name: str = "", **options: object) -> None:
        super().__init_subclass__(**options)
        if name:
            cls.name = name
            REGISTRY[name] = cls

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__()
        self.settings = settings

    @classmethod
    def sentence(cls) -> str:
        return inspect.getdoc(cls) or ""

    @classmethod
    def signatures(cls) -> tuple[Signature, ...]:
        """Read off ``forward``: what follows the context; optional ones make shorter forms."""
        hints = get_type_hints(cls.forward)
        parameters = list(inspect.signature(cls.forward).parameters.values())[2:]
        takes = tuple(_result_type(hints[p.name]) for p in parameters)
        least = sum(p.default is inspect.Parameter.empty for p in parameters)
        return tuple(
            Signature(cls.name, takes[:arity], _result_type(hints["return"]))
            for arity in range(least, len(takes) + 1)
        )


def _result_type(hint: object) -> type[Result]:
    """The result type of a parameter, ``X | None`` meaning an optional X."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if not (isinstance(hint, type) and issubclass(hint, Result)):
        raise TypeError(f"{hint} is no type of result")
    return hint


def all_signatures(modules: Mapping[str, type[Module]]) -> tuple[Signature, ...]:
    """Every form of every module, in a fixed order."""
    return tuple(form for name in sorted(modules) for form in modules[name].signatures())
