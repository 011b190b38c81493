"""Units of numbers: as the text writes them, and of the result of a calculation."""

import ast
import re
from dataclasses import dataclass
from fractions import Fraction

from workings.explain.explanation import Source
from workings.inference.calculation import Calculation, ChosenOperand
from workings.inference.source_texts import SourceTexts
from workings.values import CharSpan
from workings.values.lexicon import MONEY

PERCENT = ("%", "percent", "per cent", "percentage points")
_CURRENCY_SIGNS = "$€£¥"
_ABBREVIATIONS = frozenset(
    """km m cm mm kg g mg l ml cl dl lb lbs oz ft mph kwh kw mw gb mb tb °c °f min h
    kr chf sek""".split()
)
_IRREGULAR = {"people": "person", "feet": "foot", "children": "child", "men": "man"}
_IRREGULAR |= {"women": "woman", "inches": "inch", "pence": "penny", "loaves": "loaf"}
_IRREGULAR |= {"kronor": "krona", "kroner": "krone"}
_PLURALS = {singular: plural for plural, singular in _IRREGULAR.items()}
_MONEY = MONEY | frozenset("kronor krona kroner krone kr chf sek".split())
_MEASURES = """yards? met(?:er|re)s? kilomet(?:er|re)s? centimet(?:er|re)s? miles? feet foot
    inch(?:es)? kilograms? kilos? grams? tons? tonnes? lit(?:er|re)s? pints? gallons? cups?
    tablespoons? teaspoons? points? years? months? weeks? days? hours? minutes? seconds? degrees?
    acres? hectares? votes? people households? passengers? pages?""".split()
_MEASURE = re.compile(
    rf"[\s-]?(?P<unit>{'|'.join([*_MEASURES, *sorted(_MONEY, reverse=True), *_ABBREVIATIONS])})"
    r"(?!\w|-(?!old\b))",  # "a 41-year-old", not "a two-day-long"
    re.IGNORECASE,
)
_PERCENT_SIGN = re.compile(r"\s?(%|per\s?cent\b|percent\b)", re.IGNORECASE)
_NEXT_OF_LIST = re.compile(r"(?:,|,? (?:and|or|to))? ?[-–]? ?(?=[\d$€£¥])")
_ASKED = re.compile(
    r"\bhow (?:many|much) (?:more |fewer |less |total |additional |percentage (?=points))?"
    r"(?:(?:thousand|million|billion) )?"
    r"(?P<noun>(?:(?!of |the |did |was |were |are |is |do |does |had )[a-z]+ )?"
    r"(?:(?!(?:was|is|does|has)\b)[a-z]{2,}s|people|percent|feet|men|women|children|kronor|kroner))\b"
    r"(?! (?:and|or)\b)",  # "How many cats and dogs" asks for neither
    re.IGNORECASE,
)
_NO_NOUNS = frozenset("was is does has as this its his plus versus less years' across".split())


@dataclass(frozen=True)
class Unit:
    """A unit; ``is_prefix`` for a currency sign, ``is_date`` for a point in time."""

    text: str
    is_prefix: bool = False
    is_date: bool = False

    @property
    def is_money(self) -> bool:
        return self.is_prefix or self.text.lower() in _MONEY

    @property
    def key(self) -> str:
        """The same text for all ways to write one unit."""
        text = self.text.lower()
        return "%" if text in PERCENT else singular(text)

    def attach(self, number: str, *, is_one: bool) -> str:
        """Write a number with the unit: "$3.50", "9 %", "12 yards", "1 year"."""
        if self.is_prefix:
            return f"{self.text}{number}"
        if self.key == "%" or self.key in _ABBREVIATIONS:
            return f"{number} {self.text}"
        return f"{number} {singular(self.text) if is_one else plural(self.text)}"


