"""HTML view of an explanation: a fragment for notebooks and web pages, or a whole page.

The HTML is complete without scripts and loads nothing from other addresses.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from workings.explain.explanation import ExplainedStep, Explanation, Share, Source, Weights
from workings.explain.marked_passage import marked_passage
from workings.explain.parts_read import shown_parts
from workings.explain.shading import Excerpt, WeightedRange, shaded_excerpts
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
    steps_from_the_root,
)

_BAR_KINDS = ("numbers", "dates", "start", "end")
_MAX_BARS = 6
_MIN_LISTED_WEIGHT = 0.0005
# Passages up to this length are shown whole; of longer ones the text around the marks.
_FULL_PASSAGE_CHARS = 1500
_CONTEXT_CHARS = 300


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
        actions: HTML to place below the program. It is not escaped.
        link: Returns the address that runs a given program; links the other programs to it.
    """
    read, explanation = parts_sentence(explanation), shown_parts(explanation)
    key = hashlib.sha256(explanation.model_dump_json().encode()).hexdigest()[:8]
    return template("explanation.html").render(
        explanation=explanation,
        read=read,
        key=key,
        style=style() if assets else "",
        script=script() if assets else "",
        actions=Markup(actions),
        link=link,
        reason=reason(explanation),
        confidence=confidence_text(explanation),
        passage=marked_passage(
            explanation, full_chars=_FULL_PASSAGE_CHARS, context_chars=_CONTEXT_CHARS
        ),
        steps=steps_from_the_root(explanation),
        summaries={step.number: result_summary(step, explanation) for step in explanation.steps},
        views={step.number: list(_views(step, explanation)) for step in explanation.steps},
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
    environment.filters["percent"] = format_percent
    return environment.get_template(name)


def _views(step: ExplainedStep, explanation: Explanation) -> Iterator[WeightsView]:
    for label, weights in labelled_weights(step):
        yield _view(label, weights, explanation)


def _view(label: str, weights: Weights, explanation: Explanation) -> WeightsView:
    show_bars = weights.kind in _BAR_KINDS
    rows = [WeightRow(share.text, share.weight) for share in weights.top]
    drawn = [row for row in rows[:_MAX_BARS] if is_shown(row.weight)]
    unlisted = sum(row.weight for row in rows[len(drawn) :])
    none = WeightRow(NONE, weights.nothing, True)
    rest = [WeightRow(OTHER, weights.other + unlisted, True), none]
    table = [*rows, WeightRow(OTHER, weights.other, True), none]
    return WeightsView(
        label=label,
        texts=() if show_bars else tuple(_shaded_texts(weights, explanation)),
        bars=(*drawn, *(row for row in rest if is_shown(row.weight))) if show_bars else (),
        table=tuple(row for row in table if row.weight >= _MIN_LISTED_WEIGHT),
    )


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
