"""Programs without text filters, for models whose finds select by all words of the question."""

from collections.abc import Sequence
from dataclasses import replace

from workings.modules.filter import Filter
from workings.program import Program
from workings.supervision.derivation import StepTarget


def without_filters(
    program: Program, targets: Sequence[StepTarget]
) -> tuple[Program, tuple[StepTarget, ...]]:
    """Remove every filter from a program.

    Args:
        program: The program.
        targets: The targets of its steps.

    Returns:
        The shorter program and its targets. The step below a filter takes over the filter's
        target, since it now has to find the words that the filter kept. If several filters
        follow each other, the target of the outermost is taken.
    """
    kept: list[int] = []  # the old index of each remaining step
    stands_for: dict[int, int] = {}  # the old index of the step that a filter is replaced by

    def rebuild(node: Program, index: int) -> tuple[Program, int]:
        """The node without filters, and the old index after its last step."""
        if node.name == Filter.name:
            stands_for[index] = index + 1
            return rebuild(node.children[0], index + 1)
        kept.append(index)
        children, following = [], index + 1
        for child in node.children:
            rebuilt, following = rebuild(child, following)
            children.append(rebuilt)
        return Program(node.name, tuple(children)), following

    shorter, _ = rebuild(program, 0)
    new_index = {old: new for new, old in enumerate(kept)}
    moved: dict[int, StepTarget] = {}
    for target in sorted(targets, key=lambda target: target.step):  # a filter before its input
        step = target.step
        while step in stands_for:
            step = stands_for[step]
        moved.setdefault(new_index[step], replace(target, step=new_index[step]))
    return shorter, tuple(moved[step] for step in sorted(moved))
