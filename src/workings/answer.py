"""Answers: the last step's result as words or a number, with how sure it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf
from typing import NamedTuple
from unicodedata import combining

import torch

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, Pieces
from workings.modules import REGISTRY
from workings.network import Network, Ran
from workings.phrases import after_each
from workings.program import Program
from workings.programmer import Written
from workings.results import Dates, Numbers, Result, Span, Spans
from workings.values import Date, format_number
from workings.values.lexicon import MONTH_NAMES

# Torn between two phrases, one is meant, not all from the first's beginning to the second's end.
LENGTH_COST = 0.1
# So many phrases are looked at; a place is shown from this share of the likeliest's on.
_LIKELY, _LEAST = 20, 0.01
_WORD = re.compile(r"\w+")
# What stands between words of one phrase: "40-yard", "O'Brien".
_WITHIN = ("", " ", "-", "'", "\u2019")


@dataclass(frozen=True)
class Answer:
    """What a person is told."""

    texts: tuple[str, ...]
    probability: float  # of this result, given that the program is right
    value: Fraction | None = None
    places: tuple[tuple[str, int, int], ...] = ()  # "passage" or "question", and characters

    def __str__(self) -> str:
        return ", ".join(self.texts)


@dataclass(frozen=True)
class Attempt:
    """One program written for a question, run, and what came of it."""

    written: Written
    ran: Ran
    row: int  # of the run's batch
    answer: Answer

    @property
    def program_probability(self) -> float:
        return min(float(self.written.score.detach().exp()), 1.0)

    @property
    def probability(self) -> float:
        """Of program and answer together."""
        return self.program_probability * min(self.answer.probability, 1.0)


def attempt(network: Network, encoding: Encoding, beam: int | None = None) -> list[list[Attempt]]:
    """For each question the likeliest programs with their answers, best first."""
    written = [one for row in network.programmer.write(encoding, beam) for one in row]
    runs = network.run(
        encoding, [(one.row, one.program) for one in written], [one.asked for one in written]
    )
    found: list[list[Attempt]] = [[] for _ in range(len(encoding))]
    placed: dict[int, Attempt] = {}
    for ran in runs:
        for row, place in enumerate(ran.places):
            answer = read_answer(ran.step.output, ran.encoding, row)
            placed[place] = Attempt(written[place], ran, row, answer)
    for place, one in enumerate(written):  # `written` is in order of probability
        found[one.row].append(placed[place])
    choose = network.recipe.programmer.choose
    return [
        in_order(attempts, passage, choose)
        for attempts, passage in zip(found, encoding.inputs, strict=True)
    ]


def in_order(attempts: Sequence[Attempt], passage: PassageInput, choose: str) -> list[Attempt]:
    """Best first; programs that lack the values they need go last.

    ``choose`` says what is best: the answer that all programs together make likeliest, by the
    likeliest way to it, or the likeliest program, whatever comes of it.
    """

    def rank(pair: tuple[Attempt, float]) -> tuple[bool, float, float]:
        one, backed = pair
        lacks = lacking(one.written.program, passage) is not None
        if choose == "program":
            return lacks, -one.program_probability, 0.0
        return lacks, -backed, -one.probability

    pairs = zip(attempts, backing(attempts), strict=True)
    return [one for one, _ in sorted(pairs, key=rank)]


def backing(attempts: Sequence[Attempt]) -> list[float]:
    """How likely each attempt's answer is by all programs together that give it."""
    said = [tuple(map(_bare, one.answer.texts)) for one in attempts]
    total: dict[tuple[str, ...], float] = {}
    for one, words in zip(attempts, said, strict=True):
        total[words] = total.get(words, 0.0) + one.probability
    return [min(total[words], 1.0) for words in said]


def lacking(program: Program, passage: PassageInput) -> str | None:
    """The first module of a program that needs values the passage does not hold."""
    held = {"": True, "numbers": passage.values.numbers, "dates": passage.values.dates}
    names = (step.name for step in program.walk())
    return next((name for name in names if not held[REGISTRY[name].needs]), None)


def read_answer(result: Result, encoding: Encoding, row: int) -> Answer:
    """The likeliest reading of one row of a result."""
    match result:
        case Numbers():
            return _number(result, row)
        case Dates():
            return _date(result, encoding, row)
        case Span():
            return _span(result, encoding, row)
        case Spans():
            return _spans(result, encoding, row)
    raise AssertionError(f"{result.word} is no answer")


def _number(result: Numbers, row: int) -> Answer:
    values = result.supports[row].values
    if not values:
        return Answer((), 0.0)
    place = int(result.weights[row, : len(values)].argmax())
    value = values[place]
    return Answer((format_number(value),), float(result.weights[row, place]), value)


def _date(result: Dates, encoding: Encoding, row: int) -> Answer:
    dates = encoding.inputs[row].dates
    if not dates:
        return Answer((), 0.0)
    place = int(result.weights[row, : len(dates)].argmax())
    return Answer((format_date(dates[place]),), float(result.weights[row, place]))


