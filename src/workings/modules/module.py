"""The base class of modules, the context they run in, and the registry that lists them."""

import inspect
import re
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from jaxtyping import Float
from torch import Tensor, nn

from workings.arithmetic.operation import Operation
from workings.encoder.encoding import Encoding
from workings.ops.grounding import Groundings
from workings.ops.results import Result, StepDetails
from workings.settings import ModuleSettings

REGISTRY: dict[str, type["Module"]] = {}

# The names that a program can contain.
_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Context:
    """The input of a step beside the results of earlier steps.

    Attributes:
        encoding: The encoded questions and passages.
        question_attention: The programmer's attention over the question at this step.
        groundings: The shared groundings of numbers and dates.
        find_index: How many steps without inputs, such as finds, come before this one.
        details: Intermediate results, recorded by the module.
    """

    encoding: Encoding
    question_attention: Float[Tensor, "b n"]
    groundings: Groundings
    find_index: int = 0
    details: StepDetails = field(default_factory=StepDetails)


@dataclass(frozen=True)
class Signature:
    """The types that one form of a module takes and gives."""

    name: str
    takes: tuple[type[Result], ...]
    gives: type[Result]

    def __str__(self) -> str:
        inside = ", ".join(kind.word for kind in self.takes)
        return f"{self.name}{f'({inside})' if inside else ''} → {self.gives.word}"

    @property
    def key(self) -> str:
        """The production's name; the arity distinguishes the forms of one module."""
        return f"{self.name}/{len(self.takes)}"


class Module(nn.Module):
    """One operation of the language, registered by the name given to its class.

    The docstring of a subclass is the sentence that people read; the type hints of ``forward`` are
    its type in the grammar. Supervision, synthetic data and analysis read the class attributes, so
    that a new module is one file.

    Attributes:
        name: Name in programs; set by ``class Add(Module, name="add")``.
        example: A question that needs the module.
        uses_question: Whether the module reads the question attention of its step.
        needs: "numbers", "dates" or "times" if the passage must contain some, "question numbers" if
            the question must.
        operation: The exact operation of a module that combines two numbers. Supervision derives
            such a module from evidence that matches the operation's expression, and by search.
        cues: Lower-case question words that ask for the module.
        compares: "num" or "date" for a module that chooses one of two events by their values.
        prefers_smaller: Whether a comparison chooses the smaller number or the earlier date.
        keeps_place: Whether the input should attend to the same words as the output.
        takes_several: Whether the input may attend to several mentions.
        exact_words: Whether the output must attend to the words of its target; for other modules
            the sentence of the target is enough.
        error_category: The category in which error analysis counts a wrong output.
    """

    name: ClassVar[str]
    example: ClassVar[str]
    uses_question: ClassVar[bool] = False
    needs: ClassVar[Literal["", "numbers", "dates", "times", "question numbers"]] = ""
    operation: ClassVar[Operation | None] = None
    cues: ClassVar[frozenset[str]] = frozenset()
    compares: ClassVar[Literal["", "num", "date"]] = ""
    prefers_smaller: ClassVar[bool] = False
    keeps_place: ClassVar[bool] = False
    takes_several: ClassVar[bool] = False
    exact_words: ClassVar[bool] = False
    error_category: ClassVar[str] = "find"

    def __init_subclass__(cls, *, name: str = "", **options: object) -> None:
        super().__init_subclass__(**options)
        if name:
            _check_description(cls, name)
            cls.name = name
            REGISTRY[name] = cls

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__()
        self.settings = settings

    @classmethod
    def commutes(cls, settings: ModuleSettings) -> bool:  # noqa: ARG003 (subclasses use it)
        """Whether the inputs may change places without changing the result."""
        return cls.operation is not None and cls.operation.commutative

    @classmethod
    def sentence(cls) -> str:
        """The sentence that explains the module to people."""
        return inspect.getdoc(cls) or ""

    @classmethod
    def signatures(cls) -> tuple[Signature, ...]:
        """The module's types, from the hints of ``forward``; optional inputs give shorter forms."""
        hints = get_type_hints(cls.forward)
        parameters = list(inspect.signature(cls.forward).parameters.values())[2:]
        takes = tuple(_result_type(hints[p.name]) for p in parameters)
        required = sum(p.default is inspect.Parameter.empty for p in parameters)
        return tuple(
            Signature(cls.name, takes[:arity], _result_type(hints["return"]))
            for arity in range(required, len(takes) + 1)
        )


def _check_description(module: type[Module], name: str) -> None:
    """Fail if a module lacks a part that programs or people need."""
    if not _NAME.fullmatch(name):
        raise TypeError(f"{name!r} is no module name: use lower-case letters, digits and hyphens")
    if not vars(module).get("__doc__"):
        raise TypeError(f"module {name!r} has no docstring, which is the sentence people read")
    if not getattr(module, "example", ""):
        raise TypeError(f"module {name!r} has no example question")


def _result_type(hint: object) -> type[Result]:
    """The result type of a type hint; ``X | None`` is an optional X."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if not (isinstance(hint, type) and issubclass(hint, Result)):
        raise TypeError(f"{hint} is not a result type")
    return hint


def all_signatures(modules: Mapping[str, type[Module]]) -> tuple[Signature, ...]:
    """Every form of every module, in a fixed order."""
    return tuple(form for name in sorted(modules) for form in modules[name].signatures())
