"""Reads runs of digits: grouped by commas, dots, apostrophes or spaces, and powers of ten."""

import math
import re
from fractions import Fraction

# Longer runs of digits are identifiers, not amounts; the limit also keeps arithmetic on them cheap.
MAX_DIGITS = 30
MAX_EXPONENT = 100

_NARROW = r"[\u00a0\u2007\u2009\u202f]"
_TAIL = r"(?: \.\d+ | ,\d{1,2}(?!\d) )?"
_MEASURES = (
    "m km cm mm metres? meters? kilomet(?:re|er)s? centimet(?:re|er)s? millimet(?:re|er)s? inch "
    "inches feet ft miles? yards? hectares? ha acres? g kg grams? kilograms? kilos? tons? tonnes? "
    "l ml lit(?:re|er)s? h hours? minutes? seconds? years? months? weeks? days? degrees? percent "
    "per thousand million billion trillion mio mrd mln bn euros? eur dollars? pounds? francs? "
    "times points? gb mb tb kw kwh mw gw hz khz mhz ghz"
).split()
_RANGE = r"(?: (?: \s?[-\u2010-\u2015]\s? | \sto\s ) \d{1,9},\d\d? )?"
_MEASURE = rf"(?= {_RANGE} (?: \s?[%°€£$] | [\s\u2010\u2011-]? (?i:{'|'.join(_MEASURES)})\b ) )"

# "13 300 yard games" are thirteen games.
_APART = r"(?! \d | [ ]\d | -[^\W\d_] | [ ] (?: yard | foot | met(?:re|er) | mile | point )\b )"

DIGITS = rf"""
    (?P<exponential> \d++ (?: \.\d++ )? [eE] [-+\u2212]? \d{{1,3}} (?!\w) )
  | (?P<power> (?: \d++ (?: \.\d++ )? \s?[x×*·⋅]\s? )?
        10 (?: (?: \^ | \*\* ) [-+\u2212]? \d{{1,3}} | [⁺⁻]? [⁰¹²³⁴-⁹]{{1,3}} ) (?!\d) )
  | (?P<raised> \d{{1,3}} (?: \^ | \*\* ) \d{{1,4}} (?! [\w^*] | \.\d ) )
  | (?P<continental>
        \d{{1,3}} (?: (?: \.\d{{3}} )+ ,\d++ | (?: \.\d{{3}} ){{2,}} ) (?! [.,]?\d )
      | (?<! \d, ) (?: \d++ , (?: \d\d? | \d{{4,}}+ ) (?! ,?\d ) {_MEASURE} | 0,\d++ (?! ,\d ) )
      | (?<= [€£$] ) \d++ ,\d\d? (?! ,?\d ) )
  | (?P<spaced> [1-9]\d{{0,2}} (?: {_NARROW} \d{{3}} )+ (?!\d) {_TAIL} )
  | (?P<apart> (?: (?<! \d[ ] ) | (?<= \d{{4}}[ ] ) )
        [1-9]\d{{0,2}} (?: [ ]\d{{3}} )+ {_APART} {_TAIL} )
  | (?P<english> \d{{1,3}} (?: (?: ,\d{{3}} )+ | (?: ['\u2019]\d{{3}} )+ ) (?!\d) (?: \.\d++ )?
      | [1-9]\d? (?: ,\d\d )+ ,\d{{3}} (?! ,?\d ) (?: \.\d++ )?
      | \d++ (?: \.\d++ )?
      | (?<! [\w.] ) \.\d++ )
"""
ENGLISH = re.compile(r"\d++ (?: \.\d++ )?", re.VERBOSE)

_SEPARATORS = re.compile(r"[\s'\u2019]")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺\u2212", "0123456789-+-")
_POWER = re.compile(r"(?:(?P<factor>.+?)\s?[x×*·⋅]\s?)?10(?:\^|\*\*)?(?P<exponent>[-+]?\d+)")


def read_digits(match: re.Match[str]) -> Fraction | None:
    """The value of a match of ``DIGITS``; None for a run that is too long to be an amount."""
    if match["exponential"]:
        mantissa, exponent = match[0].lower().translate(_SUPERSCRIPTS).split("e")
        return _power_of_ten(mantissa, exponent)
    if match["power"]:
        parts = _POWER.fullmatch(match[0].translate(_SUPERSCRIPTS))
        return _power_of_ten(parts["factor"] or "1", parts["exponent"]) if parts else None
    if match["raised"]:
        return _power(*(int(digits) for digits in re.split(r"\^|\*\*", match[0])))
    digits = _SEPARATORS.sub("", match[0])
    if match["continental"] or (not match["english"] and "," in digits):
        digits = digits.replace(".", "").replace(",", ".")
    return exact(digits.replace(",", ""))


def exact(digits: str) -> Fraction | None:
    """The value of plain decimal digits; None if there are too many of them."""
    return Fraction(digits) if len(digits) <= MAX_DIGITS else None


def _power(base: int, exponent: int) -> Fraction | None:
    if exponent * math.log10(max(base, 1)) > MAX_EXPONENT:
        return None
    return Fraction(base**exponent)


def _power_of_ten(mantissa: str, exponent: str) -> Fraction | None:
    value, power = exact(mantissa), int(exponent)
    if value is None or abs(power) > MAX_EXPONENT:
        return None
    return value * Fraction(10) ** power
