"""Terminal view of an explanation: answer, program, tree of steps, other programs."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from workings.explain.explanation import ExplainedStep, Explanation, Weights
from workings.explain.word_groups import phrases
from workings.explain.wording import NONE, OTHER, labelled_weights, percent

_MAX_ITEMS = 4
_BAR_CHARS = 20


def to_text(explanation: Explanation, width: int = 100) -> str:
    """Render as plain text without colour.

    Args:
        explanation: The explanation to show.
        width: Line length in characters.
    """
    console = Console(width=width, color_system=None, force_terminal=False, highlight=False)
    with console.capture() as capture:
        console.print(to_renderable(explanation))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).rstrip()


def to_renderable(explanation: Explanation) -> RenderableType:
    """Build the object that a rich console prints, with colours."""
    root = explanation.steps[-1]
    tree = _add_inputs(Tree(_step(root, explanation), guide_style="dim"), explanation, root)
    alternatives = _alternatives(explanation)
    sentence = [Text(explanation.sentence)] if explanation.sentence else []
    head = (_answer(explanation), *sentence, _program(explanation), Text())
    return Group(*head, tree, *alternatives)


def _answer(explanation: Explanation) -> Text:
    style = "yellow" if explanation.abstained else "bold green"
    confidence = f"   {percent(explanation.confidence)} confidence"
    return Text.assemble((str(explanation.answer), style), (confidence, "dim"))


def _program(explanation: Explanation) -> Text:
    # The probability of a program that the user wrote is 1, which needs no mention.
    certain = explanation.probability == 1
    probability = "" if certain else f"   {percent(explanation.probability)}"
    return Text.assemble((explanation.program, "bold"), (probability, "dim"))


def _add_inputs(tree: Tree, explanation: Explanation, step: ExplainedStep) -> Tree:
    for number in step.inputs:
        child = explanation.step(number)
        _add_inputs(tree.add(_step(child, explanation)), explanation, child)
    return tree


def _step(step: ExplainedStep, explanation: Explanation) -> RenderableType:
    head = Text.assemble((f"{step.number} ", "dim"), (step.signature, "bold cyan"))
    rows = Table.grid(padding=(0, 2))
    for label, weights in labelled_weights(step):
        has_words = any(share.place for share in weights.shares)
        shown = _words(weights, explanation) if has_words else _bars(weights)
        rows.add_row(Text(label, "dim"), shown)
    return Group(head, Text(step.sentence, "italic"), rows)


def _words(weights: Weights, explanation: Explanation) -> Text:
    heaviest = phrases(weights, explanation)[:_MAX_ITEMS]
    parts = [Text.assemble(share.text, (f" {percent(share.weight)}", "dim")) for share in heaviest]
    return Text(" · ", "dim").join(parts)


def _bars(weights: Weights) -> Table:
    rows = [(share.text, share.weight) for share in weights.top[:_MAX_ITEMS]]
    other = weights.other + sum(share.weight for share in weights.top[_MAX_ITEMS:])
    rest = ((OTHER, other), (NONE, weights.nothing))
    rows += [(label, weight) for label, weight in rest if weight >= 0.005]
    bars = Table.grid(padding=(0, 1))
    bars.add_column(justify="right")
    for label, weight in rows:
        bar = Text("█" * max(round(weight * _BAR_CHARS), 1), "cyan")
        bars.add_row(Text(label), bar.append(f" {percent(weight)}", "default"))
    return bars


def _alternatives(explanation: Explanation) -> Iterator[RenderableType]:
    if explanation.alternatives:
        rows = Table.grid(padding=(0, 2))
        rows.add_column(justify="right", style="dim")
        for other in explanation.alternatives:
            answer = Text(str(other.answer), "green")
            rows.add_row(percent(other.probability), answer, Text(other.program))
        yield Group(Text("\nOther programs", "dim"), rows)
