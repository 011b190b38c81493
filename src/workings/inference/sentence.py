"""One plain sentence that states where an answer comes from, with quotations."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.explain.explanation import Source
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.comparison import ChosenComparison, ComparedMention
from workings.inference.decoding import Prediction
from workings.inference.quantity import (
    bare_mention,
    shown_value,
    written_mention,
    written_operands,
    written_result,
)
from workings.inference.quotation import (
    as_line,
    disjoint_spans,
    in_one_sentence,
    quoted_span,
)
from workings.inference.source_texts import SourceTexts
from workings.inference.units import PERCENT, Unit, operand_unit, result_unit
from workings.values import SECONDS_OF, CharSpan, Date, Timing, format_number

_SLOT = re.compile(r"\{(\d+)\}")
_SIGNS = str.maketrans({"-": "−", "*": "×", "/": "÷"})
_RELATIONS = {
    "more": "is more than",
    "less": "is less than",
    "later": "is later than",
    "earlier": "is earlier than",
    "equal": "is the same as",
}
_ORDINALS = dict(enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), 2))
# Values and quotations that a sentence lists.
_MAX_LISTED = 8
# Words of a sentence that is quoted whole for a list.
_MAX_WORDS = 30


def to_sentence(
    answer: Prediction,
    calculation: Calculation | None,
    comparisons: Sequence[ChosenComparison],
    texts: SourceTexts,
) -> str:
    """State where an answer comes from.

    Args:
        answer: The answer.
        calculation: The calculation that gives it; None if it is not a number.
        comparisons: The comparisons of the program.
        texts: The passage and the question.

    Returns:
        A sentence such as "58 % (“to 58% in 2023”) − 49 % (“from 49% in 2019”) = 9 %"; empty if
        the answer has no place in the texts.
    """
    compared = [comparison for comparison in comparisons if len(comparison.mentions) > 1]
    if calculation is not None and answer.value is not None and _is_computed(calculation):
        first = (
            _count_sentence(calculation, answer.value, texts)
            if calculation.is_count
            else _equation_sentence(calculation, answer.value, texts)
        )
        return "; ".join([first, *_compare_sentences(compared, texts, brief=True)])
    if compared:
        return "; ".join(_compare_sentences(compared, texts, brief=False))
    if calculation is not None:
        return _stated_operand(calculation.operands[0], texts)
    # The likeliest place of one phrase; a list has one place for each item.
    return _stated(answer.places if len(answer.texts) > 1 else answer.places[:1], texts)


def _is_computed(calculation: Calculation) -> bool:
    """Whether the result is another number than the operand, or a duration in another unit."""
    return not calculation.is_single or calculation.operands[0].timing is not None


def _equation_sentence(calculation: Calculation, value: Fraction, texts: SourceTexts) -> str:
    unit = result_unit(calculation, texts)
    expression = calculation.expression
    if unit is not None and unit.key == "%":
        expression = expression.replace("100 * ", "")  # 3 ÷ 4 = 75 %
    brief = [
        # 2 − (−7)
        f"({written})"
        if written.startswith("−") and not expression.startswith(f"{{{index}}}")
        else written
        for index, written in enumerate(written_operands(calculation, texts))
    ]
    quotations, shared = _quotations([_passage_span(each) for each in calculation.operands], texts)
    terms = [
        _term(operand, written, quotation, is_percent=_is_percent(calculation, unit, texts))
        for operand, written, quotation in zip(calculation.operands, brief, quotations, strict=True)
    ]
    used: set[int] = set()

    def fill(slot: re.Match[str]) -> str:
        index = int(slot[1])
        term = brief[index] if index in used else terms[index]  # quoted once
        used.add(index)
        return term

    equation = _SLOT.sub(fill, expression.translate(_SIGNS))
    equals = "=" if shown_value(value, texts) == value else "≈"
    in_units = _in_several_units(calculation, value)
    between = f"= {in_units} " if in_units else ""
    result = written_result(calculation, value, texts)
    return f"{equation} {between}{equals} {result}{shared}"


def _in_several_units(calculation: Calculation, value: Fraction) -> str:
    """A time as people write it, "6 h 45 min"; empty if it has one unit or is an operand."""
    units = {o.clock_unit for o in calculation.operands if o.timing is not None}
    if calculation.is_single or len(units) != 1 or set("*/") & set(calculation.expression):
        return ""
    written = str(Timing(value * SECONDS_OF[units.pop()], is_duration=True))
    return written if written.count(" ") > 1 else ""


def _passage_span(operand: ChosenOperand) -> CharSpan | None:
    return operand.span if operand.source == "passage" else None


def _is_percent(calculation: Calculation, unit: Unit | None, texts: SourceTexts) -> bool:
    units = [unit, *(operand_unit(operand, texts) for operand in calculation.operands)]
    return any(each is not None and each.text.lower() in PERCENT for each in units)


def _term(operand: ChosenOperand, written: str, quotation: str, *, is_percent: bool) -> str:
    """An operand with its quotation; a constant is named as such."""
    if operand.span is None:
        if is_percent and operand.value == 100:
            return f"{written} % (the whole)"
        return f"{written} (a fixed number)" if operand.constant else written
    if operand.source == "question":
        return f"{written} (from the question)"
    return written if quotation == f" (“{written}”)" else written + quotation


def _quotations(mentions: Sequence[CharSpan | None], texts: SourceTexts) -> tuple[list[str], str]:
    """A quotation in brackets for each mention, or one for two mentions of the same words."""
    text = texts.text("passage")
    spans = [None if mention is None else quoted_span(text, *mention) for mention in mentions]
    if len(mentions) == 2:
        (first, second), (one, other) = spans, mentions
        if first and second and one and other and (_covers(first, other) or _covers(second, one)):
            both = min(first[0], second[0]), max(first[1], second[1])
            return ["", ""], _in_brackets(both, texts)
    return ["" if span is None else _in_brackets(span, texts) for span in spans], ""


def _in_brackets(span: CharSpan, texts: SourceTexts) -> str:
    return f" (“{as_line(texts.text('passage'), span)}”)"


def _covers(outer: CharSpan, inner: CharSpan) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _count_sentence(calculation: Calculation, value: Fraction, texts: SourceTexts) -> str:
    result = written_result(calculation, value, texts)
    has_noun = result != format_number(value)
    if not calculation.operands:
        return f"The passage mentions {result.replace('0', 'no', 1) if has_noun else 'none'}"
    text = texts.text("passage")
    mentions = sorted(each.span for each in calculation.operands if each.span is not None)
    quotes = [f"“{as_line(text, span)}”" for span in disjoint_spans(text, mentions)]
    noun = "" if has_noun else " mention" if value == 1 else " mentions"
    return f"{result}{noun}: {_listed(quotes, last='')}"


def _compare_sentences(
    comparisons: Sequence[ChosenComparison], texts: SourceTexts, *, brief: bool
) -> Iterator[str]:
    """State comparisons; brief ones quote nothing, since the equation did.

    Extremes of the same numbers share a sentence: "52 is the largest and 24 the smallest of …".
    """
    write = _written if brief else _with_quote
    extremes: dict[frozenset[object], list[ChosenComparison]] = {}
    for comparison in comparisons:
        if comparison.relation in _RELATIONS:
            yield _two_sides(comparison, texts, brief=brief)
        else:
            values = frozenset(mention.value for mention in comparison.mentions)
            extremes.setdefault(values, []).append(comparison)
    for group in extremes.values():
        first, *others = [(write(each.mentions[0], texts), _superlative(each)) for each in group]
        winners = [
            f"{first[0]} is the {first[1]}",
            *(f"{text} the {name}" for text, name in others),
        ]
        yield f"{_listed(winners)} of {_listed(_compared_values(group[0], texts))}"


def _two_sides(comparison: ChosenComparison, texts: SourceTexts, *, brief: bool) -> str:
    mentions = comparison.mentions
    quotations, shared = (
        (["", ""], "") if brief else _quotations([mention.span for mention in mentions], texts)
    )
    chosen, other = (
        _written(mention, texts) + quotation
        for mention, quotation in zip(mentions, quotations, strict=True)
    )
    return f"{chosen} {_RELATIONS[comparison.relation]} {other}{shared}"


def _superlative(comparison: ChosenComparison) -> str:
    rank = comparison.rank
    return (
        comparison.relation
        if rank == 1
        else f"{_ORDINALS.get(rank, f'{rank}th')} {comparison.relation}"
    )


def _compared_values(comparison: ChosenComparison, texts: SourceTexts) -> list[str]:
    """The compared numbers, each once, beginning with the extreme."""
    by_value = {
        mention.value: _bare(mention, texts)
        for mention in reversed(comparison.mentions)
        if isinstance(mention.value, Fraction)
    }
    values = sorted(by_value, reverse=comparison.relation == "largest")
    return [by_value[value] for value in values]


def _written(mention: ComparedMention, texts: SourceTexts) -> str:
    if isinstance(mention.value, Date):
        return str(mention.value)
    return written_mention(mention.span, mention.value, texts)


def _bare(mention: ComparedMention, texts: SourceTexts) -> str:
    """The number as the passage writes it, without its unit."""
    assert isinstance(mention.value, Fraction)
    return bare_mention(mention.span, mention.value, texts)


def _with_quote(mention: ComparedMention, texts: SourceTexts) -> str:
    span = quoted_span(texts.text("passage"), *mention.span)
    return _written(mention, texts) + _in_brackets(span, texts)


def _stated_operand(operand: ChosenOperand, texts: SourceTexts) -> str:
    if operand.span is None:
        return f"{format_number(operand.value)} is a fixed number, which the passage does not state"
    return _stated([(operand.source, *operand.span)], texts)


def _stated(places: Sequence[tuple[str, int, int]], texts: SourceTexts) -> str:
    if not places:
        return ""
    source: Source = "question" if places[0][0] == "question" else "passage"
    text = texts.text(source)
    mentions = sorted((start, end) for name, start, end in places if name == source)
    spans = disjoint_spans(text, mentions)
    whole = spans[0][0], spans[-1][1]
    if in_one_sentence(text, whole) and len(text[slice(*whole)].split()) <= _MAX_WORDS:
        spans = [whole]
    verb = "Named" if source == "question" else "Stated"
    quotes = dict.fromkeys(f"“{as_line(text, span)}”" for span in spans)
    return f"{verb} in the {source}: {_listed(list(quotes), last='')}"


def _listed(items: list[str], last: str = " and ") -> str:
    """Join items for a sentence; very many are cut off."""
    if len(items) > _MAX_LISTED:
        return f"{', '.join(items[:_MAX_LISTED])} and {len(items) - _MAX_LISTED} more"
    if not last or len(items) < 2:
        return ", ".join(items)
    return f"{', '.join(items[:-1])}{last}{items[-1]}"
