"""The words of a text, and the stop words of English questions."""

import re

# A number with its decimal point or its commas is one word.
WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")

STOP_WORDS = frozenset(
    """a an the of in on at to for from by with and or but as is was were are be been being will did
    do does had has have how many much more less fewer than what which who whom whose when where why
    while then so that this these those there it its s they them their he his she her after before
    between during total number all not t most least both into out up off over yards yard years
    percent people""".split()
)


def words_in(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [match.group().lower() for match in WORD.finditer(text)]


def is_content_word(word: str) -> bool:
    """Whether a word is not a stop word."""
    return word.lower() not in STOP_WORDS


def content_words(text: str) -> set[str]:
    """The words of a text that are not stop words."""
    return set(words_in(text)) - STOP_WORDS
