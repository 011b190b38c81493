"""Finds modules of the registry by the attributes that their classes declare."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, TypeAlias

from workings.arithmetic.operation import ADDITION, SUBTRACTION, Operation
from workings.modules import REGISTRY, Module
from workings.modules._extreme import Extreme

ModuleClass: TypeAlias = type[Module]
Compared: TypeAlias = Literal["num", "date"]


def extremes() -> list[ModuleClass]:
    """The modules that find the largest or the smallest number."""
    return [module for module in REGISTRY.values() if issubclass(module, Extreme)]


def extreme_name(*, smallest: bool) -> str:
    """The module that finds the smallest or the largest number."""
    return next(module.name for module in extremes() if module.prefers_smaller == smallest)


def extreme_of(name: str, numbers: Iterable[Fraction]) -> Fraction:
    """The number that an extreme module finds among some numbers."""
    return min(numbers) if REGISTRY[name].prefers_smaller else max(numbers)


def comparisons(compared: Compared) -> list[ModuleClass]:
    """The modules that choose one of two events by their numbers or by their dates."""
    return [module for module in REGISTRY.values() if module.compares == compared]


def comparison_name(compared: Compared, *, smaller: bool) -> str:
    """The module that chooses the event with the smaller or larger value."""
    modules = comparisons(compared)
    return next(module.name for module in modules if module.prefers_smaller == smaller)


def chooses_first(name: str, *, first_is_smaller: bool) -> bool:
    """Whether a comparison module chooses the first of two different values."""
    return REGISTRY[name].prefers_smaller == first_is_smaller


def with_operation(operation: Operation) -> list[ModuleClass]:
    """The modules with an operation."""
    return [module for module in REGISTRY.values() if module.operation == operation]


def other_operations() -> list[tuple[ModuleClass, Operation]]:
    """The modules whose operation is neither addition nor subtraction, with the operation.

    Sums and differences have rules of their own, for up to three numbers.
    """
    own_rules = (ADDITION.expression, SUBTRACTION.expression)
    return [
        (module, module.operation)
        for module in REGISTRY.values()
        if module.operation is not None and module.operation.expression not in own_rules
    ]


def has_added_modules() -> bool:
    """Whether modules are registered that are not part of the package."""
    return any(not module.__module__.startswith("workings.") for module in REGISTRY.values())


def declarations() -> list[str]:
    """Everything that supervision reads from the classes of the registered modules."""
    return [
        repr((m.name, m.operation, sorted(m.cues), m.compares, m.prefers_smaller))
        for m in REGISTRY.values()
    ]


def modules_by_cue(modules: Iterable[ModuleClass]) -> dict[str, str]:
    """The names of modules by the question words that ask for them."""
    return {cue: module.name for module in modules for cue in module.cues}
