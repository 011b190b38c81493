"""Widen word pieces to whole words, and join neighbouring words into phrases."""

from collections.abc import Sequence
from unicodedata import combining

from workings.encoder.inputs import TokenizedText

# Text that may separate two words of one phrase, as in "40-yard" and "O'Brien".
_JOINERS = ("", " ", "-", "'", "\u2019")


def word_span(tokens: TokenizedText, first: int, last: int) -> tuple[int, int]:
    """Return the characters of the whole words that some word pieces belong to.

    Args:
        tokens: The tokenized text.
        first: Index of the first word piece.
        last: Index of the last word piece.

    Returns:
        Start and end offset in the text; the end is exclusive.
    """
    text, (start, end) = tokens.text, (tokens.offsets[first][0], tokens.offsets[last][1])
    while start > 0 and is_word_character(text[start - 1]) and is_word_character(text[start]):
        start -= 1
    while end < len(text) and is_word_character(text[end - 1]) and is_word_character(text[end]):
        end += 1
    return start, end


def shown_span(tokens: TokenizedText, token: int) -> tuple[int, int]:
    """Return the characters of the word or the whole number that a word piece belongs to.

    Unlike ``word_span``, it keeps the digits of "61,250" and "3.5" together.
    """
    text, (start, end) = tokens.text, word_span(tokens, token, token)
    while _is_inside_number(text, start):
        start -= 1
    while _is_inside_number(text, end):
        end += 1
    return start, end


def _is_inside_number(text: str, index: int) -> bool:
    """Whether the characters before and after a position belong to one number in digits."""
    around = text[max(index - 2, 0) : index], text[index : index + 2]
    left, right = around
    if not left or not right:
        return False
    if right[0] in ",.":
        return left[-1].isdigit() and right[1:].isdigit()
    if left[-1] in ",.":
        return right[0].isdigit() and left[:-1].isdigit()
    return left[-1].isdigit() and right[0].isdigit()


def is_word_character(character: str) -> bool:
    """Whether a character belongs to a word; a combining accent does."""
    return character.isalnum() or combining(character) > 0


def true_runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the first and last index of each unbroken run of true flags."""
    runs: list[tuple[int, int]] = []
    for index, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        elif flag:
            runs.append((index, index))
    return runs


def join_words(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that are separated by a joiner only, and drop spans without a letter or digit.

    If no span has a letter or digit, all joined spans are returned.
    """
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and text[joined[-1][1] : start] in _JOINERS:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    with_words = [span for span in joined if any(map(str.isalnum, text[slice(*span)]))]
    return with_words or joined
