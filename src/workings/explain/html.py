"""HTML view of an explanation: a fragment for notebooks and web pages, or a whole page.

The HTML is complete without scripts and loads nothing from other addresses.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from workings.explain.explanation import ExplainedStep, Explanation, Share, Source, Weights
from workings.explain.shading import Excerpt, WeightedRange, shaded_excerpts
from workings.explain.word_groups import phrases
from workings.explain.wording import NONE, OTHER, labelled_weights, percent

_BAR_KINDS = ("numbers", "dates", "start", "end")
_SINGLE_RESULT_KINDS = ("numbers", "dates", "span")
_MAX_BARS = 6
_MAX_PHRASES = 4
_MIN_LISTED_WEIGHT = 0.0005


class WeightRow(NamedTuple):
    """One row of a bar chart or table; ``is_rest`` marks the totals of unlisted weight."""

    label: str
    weight: float
    is_rest: bool = False


@dataclass(frozen=True)
class WeightsView:
    """Weights of a step, prepared for the template."""

    label: str
    texts: tuple[tuple[Source, tuple[Excerpt, ...]], ...]
    bars: tuple[WeightRow, ...]
    table: tuple[WeightRow, ...]


class PassagePart(NamedTuple):
    """Characters of the passage, with the value read from them if there is one."""

    text: str
    value: str
    in_answer: bool


def to_page(explanation: Explanation, title: str = "workings") -> str:
    """Render a complete HTML page.

    Args:
        explanation: The explanation to show.
        title: Title of the page.
    """
    return standalone_page(title, to_fragment(explanation))


def standalone_page(title: str, body: str) -> str:
    """Wrap HTML in a page that needs no other file. ``body`` is not escaped."""
    return template("standalone.html").render(title=title, body=body)


def to_fragment(
    explanation: Explanation,
    *,
    assets: bool = True,
    actions: str = "",
    link: Callable[[str], str] | None = None,
) -> str:
    """Render a part of an HTML page.

    Args:
        explanation: The explanation to show.
        assets: Include the style sheet and the script. Without them, the page must include
            ``style()`` and ``script()`` itself.
        actions: HTML to place below the answer. It is not escaped.
        link: Returns the address that runs a given program; links the other programs to it.
    """
    key = hashlib.sha256(explanation.model_dump_json().encode()).hexdigest()[:8]
    return template("explanation.html").render(
        explanation=explanation,
        key=key,
        style=style() if assets else "",
        script=script() if assets else "",
        actions=Markup(actions),
        link=link,
        passage=_passage_parts(explanation),
        summaries={step.number: _summary(step.output, explanation) for step in explanation.steps},
        views={step.number: list(_views(step, explanation)) for step in explanation.steps},
        depths=_depths(explanation),
    )


def style() -> str:
    """Return the style sheet of fragments."""
    return _asset("explanation.css")


def script() -> str:
    """Return the script that makes the attention slider work; the rest works without it."""
    return _asset("explanation.js")


@cache
def _asset(name: str) -> str:
    return (files("workings.explain") / name).read_text("utf-8")


@cache
def template(name: str, package: str = "workings.explain") -> Template:
    """Load a template of a package; it escapes all text."""
    environment = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    return environment.get_template(name)


def _summary(weights: Weights, explanation: Explanation) -> tuple[str, str]:
    """Return the result of a step in a few words, and its probability if it is one value."""
    best = weights.top[:1]
    if best and weights.kind in _SINGLE_RESULT_KINDS:
        return best[0].text, percent(best[0].weight)
    texts = [share.text for share in phrases(weights, explanation)[:_MAX_PHRASES]]
    return " · ".join(texts) or NONE, ""


def _views(step: ExplainedStep, explanation: Explanation) -> Iterator[WeightsView]:
    for label, weights in labelled_weights(step):
        yield _view(label, weights, explanation)


def _view(label: str, weights: Weights, explanation: Explanation) -> WeightsView:
    show_bars = weights.kind in _BAR_KINDS
    rows = [WeightRow(share.text, share.weight) for share in weights.top]
    unlisted = sum(row.weight for row in rows[_MAX_BARS:])
    none = WeightRow(NONE, weights.nothing, True)
    bars = [*rows[:_MAX_BARS], WeightRow(OTHER, weights.other + unlisted, True), none]
    table = [*rows, WeightRow(OTHER, weights.other, True), none]
    return WeightsView(
        label=label,
        texts=() if show_bars else tuple(_shaded_texts(weights, explanation)),
        bars=tuple(_listed(bars)) if show_bars else (),
        table=tuple(_listed(table)),
    )


def _listed(rows: list[WeightRow]) -> Iterator[WeightRow]:
    return (row for row in rows if row.weight >= _MIN_LISTED_WEIGHT)


def _shaded_texts(
    weights: Weights, explanation: Explanation
) -> Iterator[tuple[Source, tuple[Excerpt, ...]]]:
    texts: dict[Source, str] = {"question": explanation.question, "passage": explanation.passage}
    for source, text in texts.items():
        ranges = list(_weighted_ranges(weights.shares, source))
        if ranges:
            yield source, tuple(shaded_excerpts(text, ranges))


def _weighted_ranges(shares: tuple[Share, ...], source: Source) -> Iterator[WeightedRange]:
    for share in shares:
        if share.place is not None and share.place.source == source:
            yield share.place.start, share.place.end, share.weight


def _passage_parts(explanation: Explanation) -> list[PassagePart]:
    """Split the passage at the edges of its values, the answer and the operands."""
    values = {(v.place.start, v.place.end): v.text for v in explanation.values}
    equation = explanation.equation
    operands = [operand.place for operand in equation.operands] if equation else []
    places = (*explanation.answer.places, *operands)
    answer = [place for place in places if place is not None and place.source == "passage"]
    edges = {0, len(explanation.passage), *(edge for span in values for edge in span)}
    edges |= {edge for place in answer for edge in (place.start, place.end)}
    parts = []
    for start, end in pairwise(sorted(edges)):
        inside = (text for (a, b), text in values.items() if a <= start and end <= b)
        in_answer = any(place.start <= start and end <= place.end for place in answer)
        value = "; ".join(dict.fromkeys(inside))
        parts.append(PassagePart(explanation.passage[start:end], value, in_answer))
    return parts


def _depths(explanation: Explanation) -> dict[int, int]:
    """Return the depth of each step in the program, by step number; the root has depth 0."""
    depths = {len(explanation.steps): 0}
    for step in reversed(explanation.steps):
        depths |= dict.fromkeys(step.inputs, depths[step.number] + 1)
    return depths
