"""Terminal view of an explanation: answer, sentence, passage, program, steps, other programs."""

import re
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from workings.explain.explanation import ExplainedStep, Explanation, Weights
from workings.explain.marked_passage import marked_passage
from workings.explain.word_groups import phrases
from workings.explain.wording import (
    NONE,
    OTHER,
    confidence_text,
    format_percent,
    is_shown,
    labelled_weights,
    parts_sentence,
    reason,
    result_summary,
)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MAX_ITEMS = 4
_BAR_CHARS = 20
# Passages up to this length are shown whole; of longer ones the words around the marks.
_FULL_PASSAGE_CHARS = 240
_CONTEXT_CHARS = 50
_MARK_STYLES = {"used": "bold", "compared": "underline"}


def to_text(explanation: Explanation, width: int = 100, *, steps: bool = False) -> str:
    """Render as plain text without colour.

    Args:
        explanation: The explanation to show.
        width: Line length in characters.
        steps: Show the words and values of every step, not its result alone.
    """
    console = Console(width=width, color_system=None, force_terminal=False, highlight=False)
    with console.capture() as capture:
        console.print(to_renderable(explanation, steps=steps))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).rstrip()


def to_renderable(explanation: Explanation, *, steps: bool = False) -> RenderableType:
    """Build the object that a rich console prints, with colours.

    Args:
        explanation: The explanation to show.
        steps: Show the words and values of every step, not its result alone.
    """
    read = parts_sentence(explanation)
    return Group(
        _answer(explanation),
        *([Text(_printable(reason(explanation)))] if reason(explanation) else []),
        *([Text(read, "dim")] if read else []),
        Text(),
        Padding(_passage(explanation), (0, 0, 0, 2)),
        Text(),
        _program(explanation),
        _tree(explanation, explanation.steps[-1], steps=steps),
        *_alternatives(explanation),
    )


def _answer(explanation: Explanation) -> Text:
    style = "yellow" if explanation.abstained else "bold green"
    confidence = confidence_text(explanation)
    return Text.assemble(
        (_printable(str(explanation.answer)), style), (f"   {confidence}".rstrip(), "dim")
    )


def _printable(text: str) -> str:
    """Replace control characters: a passage must not send codes to the terminal."""
    return _CONTROL.sub("\ufffd", text)


def _passage(explanation: Explanation) -> Text:
    """The passage around the words that gave the answer, with these words in brackets."""
    text = Text()
    excerpts = marked_passage(
        explanation, full_chars=_FULL_PASSAGE_CHARS, context_chars=_CONTEXT_CHARS
    )
    for excerpt in excerpts:
        if not excerpt.shown:
            text.append(" … " if len(text) else "… ", "dim")
            continue
        for run in excerpt.runs:
            words = _printable(run.text.replace("\n", " "))
            shown = f"[{words}]" if run.mark == "used" else words
            text.append(shown, _MARK_STYLES.get(run.mark, ""))
    return text


def _program(explanation: Explanation) -> Text:
    # The probability of a program that the user wrote is 1, which needs no mention.
    certain = explanation.probability == 1
    probability = (
        "" if certain else f"   {format_percent(explanation.probability)} program probability"
    )
    return Text.assemble((explanation.program, "bold"), (probability, "dim"))


def _tree(explanation: Explanation, root: ExplainedStep, *, steps: bool) -> Tree:
    show = _open_step if steps else _folded_step

    def add_inputs(tree: Tree, step: ExplainedStep) -> Tree:
        for number in step.inputs:
            child = explanation.step(number)
            add_inputs(tree.add(show(child, explanation)), child)
        return tree

    return add_inputs(Tree(show(root, explanation), guide_style="dim"), root)


def _folded_step(step: ExplainedStep, explanation: Explanation) -> Text:
    result, probability = result_summary(step, explanation)
    return Text.assemble(
        (f"{step.number} ", "dim"),
        step.sentence.rstrip(".") + (": " if result else ""),
        (result, "bold"),
        (f" ({probability})" if probability else "", "dim"),
    )


def _open_step(step: ExplainedStep, explanation: Explanation) -> RenderableType:
    head = Text.assemble((f"{step.number} ", "dim"), (step.signature, "bold cyan"))
    rows = Table.grid(padding=(0, 2))
    for label, weights in labelled_weights(step):
        has_words = any(share.place for share in weights.shares)
        shown = _words(weights, explanation) if has_words else _bars(weights)
        rows.add_row(Text(label, "dim"), shown)
    return Group(head, Text(step.sentence, "italic"), rows)


def _words(weights: Weights, explanation: Explanation) -> Text:
    heaviest = [share for share in phrases(weights, explanation) if is_shown(share.weight)]
    parts = [
        Text.assemble(share.text, (f" {format_percent(share.weight)}", "dim"))
        for share in heaviest[:_MAX_ITEMS]
    ]
    return Text(" · ", "dim").join(parts) if parts else Text(NONE, "dim")


def _bars(weights: Weights) -> Table:
    shown = [share for share in weights.top[:_MAX_ITEMS] if is_shown(share.weight)]
    rows = [(share.text, share.weight) for share in shown]
    unlisted = sum(share.weight for share in weights.shares) - sum(weight for _, weight in rows)
    rest = ((OTHER, weights.other + unlisted), (NONE, weights.nothing))
    rows += [(label, weight) for label, weight in rest if is_shown(weight)]
    bars = Table.grid(padding=(0, 1))
    bars.add_column(justify="right")
    for label, weight in rows:
        bar = Text("█" * max(round(weight * _BAR_CHARS), 1), "cyan")
        bars.add_row(Text(label), bar.append(f" {format_percent(weight)}", "default"))
    return bars


def _alternatives(explanation: Explanation) -> Iterator[RenderableType]:
    if explanation.alternatives:
        rows = Table.grid(padding=(0, 2))
        rows.add_column(justify="right", style="dim")
        for other in explanation.alternatives:
            answer = Text(str(other.answer), "green")
            rows.add_row(format_percent(other.probability), answer, Text(other.program))
        yield Group(Text("\nOther programs, with their program probability", "dim"), rows)