def format_date(date: Date) -> str:
    """As DROP writes it: day, month, year, what is unknown left out."""
    month = MONTH_NAMES[date.month - 1].capitalize() if date.month else None
    year = None if date.year is None else f"{-date.year} BC" if date.year < 0 else str(date.year)
    return " ".join(str(part) for part in (date.day, month, year) if part is not None)


def _span(result: Span, encoding: Encoding, row: int) -> Answer:
    """The likeliest phrase by all places where it stands: training adds them up too."""
    offset = encoding.question.shape[1]
    asked, passage = encoding.questions[row], encoding.inputs[row].pieces
    same: dict[str, list[_Phrase]] = {}
    for where, pieces, start in (("question", asked, 0), ("passage", passage, offset)):
        for one in _likely(result, row, where, pieces, start):
            same.setdefault(_bare(one.text), []).append(one)
    told = max(same.values(), key=lambda phrases: sum(exp(one.score) for one in phrases))
    likeliest = max(told, key=lambda one: one.score)
    shown = [one for one in told if one.chance >= _LEAST * likeliest.chance]
    places = dict.fromkeys(one.place for one in (likeliest, *shown))
    chance = sum(one.chance for one in told)
    return Answer((_well_written(likeliest, told),), chance, places=tuple(places))


class _Phrase(NamedTuple):
    """A phrase at one place."""

    score: float
    chance: float
    text: str
    place: tuple[str, int, int]


def _well_written(likeliest: _Phrase, told: Sequence[_Phrase]) -> str:
    """What a question says carelessly as the passage has it, without marks around."""
    read = [one for one in told if one.place[0] == "passage" and one.text]
    read = [one for one in read if _spells(one.text[0]) and _spells(one.text[-1])]
    if likeliest.place[0] == "passage" or not read:
        return likeliest.text
    return max(read, key=lambda one: one.score).text


def _bare(text: str) -> str:
    """The words alone, by which phrases are the same: no case, marks or spaces."""
    return " ".join(_WORD.findall(text.casefold())) or text


def _likely(result: Span, row: int, where: str, pieces: Pieces, offset: int) -> Iterator[_Phrase]:
    """The phrases of one text that may be meant; with ends apart, as the paper has it, but one."""
    part = slice(offset, offset + len(pieces))
    if result.phrases is not None:
        most, joint = _LIKELY, result.phrases[row, part]
        scores = joint
    else:
        most, joint = 1, result.start[row, part, None] + after_each(result.end[row, part], -inf)
        scores = joint - LENGTH_COST * torch.arange(joint.shape[1], device=joint.device)
    best = scores.flatten().topk(min(most, scores.numel()))
    for score, at in zip(best.values.tolist(), best.indices.tolist(), strict=True):
        first, more = divmod(at, scores.shape[1])
        if first + more < len(pieces):
            start, end = whole_words(pieces, first, first + more)
            chance = exp(float(joint[first, more]))
            yield _Phrase(score, chance, pieces.text[start:end], (where, start, end))


def _spans(result: Spans, encoding: Encoding, row: int) -> Answer:
    pieces = encoding.inputs[row].pieces
    odds = result.inside[row, : len(pieces)]
    inside = (odds > 0) | (odds == odds.max())  # at least the likeliest piece
    sure = Spans(odds[None]).log_likelihood(inside[None], torch.ones_like(inside)[None]).exp()
    runs = [whole_words(pieces, first, last) for first, last in _runs(inside.tolist())]
    places = _phrases(pieces.text, runs)
    texts = tuple(dict.fromkeys(pieces.text[start:end] for start, end in places))
    return Answer(texts, float(sure), places=tuple(("passage", *place) for place in places))


def _phrases(text: str, runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Words that stand together as one phrase, though a piece of it was left out; no bare marks."""
    joined: list[tuple[int, int]] = []
    for start, end in runs:
        if joined and text[joined[-1][1] : start] in _WITHIN:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    worded = [place for place in joined if any(map(str.isalnum, text[slice(*place)]))]
    return worded or joined


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last place of each unbroken run."""
    runs: list[tuple[int, int]] = []
    for place, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        elif flag:
            runs.append((place, place))
    return runs


def whole_words(pieces: Pieces, first: int, last: int) -> tuple[int, int]:
    """The characters of the pieces, widened to the words they are cut from."""
    text, (start, end) = pieces.text, (pieces.offsets[first][0], pieces.offsets[last][1])
    while start > 0 and _spells(text[start - 1]) and _spells(text[start]):
        start -= 1
    while end < len(text) and _spells(text[end - 1]) and _spells(text[end]):
        end += 1
    return start, end


def _spells(character: str) -> bool:
    """Whether it is part of a word; an accent may be a character of its own, and of no piece."""
    return character.isalnum() or combining(character) > 0
