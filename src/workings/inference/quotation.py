"""Short quotations around a mention."""

import re
from collections.abc import Sequence
from itertools import takewhile

from workings.values import CharSpan

# Words that a quotation has before and after a mention, within its clause.
_WORDS_BEFORE, _WORDS_AFTER = 5, 6
# A clause with a few words more is quoted to its end: "for six hours", not "for six".
_EXTRA_WORDS = 2
# "Monday, 3 March" and "Mrs. Lind" go on after the mark.
_NO_COMMA = "".join(rf"(?<!\b{day}day)" for day in "Mon Tues Wednes Thurs Fri Satur Sun".split())
_NO_STOP = "".join(rf"(?<!\b{title})" for title in "Mr Mrs Ms Dr St Prof".split())
_AFTER_MARK = r"(?=[\s\"'”’)]|$)"
_CLAUSE_MARK = re.compile(rf"(?:{_NO_STOP}\.|{_NO_COMMA},|[!?;:]){_AFTER_MARK}|\n|[()]")
_SENTENCE_MARK = re.compile(rf"(?:{_NO_STOP}\.|[!?]){_AFTER_MARK}|\n")
_WORD = re.compile(r"\S+")
_CONJUNCTIONS = frozenset("and but or while then when whereas because although".split())
# Words that are dropped at the end of a quotation.
_DANGLING = frozenset(
    """a an the of in on at to for from by with and or but as than that which who is was were are
    had has have while then when after before its his her their he she it they under over about
    up down""".split()
)
_ARTICLES = frozenset("a an the its his her their our my your this these".split())
_AND_NEXT = re.compile(rf"\s+(?:{'|'.join(sorted(_CONJUNCTIONS))})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_SIGNS_OF_NUMBER = re.compile(r"[\w.,-]+")
# "48 of the 60 plots" stays whole.
_PART_OF = re.compile(r"(?:out )?of(?: all)?(?: the| its| our| their)?")


def as_line(text: str, span: CharSpan) -> str:
    """The characters of a range with single spaces between the words."""
    return " ".join(text[slice(*span)].split())


def quoted_span(text: str, start: int, end: int) -> CharSpan:
    """Return the words to quote around a mention; around a number there is no other number.

    Other numbers are kept where the quotation would be too short without them, and in "48 of the
    60 plots".

    Args:
        text: The text.
        start: First character of the mention.
        end: End of the mention.
    """
    start, end = _whole_words(text, start, end)
    alone = bool(_DIGIT.search(text, start, end))
    clause = _words_before(text, start, _CLAUSE_MARK)
    after = _words_after(text, end, _CLAUSE_MARK, alone=alone)
    mention = text[start:end]
    before = _last_words(_own_words(clause, mention))
    until_conjunction = list(takewhile(lambda word: not _is_conjunction(word), after))
    if _says_something(before + until_conjunction):
        after = until_conjunction
    if not _says_something(before + after):
        before = _last_words(clause)
    if not _says_something(before + after):  # "The first match, in 1923"
        sentence = _words_before(text, start, _SENTENCE_MARK)
        before = _last_words(_own_words(sentence, mention))
    if not _says_something(before + after):  # "In 1871, the bridge opened"
        after = _words_after(text, end, _SENTENCE_MARK, alone=alone)
    if before and _is_conjunction(before[0]):
        before = before[1:]
    first = before[0].start() if before else start
    last = after[-1].end() if after else end
    return first, max(end, first + len(text[first:last].rstrip(",;:")))


def _whole_words(text: str, start: int, end: int) -> CharSpan:
    while start > 0 and not text[start - 1].isspace() and text[start - 1] not in '(“"':
        start -= 1
    while end < len(text) and not text[end].isspace() and not _CLAUSE_MARK.match(text, end):
        end += 1
    return start, end


def disjoint_spans(text: str, mentions: Sequence[CharSpan]) -> list[CharSpan]:
    """Return the quotations of mentions in text order; no quotation has another mention in it."""
    words = [_whole_words(text, *mention) for mention in mentions]
    ends_before = [0, *(end for _, end in words)]
    starts_after = [*(start for start, _ in words[1:]), len(text)]
    spans = []
    for mention, least, most in zip(words, ends_before, starts_after, strict=False):
        first, last = quoted_span(text, *mention)
        if first < least:
            first = _skip(text, least, mention[0])
        if last > most:
            last = _strip(text, mention[1], most)
        spans.append((first, last))
    return spans


def in_one_sentence(text: str, span: CharSpan) -> bool:
    """Whether no sentence ends inside a range."""
    return _SENTENCE_MARK.search(text, *span) is None


def _skip(text: str, start: int, end: int) -> int:
    """The start of the first word in a range that is no conjunction or mark; else its end."""
    words = _WORD.finditer(text, start, end)
    return next((word.start() for word in words if not _is_loose(word, _CONJUNCTIONS)), end)


def _strip(text: str, start: int, end: int) -> int:
    """The end of the last word to keep in a range; else its start."""
    words = [word for word in _WORD.finditer(text, start, end) if not _is_loose(word, _DANGLING)]
    return start + len(text[start : words[-1].end()].rstrip(",;:(")) if words else start


def _is_loose(word: re.Match[str], loose: frozenset[str]) -> bool:
    return word.group().lower() in loose or not any(map(str.isalnum, word.group()))


def _words_before(text: str, start: int, marks: re.Pattern[str]) -> list[re.Match[str]]:
    """The words between the last mark and a mention."""
    window = max(start - 40 * _WORDS_BEFORE, 0)  # a very long clause is not searched whole
    ends = (mark.end() for mark in marks.finditer(text, window, start))
    return list(_WORD.finditer(text, max(ends, default=window), start))


def _last_words(words: list[re.Match[str]]) -> list[re.Match[str]]:
    """The last words of a list; an article keeps its noun: "the zoo opens"."""
    if len(words) <= _WORDS_BEFORE + _EXTRA_WORDS:
        return words
    has_article = words[-_WORDS_BEFORE - 1].group().lower() in _ARTICLES
    return words[-_WORDS_BEFORE - has_article :]


def _own_words(words: list[re.Match[str]], mention: str) -> list[re.Match[str]]:
    """The words after the last conjunction or other number.

    Two lists stay whole: "41 and 33", "48 of the 60". Of "from 9 °C to 17 °C" only "to" is kept.
    """
    alone = bool(_DIGIT.search(mention))
    in_list = len(words) > 1 and _is_conjunction(words[-1])
    in_list = in_list and _are_alike(words[-2].group(), mention)
    for index in range(len(words) - 1, -1, -1):
        word, own = words[index], words[index + 1 :]
        is_number = alone and _DIGIT.search(word.group())
        if (in_list and len(own) < 2) or (is_number and _is_part_of(own)):
            continue
        if _is_conjunction(word) or is_number:
            return own[-1:] if is_number and own and own[-1].group() == "to" else own
    return words


def _are_alike(number: str, mention: str) -> bool:
    """Whether two numbers may be items of one list: "41" and "33", not "18" and "31%"."""
    signs = [_SIGNS_OF_NUMBER.sub("", text) for text in (number, mention)]
    years = [bool(_YEAR.fullmatch(text)) for text in (number, mention)]
    return bool(_DIGIT.search(number)) and signs[0] == signs[1] and years[0] == years[1]


def _words_after(
    text: str, end: int, marks: re.Pattern[str], *, alone: bool
) -> list[re.Match[str]]:
    """The words of the clause after a mention, up to another number that is no year."""
    mark = marks.search(text, end)
    stop = mark.start() if mark else len(text)
    words: list[re.Match[str]] = []
    for word in _WORD.finditer(text, end, stop):
        if alone and _DIGIT.search(word.group()) and not _is_part_of(words):
            # "under the age of 18" and "in 2019" are kept, "$742 and the book stall $391" is not.
            conjunctions = [i for i, each in enumerate(words) if _is_conjunction(each)]
            is_last = word.end() == stop or _AND_NEXT.match(text, word.end())
            is_kept = is_last or _YEAR.fullmatch(word.group())
            if conjunctions or not is_kept:
                words = words[: conjunctions[0]] if conjunctions else words
                stop = len(text) + 1  # the clause goes on: dangling words are dropped
                break
        if len(words) == _WORDS_AFTER + _EXTRA_WORDS:
            words = words[:_WORDS_AFTER]
            stop = len(text) + 1
            break
        words.append(word)
    while words and words[-1].end() < stop and words[-1].group().lower() in _DANGLING:
        words.pop()
    return words


def _is_part_of(words: list[re.Match[str]]) -> bool:
    return bool(_PART_OF.fullmatch(" ".join(word.group() for word in words)))


def _is_conjunction(word: re.Match[str]) -> bool:
    return word.group().lower() in _CONJUNCTIONS


def _says_something(words: list[re.Match[str]]) -> bool:
    return any(word.group().lower() not in _DANGLING for word in words)
