"""An explanation in a terminal: the answer first, then the program, then its tree of steps."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from workings.explain.explanation import ExplainedStep, Explanation, Weights
from workings.explain.word_groups import phrases
from workings.explain.wording import percent

_MOST = 4
_BAR = 20


def to_text(explanation: Explanation, width: int = 100) -> str:
    """Plain text without colour."""
    console = Console(width=width, color_system=None, force_terminal=False, highlight=False)
    with console.capture() as caught:
        console.print(to_renderable(explanation))
    return "\n".join(line.rstrip() for line in caught.get().splitlines()).rstrip()


def to_renderable(explanation: Explanation) -> RenderableType:
    """What a rich console prints, in colour where it can."""
    last = explanation.steps[-1]
    tree = _grow(Tree(_step(last, explanation), guide_style="dim"), explanation, last)
    return Group(_answer(explanation), _program(explanation), Text(), tree, *_next(explanation))


def _answer(explanation: Explanation) -> Text:
    style = "yellow" if explanation.abstained else "bold green"
    return Text.assemble(
        (str(explanation.answer), style), (f"   {percent(explanation.confidence)} sure", "dim")
    )


def _program(explanation: Explanation) -> Text:
    known = "" if explanation.probability == 1 else f"   {percent(explanation.probability)}"
    return Text.assemble((explanation.program, "bold"), (known, "dim"))


def _grow(tree: Tree, explanation: Explanation, step: ExplainedStep) -> Tree:
    for number in step.inputs:
        given = explanation.step(number)
        _grow(tree.add(_step(given, explanation)), explanation, given)
    return tree


def _step(step: ExplainedStep, explanation: Explanation) -> RenderableType:
    head = Text.assemble((f"{step.number} ", "dim"), (step.signature, "bold cyan"))
    views = {"asked": step.asked, **step.notes, "gives": step.output}
    rows = Table.grid(padding=(0, 2))
    for name, weights in views.items():
        if weights is not None:
            shown = _words(weights, explanation) if _are_words(weights) else _bars(weights)
            rows.add_row(Text(name, "dim"), shown)
    return Group(head, Text(step.sentence, "italic"), rows)


def _are_words(weights: Weights) -> bool:
    return any(share.place for share in weights.shares)


def _words(weights: Weights, explanation: Explanation) -> Text:
    most = phrases(weights, explanation)[:_MOST]
    parts = [Text.assemble(one.text, (f" {percent(one.weight)}", "dim")) for one in most]
    return Text(" · ", "dim").join(parts)


def _bars(weights: Weights) -> Table:
    rows = [(share.text, share.weight) for share in weights.top[:_MOST]]
    rest = weights.other + sum(share.weight for share in weights.top[_MOST:])
    rows += [(name, w) for name, w in (("other", rest), ("nothing", weights.nothing)) if w >= 0.005]
    bars = Table.grid(padding=(0, 1))
    bars.add_column(justify="right")
    for label, weight in rows:
        bar = Text("█" * max(round(weight * _BAR), 1), "cyan")
        bars.add_row(Text(label), bar.append(f" {percent(weight)}", "default"))
    return bars


def _next(explanation: Explanation) -> Iterator[RenderableType]:
    if explanation.alternatives:
        rows = Table.grid(padding=(0, 2))
        rows.add_column(justify="right", style="dim")
        for other in explanation.alternatives:
            answer = Text(str(other.answer), "green")
            rows.add_row(percent(other.probability), answer, Text(other.program))
        yield Group(Text("\nother programs", "dim"), rows)
