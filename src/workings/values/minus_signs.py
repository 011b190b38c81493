"""Decides whether a number is negative: "−5", "-$3", "minus ten", but not "34-21"."""

import re

from workings.values import lexicon as lex
from workings.values.tokens import Token, Tokens

_CURRENCY = r"[$\u00a2-\u00a5\u20a0-\u20c0]"
# A minus sign follows nothing, a space, an opening bracket or an operator; never a word or number.
_SIGN = re.compile(
    rf"""(?: ^ | (?<= [\s(\[{{=<>~≈"'“‘,;:] ) )
         (?: [-\u2013] {_CURRENCY}? | \u2212\s?{_CURRENCY}? | {_CURRENCY}[-\u2212] ) $""",
    re.VERBOSE,
)

_SPACE = re.compile(rf"\s{{1,3}}{_CURRENCY}?")
# What is negative after these words is a result: "tested negative five times".
_TESTED = frozenset("test tests tested testing back hiv rh".split())


def is_negative(tokens: Tokens, at: int) -> bool:
    """Whether the number that begins at a token has a minus sign."""
    token, before = tokens[at], tokens[at - 1]
    # The "-19s" after "MiG-17s" is a name.
    is_plural = tokens[at + 1].glued and tokens[at + 1].word == "s"
    sign = _SIGN.search(token.gap) if token.value is not None and not is_plural else None
    if sign and (at == 0 or sign.start() > 0):
        # In "34 -21" the hyphen stands between two numbers.
        return not is_numeric(before) or token.gap[: sign.start()].strip() != ""
    spoken = before.word in ("minus", "negative") and _SPACE.fullmatch(token.gap)
    return bool(spoken) and not _is_operator(tokens, at - 1)


def _is_operator(tokens: Tokens, at: int) -> bool:
    """Whether a minus is no sign: "10 minus 3", "10 births minus 3", "plus or minus 5"."""
    if not tokens[at].linked:
        return False
    left = is_numeric(tokens[at - 1]) or (is_numeric(tokens[at - 2]) and tokens[at - 1].linked)
    return left or tokens[at - 1].word == "or" or tokens[at - 1].word in _TESTED


def is_numeric(token: Token) -> bool:
    """Whether a token is a number by itself."""
    return token.value is not None or token.word in lex.SMALL or token.word in lex.TENS
