"""The shape of the program a question's words call for."""

import re
from typing import TypeAlias

from workings.supervision.text_search import overlap, words_in

Options: TypeAlias = tuple[str, str]

_FIND = frozenset(
    """touchdown touchdowns td tds run runs pass passes passing field goal goals fg rushing
    receiving scoring drive drives reception receptions interception interceptions return returns
    sack sacks fumble fumbles punt punts completion completions safety safeties""".split()
)
_SKIP = frozenset(
    """which who whom how many yards yard long was were is are did do does had has have the a an of
    in on for game match longest shortest most kick kicked kicks catch caught throw threw thrown
    make made score scored player players there that this it all total get got s""".split()
)
_LESS = frozenset("smaller smallest fewer fewest less least lower lowest shorter younger".split())
_MORE = frozenset(
    "larger largest more most bigger biggest higher highest greater greatest longer older".split()
)
_FIRST = frozenset("first earlier earliest forst firts before sooner".split())
_LATER = frozenset("later last second latest after".split())

# "The second longest" and "the two longest" are not the longest.
_RANKED = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|next|two|three|four|\d+(?:st|nd|rd|th)?)[ -]+"
    r"(?:longest|shortest)",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"^(?:who|which (?:player|quarterback|qb|kicker|receiver|wide receiver|running back|team))\b",
    re.IGNORECASE,
)
_TWO_EVENTS = ("passed between", "after", "before", "between", "was it from", "from when", "since")
_EARLIER_FIRST = re.compile(r"\b(?:after|between|from|since)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (?:more |fewer |less |total |combined |of the )*(?:[\w-]+ ){0,2}?"
    r"(?:touchdowns?|tds?|field goals?|goals|fgs?|interceptions?|passes|runs|sacks|fumbles|punts|"
    r"safeties|quarters|games|times|wins|losses|battles|players|teams|receptions|kicks)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\b(?:yards?|percent|points?|years?|days|months|%)", re.IGNORECASE)


def sought(question: str) -> tuple[str, ...]:
    """The modules, outermost first, that find what the question asks about.

    Words such as "touchdown pass" are found; whatever else is said of them filters.
    """
    words = [word for word in words_in(question) if word not in _SKIP]
    found = sum(word in _FIND for word in words)
    return ("filter", "find") if 0 < found < len(words) else ("find",)


def extremes(question: str) -> tuple[str, ...]:
    """The modules for each time the longest or the shortest is asked for, in that order."""
    words = words_in(_RANKED.sub("", question))
    modules = {"longest": "find-max-num", "shortest": "find-min-num"}
    return tuple(modules[word] for word in words if word in modules)


def comparison(question: str, about: str) -> str | None:
    """The module that compares two dates or numbers, if a word says which is asked for."""
    less, more = (_FIRST, _LATER) if about == "date" else (_LESS, _MORE)
    # The first such word is the question's own: "What happened second: the first synod or ..."
    said = next((word for word in words_in(question) if word in less | more), None)
    return f"compare-{about}-{'lt' if said in less else 'gt'}" if said else None


def options(question: str) -> Options | None:
    """The two things a question lets one choose from: ``..., this or that?``."""
    before, found, after = question.strip().rstrip("?. ").partition(" or ")
    if not found or " or " in after:
        return None
    parts = re.split(r"[,:]| - |\bfirst\b|\blast\b|\blater\b|\bsecond\b", before.rstrip(", "))
    return (parts[-1].strip() or before).strip(), after.strip()


def chosen(offered: Options, answer: str) -> int | None:
    """Which of two options an answer names."""
    first, second = (overlap(option, answer) for option in offered)
    return None if first == second else int(second > first)


def spans_two_events(question: str) -> bool:
    """Whether a lapse of years lies between two events rather than within one."""
    return any(words in question.lower() for words in _TWO_EVENTS)


def names_earlier_first(question: str) -> bool:
    """Whether the first of two events a question names is the earlier one."""
    return _EARLIER_FIRST.search(question) is not None


def asks_who(question: str) -> bool:
    """Whether the question asks who took part in a play of a game."""
    return _WHO.match(question) is not None and not _FIND.isdisjoint(words_in(question))


def asks_to_count(question: str) -> bool:
    """Whether the question asks for a number of things one can point at."""
    return _COUNTED.search(question) is not None


def asks_to_measure(question: str) -> bool:
    """Whether the question asks for an amount that is stated, never counted."""
    head = " ".join(question.split()[:5])
    return _MEASURED.search(head) is not None


def asks_to_add(question: str) -> bool:
    """Whether the words speak of a sum rather than a difference."""
    words = set(words_in(question))
    return bool(words & {"total", "combined", "altogether", "both", "sum", "together"}) and not (
        words & {"more", "fewer", "less", "difference", "than"}
    )
