"""Reads shares: "one in five", "nine out of ten"."""

from workings.values.tokens import Tokens
from workings.values.words import ParsedNumber

# "One in five minutes" is no share of minutes.
_OCCASIONS = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months season seasons year "
    "years decade decades century centuries game games match matches start starts attempt attempts "
    "play plays carry carries inning innings quarter quarters set sets race races tournament "
    "tournaments try tries appearance appearances meeting meetings yard yards bc ad".split()
)
_MAX_PARTS = 9


def is_share(tokens: Tokens, first: ParsedNumber, at: int, second: ParsedNumber) -> bool:
    """Whether two numbers are a share of a whole.

    Args:
        tokens: The tokens of the text.
        first: The number of parts.
        at: The index of the first token of the second number.
        second: The number of the whole.
    """
    if not 1 <= at - first.stop <= len(("out", "of", "every")):
        return False
    if first.unit != "plain" or second.unit != "plain" or not 0 < first.value < second.value:
        return False
    words = [tokens.follower(index) for index in range(first.stop, at)]
    if words[-1:] == ["every"]:
        words.pop()
    if not tokens[at].linked or words not in (["in"], ["out", "of"]):
        return False
    if words == ["out", "of"]:
        return True
    whole = first.value.denominator == 1 and first.value <= _MAX_PARTS
    return whole and tokens.follower(second.stop) not in _OCCASIONS
