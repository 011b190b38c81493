"""Numbers as a reader expects them: with the unit, scale and separators of the passage."""

import re
from fractions import Fraction

from workings.explain.explanation import Source
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.rounding import rounded_result
from workings.inference.source_texts import SourceTexts
from workings.inference.units import Unit, is_without_scale, operand_unit, result_unit, unit_at
from workings.values import CharSpan, format_number
from workings.values.lexicon import SCALES

_SEPARATORS = ", '\u2009\u202f\u00a0"
_GROUPED = re.compile(rf"\b\d{{1,3}}(?P<mark>[{_SEPARATORS}])\d{{3}}(?:(?P=mark)\d{{3}})*(?!\d)")
_UNGROUPED = re.compile(r"(?<![\d.,])\d{4,}")
_IN_DIGITS = re.compile(rf"\d[\d.{_SEPARATORS}]*")
_SCALED = re.compile(r"\d[\d.,]* (?P<word>[a-z]+)")
_NEVER_SCALED = ("dozen",)
_CENTS = re.compile(r"\.\d\d$")


def written_mention(
    span: CharSpan, value: Fraction, texts: SourceTexts, source: Source = "passage"
) -> str:
    """Write a number that a text states, with scale and unit: "53 yards" for "53-yard"."""
    number = bare_mention(span, value, texts, source)
    unit = unit_at(span, value, texts, source)
    return number if unit is None else unit.attach(number, is_one=value == 1)


def bare_mention(
    span: CharSpan, value: Fraction, texts: SourceTexts, source: Source = "passage"
) -> str:
    """Write a number that a text states, without its unit."""
    text = _whole_text(span, value, texts, source)
    in_digits = _IN_DIGITS.fullmatch(text) or _scale_word(text)
    number = text if in_digits else format_number(abs(value))
    return f"−{number}" if value < 0 else number


def _whole_text(span: CharSpan, value: Fraction, texts: SourceTexts, source: Source) -> str:
    number = texts.number_at(span, value, source)
    end = span[1] if number is None else texts.whole_number(number, source).end
    return texts.text(source)[span[0] : end]


def written_operands(calculation: Calculation, texts: SourceTexts) -> list[str]:
    """Write the operands of a calculation: "$3.50", "9 June 1871", "1907"."""
    in_scale = _common_scale(calculation, texts) is not None
    return [
        format_number(operand.value)
        if not in_scale and is_without_scale(operand, texts)
        else _written_operand(operand, texts)
        for operand in calculation.operands
    ]


def _written_operand(operand: ChosenOperand, texts: SourceTexts) -> str:
    if operand.date is not None:
        by_year = operand.date_unit == "years"
        return format_number(operand.value) if by_year else str(operand.date)
    if operand.span is None or operand.counted:
        return format_number(operand.value)
    if operand.timing is not None:
        written = texts.text(operand.source)[slice(*operand.span)]
        return written.rstrip(".") if operand.timing.is_duration else written  # not "5 p.m"
    return written_mention(operand.span, operand.value, texts, operand.source)


def written_result(calculation: Calculation, value: Fraction, texts: SourceTexts) -> str:
    """Write the result of a calculation with the unit and the format of its operands."""
    if calculation.is_single and calculation.operands[0].span is not None:
        (operand,) = calculation.operands
        if operand_unit(operand, texts) is not None and operand.timing is None:
            return _written_operand(operand, texts)
    unit = result_unit(calculation, texts)
    shown = shown_value(value, texts)
    number = _written_number(calculation, shown, texts, unit)
    return number if unit is None else unit.attach(number, is_one=shown == 1)


def shown_value(value: Fraction, texts: SourceTexts) -> Fraction:
    """The number as the answer writes it, rounded if its decimals are many."""
    sources: tuple[Source, Source] = ("passage", "question")
    stated = {number.value for source in sources for number in texts.numbers(source)}
    return rounded_result(value, stated)


def _written_number(
    calculation: Calculation, value: Fraction, texts: SourceTexts, unit: Unit | None
) -> str:
    placed = _placed(calculation)
    written = [_whole_text(span, o.value, texts, o.source) for o, span in placed]
    if calculation.is_single and written and _IN_DIGITS.fullmatch(written[0]):
        return written[0]
    scale = _common_scale(calculation, texts)
    if scale is not None:
        # "3.2" of "3.2 million" is an operand as well: its result is in millions.
        factor = 1 if is_without_scale(placed[0][0], texts) else SCALES[scale]
        return f"{format_number(value / factor)} {scale}"
    number = format_number(value)
    whole, point, decimals = number.partition(".")
    if len(decimals) == 1 and unit is not None and _has_cents(unit, written):
        decimals += "0"  # $7.50
    return f"{_grouped(whole, written, texts)}{point}{decimals}"


def _has_cents(unit: Unit, operands: list[str]) -> bool:
    """Whether amounts in a unit are written with two decimals."""
    return unit.is_prefix or (unit.is_money and any(map(_CENTS.search, operands)))


def _placed(calculation: Calculation) -> list[tuple[ChosenOperand, CharSpan]]:
    """The operands that are numbers of a text."""
    return [
        (operand, operand.span)
        for operand in calculation.operands
        if operand.span is not None and not operand.counted
        if operand.date is None and operand.timing is None
    ]


def _common_scale(calculation: Calculation, texts: SourceTexts) -> str | None:
    """The scale word that all operands of a sum or difference have; None without one."""
    placed = _placed(calculation)
    words = {_scale_word(_whole_text(span, o.value, texts, o.source)) for o, span in placed}
    bare = {is_without_scale(operand, texts) for operand in calculation.operands}
    is_product = bool(set("*/") & set(calculation.expression))
    return words.pop() if len(words) == 1 and len(bare) == 1 and not is_product else None


def _scale_word(text: str) -> str | None:
    """The scale of "3.2 million"; None for other forms."""
    scaled = _SCALED.fullmatch(text.lower())
    word = scaled.group("word") if scaled else None
    return word if word in SCALES and word not in _NEVER_SCALED else None


def _grouped(digits: str, operands: list[str], texts: SourceTexts) -> str:
    """Separate thousands as the operands do, else as the passage does, else by commas."""
    for text in (*operands, texts.text("passage")):
        grouped = _GROUPED.search(text)
        if grouped:
            return f"{int(digits):,}".replace(",", grouped.group("mark"))
        if text in operands and _UNGROUPED.fullmatch(text):
            return digits
    return f"{int(digits):,}"