def singular(noun: str) -> str:
    """The singular of an English noun."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def plural(noun: str) -> str:
    """The plural of an English noun, which may be given in the plural."""
    if noun in _IRREGULAR or (noun.endswith("s") and not noun.endswith("ss")):
        return noun
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "sh", "ss", "x")) else f"{noun}s"


def unit_at(
    span: CharSpan, value: Fraction, texts: SourceTexts, source: Source = "passage"
) -> Unit | None:
    """The unit that a text gives a number, after it or after the list that it is part of."""
    number = texts.number_at(span, value, source)
    if number is None or number.unit in ("year", "ordinal"):
        return None
    text = texts.text(source)
    sign = text[: span[0]].rstrip()[-1:]
    if number.unit == "money" and sign in _CURRENCY_SIGNS and sign:
        return Unit(sign, is_prefix=True)
    end = texts.whole_number(number, source).end
    for _ in range(len(texts.numbers(source))):
        unit = _unit_after(text, end, texts.question)
        following = _NEXT_OF_LIST.match(text, end)
        if unit is not None or following is None:
            return unit
        ends = [n.end for n in texts.numbers(source) if n.start == following.end()]
        if not ends or max(ends) <= end:
            return None
        end = max(ends)
    return None


def _unit_after(text: str, end: int, question: str) -> Unit | None:
    percent = _PERCENT_SIGN.match(text, end)
    if percent:
        return Unit(percent.group(1))
    measure = _MEASURE.match(text, end)
    if measure:
        return Unit(measure.group("unit"))
    asked = asked_noun(question)
    if asked is not None and text[end : end + 1] == " ":
        following = text[end + 1 : end + 1 + len(plural(asked.text))].lower()
        if following and singular(following) == singular(asked.text.lower()):
            return asked
    return None


def asked_noun(question: str) -> Unit | None:
    """The noun that a question asks the number of: "votes" in "How many votes were cast?"."""
    asked = _ASKED.search(question)
    if asked is None or asked.group("noun").split()[-1].lower() in _NO_NOUNS:
        return None
    return Unit(asked.group("noun").lower())


def result_unit(calculation: Calculation, texts: SourceTexts) -> Unit | None:
    """The unit of a result, if the operands agree on one; else the noun that the question names."""
    asked = asked_noun(texts.question)
    if calculation.is_count:
        return asked
    names = [f"x{index}" for index in range(len(calculation.operands))]
    units = {
        name: operand_unit(operand, texts)
        for name, operand in zip(names, calculation.operands, strict=True)
    }
    tree = ast.parse(calculation.expression.format(*names), mode="eval").body
    if _is_share(tree):
        return Unit("%")
    bare = {is_without_scale(operand, texts) for operand in calculation.operands}
    if len(bare) > 1:  # 212,500 people and the "2.1" of "2.1 million people"
        return None
    unit, known = _combined(tree, units, asked)
    if unit is None:
        return asked if known and not _has_product(tree) else None
    if unit.key == "%" and asked is not None and asked.text == "points":
        return Unit("percentage points")
    return unit


def operand_unit(operand: ChosenOperand, texts: SourceTexts) -> Unit | None:
    """The unit of an operand; dates and clock times have the unit of their distance."""
    if operand.date is not None:
        return Unit(operand.date_unit, is_date=True)
    if operand.timing is not None:
        is_clock = not operand.timing.is_duration
        return Unit(operand.clock_unit, is_date=is_clock)
    if operand.span is None or operand.counted:
        return None
    return unit_at(operand.span, operand.value, texts, operand.source)


def is_without_scale(operand: ChosenOperand, texts: SourceTexts) -> bool:
    """Whether an operand is the "3.2" of "3.2 million"."""
    if operand.span is None:
        return False
    number = texts.number_at(operand.span, operand.value, operand.source)
    return number is not None and texts.whole_number(number, operand.source) != number


def _combined(
    tree: ast.expr, units: dict[str, Unit | None], asked: Unit | None
) -> tuple[Unit | None, bool]:
    """The unit of an expression, and whether its operands do not contradict each other."""
    if isinstance(tree, ast.Name):
        return units[tree.id], True
    if not isinstance(tree, ast.BinOp):
        return None, True
    (left, left_known), (right, right_known) = (
        _combined(side, units, asked) for side in (tree.left, tree.right)
    )
    known = left_known and right_known
    if left is None or right is None:
        inverse = isinstance(tree.op, ast.Div) and left is None and right is not None
        return (None, False) if inverse else (left or right, known)
    if left.key != right.key:
        return _of_different(tree.op, left, right, asked), False
    if isinstance(tree.op, ast.Sub) and left.is_date:
        return Unit(left.text), known
    if isinstance(tree.op, ast.Add | ast.Sub):
        return left, known
    return None, False


def _of_different(
    operation: ast.operator, left: Unit, right: Unit, asked: Unit | None
) -> Unit | None:
    """The unit of a result whose operands have different units, if it is clear."""
    if isinstance(operation, ast.Add | ast.Sub):
        # "6,318 spectators" and "450 people", if the question asks for spectators
        keys = {left.key, right.key}
        is_same = asked is not None and keys == {asked.key, singular("people")}
        return asked if is_same else None
    money = [unit for unit in (left, right) if unit.is_money]
    pays_left = isinstance(operation, ast.Mult) or left.is_money
    return money[0] if len(money) == 1 and pays_left else None  # "13.20 euros an hour"


def _is_share(tree: ast.expr) -> bool:
    """Whether an expression multiplies a quotient by the literal 100."""
    nodes = list(ast.walk(tree))
    hundred = any(isinstance(node, ast.Constant) and node.value == 100 for node in nodes)
    return hundred and any(isinstance(node, ast.Div) for node in nodes)


def _has_product(tree: ast.expr) -> bool:
    return any(isinstance(node, ast.Mult | ast.Div) for node in ast.walk(tree))
