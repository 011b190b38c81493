"""Finds digits that are no values: versions, addresses, telephone and book numbers."""

import re

from workings.values.covered_spans import CoveredSpans
from workings.values.numeric_dates import NUMERIC_DATE, numeric_date

_CODE = re.compile(
    r"""(?P<link> \b (?: https?:// | www\. ) \S++ )
      | (?P<mail> (?<! [\w.+-] ) [\w.+-]++ @ [\w-]++ (?: \.[\w-]++ )+ )
      | (?P<labelled> \b (?: (?i:isbn) (?:-1[03])? :?\s? \d (?: [\s-]?\d ){8,11} [\s-]?[\dXx]
                           | (?i:issn) :?\s? \d{4}-\d{3}[\dXx]
                           | (?i:doi) :?\s? 10\.\d{4,9}/\S++ ) \b )
      | (?P<book> (?<! [\w.-] ) 97[89] (?: [-\s]\d{1,7} ){3} [-\s]\d (?! [\w-] ) )
      | (?P<version> \b (?i: version | release | firmware ) \s \d++ (?: \.\d++ )+ [-\w]*+ )
      | (?P<dotted> (?<! [\w.] ) [vV]? \d++ (?: \.\d++ ){2,}+
                    (?: ,\d++ | [:/]\d++ | [-\w]*+ ) )
      | (?P<groups> (?<! [\w:] ) (?: [\dA-Fa-f]{1,4} ::? ){2,7} [\dA-Fa-f]{1,4} (?! [\w:] ) )
      | (?P<called> \b (?i: call | phone | telephone | tel | fax | dial | mobile | hotline )
                    (?: [.:] | \s(?:on|at|number) ){0,2} \s \+?\(?\d [\d\s().-]{4,18} \d (?!\w) )
      | (?P<world> (?<! \w ) \+\d{1,3} (?: [\s.-]?\(?\d{1,4}\)? ){2,6} (?!\w) )
      | (?P<local> (?<! [\w.,$-] ) (?<! \d\s ) (?: 1[-.\s] )?
                   (?: \(\d{3}\)\s?\d{3}[-.\s]\d{4} | \d{3}-\d{3}-\d{4} | \d{3}\.\d{3}\.\d{4}
                     | 0[1-9]\d{1,3}[\s/-]\d{3,4}[\s-]?\d{3,4} ) (?! [\w-] | \.\d ) )""",
    re.VERBOSE,
)
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?")
_OCTETS = 4
_MIN_PHONE_DIGITS, _MAX_PHONE_DIGITS = 7, 15


def read_codes(text: str) -> CoveredSpans:
    """The spans of all codes of a text."""
    return CoveredSpans(match.span() for match in _CODE.finditer(text) if _is_code(match))


def _is_code(match: re.Match[str]) -> bool:
    if match["dotted"]:
        return not _is_grouped(match[0]) and not _is_date(match[0])
    if match["groups"]:
        # "10:30:45" is a time; the address of a computer has letters or an empty group.
        return "::" in match[0] or re.search(r"[a-fA-F]", match[0]) is not None
    if match["called"] or match["world"]:
        digits = sum(character.isdigit() for character in match[0])
        return _MIN_PHONE_DIGITS <= digits <= _MAX_PHONE_DIGITS
    return True


def _is_grouped(digits: str) -> bool:
    """Whether dots group thousands: "1.234.567", but not the address "192.168.100.200"."""
    parts = digits.split(".")
    address = len(parts) == _OCTETS and all(len(part) <= 3 and int(part) < 256 for part in parts)
    return _GROUPED.fullmatch(digits) is not None and not address


def _is_date(digits: str) -> bool:
    match = NUMERIC_DATE.fullmatch(digits)
    return match is not None and numeric_date(match) is not None
