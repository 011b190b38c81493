"""An explanation as HTML: one fragment for notebooks and pages, whole without scripts or links."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from workings.explain.explanation import ExplainedStep, Explanation, Share, Weights
from workings.explain.shading import Excerpt, shaded_excerpts
from workings.explain.word_groups import phrases
from workings.explain.wording import percent

_NAMES = {"asked": "looks for", "question": "of the question", "start": "begins", "end": "ends"}
_BARRED = ("numbers", "dates", "start", "end")
_SINGLE = ("numbers", "dates", "span")
_MOST_BARS = 6
_MOST_WORDS = 4


@dataclass(frozen=True)
class View:
    """One thing a step looked at or gave, ready to be drawn."""

    name: str
    kind: str
    texts: tuple[tuple[str, tuple[Excerpt, ...]], ...]  # where, and its shaded words
    bars: tuple[tuple[str, float], ...]
    table: tuple[tuple[str, float], ...]


def to_page(explanation: Explanation, title: str = "workings") -> str:
    """A page of its own, with everything inside."""
    return template("page.html").render(title=title, body=to_fragment(explanation))


def to_fragment(
    explanation: Explanation,
    *,
    assets: bool = True,
    actions: str = "",
    link: Callable[[str], str] | None = None,
) -> str:
    """A part of a page. Without ``assets`` the page must bring ``style`` and ``script`` itself.

    Below the answer stand the page's ``actions``, as HTML; ``link`` tells where a program is run.
    """
    key = hashlib.sha256(explanation.model_dump_json().encode()).hexdigest()[:8]
    return template("explanation.html").render(
        found=explanation,
        key=key,
        style=style() if assets else "",
        script=script() if assets else "",
        actions=Markup(actions),
        link=link,
        passage=_passage(explanation),
        gists={step.number: _gist(step.output, explanation) for step in explanation.steps},
        views={step.number: list(_views(step, explanation)) for step in explanation.steps},
        depths=_depths(explanation),
    )


def style() -> str:
    """The style sheet of fragments."""
    return _asset("explanation.css")


def script() -> str:
    """The small script that moves the slider; all is readable without it."""
    return _asset("explanation.js")


@cache
def _asset(name: str) -> str:
    return (files("workings.explain") / name).read_text("utf-8")


@cache
def template(name: str, package: str = "workings.explain") -> Template:
    """A page's template, which escapes whatever it is given."""
    environment = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    return environment.get_template(name)


def _gist(weights: Weights, explanation: Explanation) -> tuple[str, str]:
    """What a step gave, in a few words; and how likely it is, if it is one thing."""
    best = weights.top[:1]
    if best and weights.kind in _SINGLE:
        return best[0].text, percent(best[0].weight)
    texts = [share.text for share in phrases(weights, explanation)[:_MOST_WORDS]]
    return " · ".join(texts) or "nothing", ""


def _views(step: ExplainedStep, explanation: Explanation) -> Iterator[View]:
    given = {"asked": step.asked, **step.notes, "gives": step.output}
    for name, weights in given.items():
        if weights is not None:
            yield _view(_NAMES.get(name, name), weights, explanation)


def _view(name: str, weights: Weights, explanation: Explanation) -> View:
    barred = weights.kind in _BARRED
    rows = [(share.text, share.weight) for share in weights.top]
    rest = [("other", weights.other), ("nothing", weights.nothing)]
    hidden = sum(weight for _, weight in rows[_MOST_BARS:])
    bars = [*rows[:_MOST_BARS], ("other", weights.other + hidden), rest[1]]
    return View(
        name=name,
        kind=weights.kind,
        texts=() if barred else tuple(_shaded(weights, explanation)),
        bars=tuple(_notable(bars)) if barred else (),
        table=tuple(_notable([*rows, *rest])),
    )


def _notable(rows: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    return ((label, weight) for label, weight in rows if weight >= 0.0005)


def _shaded(
    weights: Weights, explanation: Explanation
) -> Iterator[tuple[str, tuple[Excerpt, ...]]]:
    for where, text in (("question", explanation.question), ("passage", explanation.passage)):
        spans = list(_spans(weights.shares, where))
        if spans:
            yield where, tuple(shaded_excerpts(text, spans))


def _spans(shares: tuple[Share, ...], where: str) -> Iterator[tuple[int, int, float]]:
    for share in shares:
        if share.place is not None and share.place.source == where:
            yield share.place.start, share.place.end, share.weight


def _passage(explanation: Explanation) -> list[tuple[str, str, bool]]:
    """The passage in pieces: text, the value read there, whether it is of the answer."""
    read = {(v.place.start, v.place.end): v.text for v in explanation.values}
    told = [p for p in explanation.answer.places if p.source == "passage"]
    edges = {0, len(explanation.passage), *(edge for span in read for edge in span)}
    edges |= {edge for place in told for edge in (place.start, place.end)}
    order = sorted(edges)
    pieces = []
    for start, end in pairwise(order):
        value = "; ".join(dict.fromkeys(v for (a, b), v in read.items() if a <= start and end <= b))
        told_here = any(place.start <= start and end <= place.end for place in told)
        pieces.append((explanation.passage[start:end], value, told_here))
    return pieces


def _depths(explanation: Explanation) -> dict[int, int]:
    """How deep in the program each step stands."""
    depths = {len(explanation.steps): 0}
    for step in reversed(explanation.steps):
        depths |= dict.fromkeys(step.inputs, depths[step.number] + 1)
    return depths
