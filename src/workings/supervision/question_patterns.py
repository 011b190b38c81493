"""Patterns of question words that decide on the shape of the program."""

import re
from fractions import Fraction
from functools import lru_cache

from workings.arithmetic.operation import ADDITION, SUBTRACTION, Operation
from workings.data.alternatives import split_alternatives
from workings.data.content_words import words_in
from workings.data.records import Question
from workings.supervision.module_lookup import (
    Compared,
    comparisons,
    extreme_name,
    extremes,
    modules_by_cue,
    with_operation,
)
from workings.supervision.text_search import shared_words
from workings.values import read_values

# Nouns of plays that "find" finds.
_PLAYS = frozenset(
    """touchdown touchdowns td tds run runs pass passes passing field goal goals fg rushing
    receiving scoring drive drives reception receptions interception interceptions return returns
    sack sacks fumble fumbles punt punts completion completions safety safeties""".split()
)
# Words that do not restrict the plays in question; nor do words such as "longest".
_UNRESTRICTING = frozenset(
    """which who whom how many yards yard long was were is are did do does had has have the a an of
    in on for game match most kick kicked kicks catch caught throw threw thrown
    make made score scored player players there that this it all total get got s""".split()
)
_WHO = re.compile(
    r"^(?:who|which (?:player|quarterback|qb|kicker|receiver|wide receiver|running back|team))\b",
    re.IGNORECASE,
)
_TWO_EVENTS = ("passed between", "after", "before", "between", "was it from", "from when", "since")
_EARLIER_FIRST = re.compile(r"\b(?:after|between|from|since)\b", re.IGNORECASE)
_COUNTABLE = re.compile(
    r"\bhow many (?:more |fewer |less |total |combined |of the )*(?:[\w-]+ ){0,2}?"
    r"(?:touchdowns?|tds?|field goals?|goals|fgs?|interceptions?|passes|runs|sacks|fumbles|punts|"
    r"safeties|quarters|games|times|wins|losses|battles|players|teams|receptions|kicks)\b",
    re.IGNORECASE,
)
# "What was spent in all, in euros?"
_UNIT_CLAUSE = re.compile(r",\s*(?:in|to|at|rounded)\s[^,]*\?\s*$", re.IGNORECASE)
_JOINTS = re.compile(r",(?!\d)(?! and | or )|,? and |,? or | plus | with ", re.IGNORECASE)
_MEASURED = re.compile(r"\b(?:yards?|percent|points?|years?|days|months|%)", re.IGNORECASE)


def needs_filter(question: str) -> bool:
    """Whether a question restricts the plays it asks about.

    Words such as "touchdown pass" are found by find; the other words are left to filter.
    """
    ignored = _UNRESTRICTING.union(modules_by_cue(extremes()))
    words = [word for word in words_in(question) if word not in ignored]
    plays = sum(word in _PLAYS for word in words)
    return 0 < plays < len(words)


def extreme_modules(question: str) -> tuple[str, ...]:
    """The module for each word that asks for an extreme, such as "longest", in order."""
    modules = modules_by_cue(extremes())
    return tuple(modules[word] for word in words_in(without_ranks(question)) if word in modules)


def without_ranks(question: str) -> str:
    """The question without "second longest", "two longest" and the like."""
    return _ranked_extreme(frozenset(modules_by_cue(extremes()))).sub("", question)


def ranked_extreme(question: str) -> tuple[str, Fraction] | None:
    """The module and the rank that "the second longest" or "the 3rd highest" asks for."""
    modules = {
        cue: extreme_name(smallest=module.prefers_smaller)
        for module in (*comparisons("num"), *extremes())
        for cue in module.cues
    }
    match = _ordinal_extreme(frozenset(modules)).search(question)
    if match is None:
        return None
    ranks = [n.value for n in read_values(match.group(1)).numbers if n.unit == "ordinal"]
    return (modules[match.group(2).lower()], ranks[0]) if ranks else None


def rank_of(question: str) -> Fraction | None:
    """The only ordinal from "second" on that a question states."""
    ranks = [n.value for n in read_values(question).numbers if n.unit == "ordinal" and n.value > 1]
    return ranks[0] if len(ranks) == 1 else None


def comparison_module(question: str, compared: Compared) -> str | None:
    """The module that compares two numbers or dates, if a word of the question asks for it."""
    modules = modules_by_cue(comparisons(compared))
    # The first cue decides: in "What happened second: the first synod or ..." it is "second".
    return next((modules[word] for word in words_in(question) if word in modules), None)


def alternatives(question: str) -> tuple[str, str] | None:
    """The two alternatives that a question offers: ``..., this or that?``."""
    split = split_alternatives(question)
    return split.texts if split else None


def chosen_alternative(offered: tuple[str, str], answer: str) -> int | None:
    """The index of the alternative that an answer names; None if the words do not decide."""
    first, second = (shared_words(alternative, answer) for alternative in offered)
    return None if first == second else int(second > first)


def names_two_events(question: str) -> bool:
    """Whether the years in question lie between two events, not within one."""
    return any(words in question.lower() for words in _TWO_EVENTS)


def names_earlier_first(question: str) -> bool:
    """Whether the first of the two events that a question names is the earlier one."""
    return _EARLIER_FIRST.search(question) is not None


def asks_who(question: str) -> bool:
    """Whether a question asks who took part in a play of a game."""
    return _WHO.match(question) is not None and not _PLAYS.isdisjoint(words_in(question))


def asks_to_count(question: str) -> bool:
    """Whether a question asks for a number of things that can be counted."""
    return _COUNTABLE.search(question) is not None


def asks_to_measure(question: str) -> bool:
    """Whether a question asks for an amount that is stated, never counted."""
    beginning = " ".join(question.split()[:5])
    return _MEASURED.search(beginning) is not None


def asks_percent(question: Question) -> bool:
    """Whether a question asks for a percentage."""
    text = question.text.lower()
    is_rest = question.type == "percent-rest"
    return is_rest or any(word in text for word in ("percent", "%", "per cent"))


def enumerates(question: Question, count: int) -> bool:
    """Whether a question names each of ``count`` numbers, rather than all of them at once."""
    sizes = [len(ask.values) for ask in question.asks if ask.role == "value"]
    if sizes:
        return max(sizes) < count
    text = _UNIT_CLAUSE.sub("?", question.text)
    joints = _JOINTS.findall(text)
    return len(joints) >= count - 1 and any(joint.strip() != "," for joint in joints)


def asks_to_add(question: str) -> bool:
    """Whether a question has words that ask for a sum and none that ask for a difference."""
    words = set(words_in(question))
    return not words.isdisjoint(_cues(ADDITION)) and words.isdisjoint(_cues(SUBTRACTION))


def _cues(operation: Operation) -> dict[str, str]:
    return modules_by_cue(with_operation(operation))


@lru_cache(maxsize=8)
def _ordinal_extreme(cues: frozenset[str]) -> re.Pattern[str]:
    """Matches an ordinal before a word that asks for an extreme."""
    return re.compile(
        rf"\b(\w+)[ -]+({'|'.join(map(re.escape, sorted(cues)))})\b",
        re.IGNORECASE,
    )


@lru_cache(maxsize=8)
def _ranked_extreme(cues: frozenset[str]) -> re.Pattern[str]:
    """Matches extremes with a rank: "the second longest" and "the two longest" are no extremes."""
    return re.compile(
        r"\b(?:second|third|fourth|fifth|sixth|next|two|three|four|\d+(?:st|nd|rd|th)?)[ -]+"
        rf"(?:{'|'.join(map(re.escape, sorted(cues)))})",
        re.IGNORECASE,
    )
