"""Short quotations around a mention."""

import re
from itertools import takewhile

# Words that a quotation has before and after a mention, within its clause.
_WORDS_BEFORE, _WORDS_AFTER = 5, 6
_WORD = re.compile(r"\S+")
_CLAUSE_MARK = re.compile(r"[.!?;,:](?=[\s\"'”’)]|$)|\n|[()]")
_SENTENCE_MARK = re.compile(r"[.!?](?=[\s\"'”’)]|$)|\n")
_CONJUNCTIONS = frozenset("and but or while then when whereas because although".split())
# Words that say nothing at the end of a quotation.
_DANGLING = frozenset(
    """a an the of in on at to for from by with and or but as than that which who is was were are
    had has have while then when after before its his her their he she it they""".split()
)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:1\d|20)\d\d")


def quote(text: str, start: int, end: int) -> str:
    """Return the words around a mention; the quotation of a number has no other number in it.

    Other numbers are kept where the quotation would be too short without them.

    Args:
        text: The text.
        start: First character of the mention.
        end: End of the mention.
    """
    while start > 0 and not text[start - 1].isspace() and text[start - 1] not in '(“"':
        start -= 1
    while end < len(text) and not text[end].isspace() and not _CLAUSE_MARK.match(text, end):
        end += 1
    alone = bool(_DIGIT.search(text, start, end))
    clause, after = _words_before(text, start), _words_after(text, end, _CLAUSE_MARK, alone=alone)
    before = _own_words(clause, alone=alone)
    until_conjunction = list(takewhile(lambda word: not _is_conjunction(word), after))
    if _says_something(before + until_conjunction):
        after = until_conjunction
    if not _says_something(before + after):
        before = clause
    if not _says_something(before + after):  # "In 1871, the bridge opened"
        after = _words_after(text, end, _SENTENCE_MARK, alone=alone)
    if before and _is_conjunction(before[0]):
        before = before[1:]
    first = before[0].start() if before else start
    last = after[-1].end() if after else end
    return " ".join(text[first:last].split())


def _words_before(text: str, start: int) -> list[re.Match[str]]:
    """The last words of the clause before a mention."""
    window = max(start - 40 * _WORDS_BEFORE, 0)  # a very long clause is not searched whole
    marks = (mark.end() for mark in _CLAUSE_MARK.finditer(text, window, start))
    return list(_WORD.finditer(text, max(marks, default=window), start))[-_WORDS_BEFORE:]


def _own_words(words: list[re.Match[str]], *, alone: bool) -> list[re.Match[str]]:
    """The words after the last conjunction or other number; a list "41 and 33" stays whole."""
    for index in range(len(words) - 1, -1, -1):
        in_list = index >= len(words) - 2 and _is_conjunction(words[-1])
        in_list = in_list and len(words) > 1 and bool(_DIGIT.search(words[-2].group()))
        word = words[index]
        is_number = alone and _DIGIT.search(word.group())
        if (_is_conjunction(word) or is_number) and not in_list:
            return words[index + 1 :]
    return words


def _words_after(
    text: str, end: int, marks: re.Pattern[str], *, alone: bool
) -> list[re.Match[str]]:
    """The words of the clause after a mention, up to another number that is no year."""
    mark = marks.search(text, end)
    stop = mark.start() if mark else len(text)
    words: list[re.Match[str]] = []
    for word in _WORD.finditer(text, end, stop):
        if alone and _DIGIT.search(word.group()):
            # "under the age of 18" and "in 2019" are kept, "$742 and the book stall $391" is not.
            conjunctions = [i for i, each in enumerate(words) if _is_conjunction(each)]
            is_kept = word.end() == stop or _YEAR.fullmatch(word.group())
            if conjunctions or not is_kept:
                words = words[: conjunctions[0]] if conjunctions else words
                stop = len(text) + 1  # the clause goes on: dangling words are dropped
                break
        if len(words) == _WORDS_AFTER:
            stop = len(text) + 1
            break
        words.append(word)
    while words and words[-1].end() < stop and words[-1].group().lower() in _DANGLING:
        words.pop()
    return words


def _is_conjunction(word: re.Match[str]) -> bool:
    return word.group().lower() in _CONJUNCTIONS


def _says_something(words: list[re.Match[str]]) -> bool:
    return any(word.group().lower() not in _DANGLING for word in words)
