"""Plans of arithmetic expressions over the numbers of a passage and its question."""

import ast
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from workings.supervision import plans
from workings.supervision.case import Case
from workings.supervision.conditions import Condition, conditions_met, keep, without_conditions
from workings.supervision.derivation import Plan
from workings.supervision.expressions import BinaryExpression, Expression, value_of
from workings.supervision.question_patterns import asks_percent, enumerates, needs_filter
from workings.supervision.question_plans import operand_plans

_HUNDRED = Fraction(100)
_ONE = Fraction(1)
# So many numbers or more are one set; fewer have a step each.
_SET_SIZE = 3
# A question that names every number of a sum has a step for each, up to so many.
_MAX_NAMED = 3

_Operands = dict[Fraction, Plan]


def expression_plan(case: Case, expression: Expression) -> Plan | None:
    """The plan that computes an expression.

    Args:
        case: The question and its passage.
        expression: An expression whose value is the answer.

    Returns:
        The plan, or None if the expression divides by zero, has a negative part, or has a number
        that neither the passage nor the question states and that is no constant of a template.
    """
    if value_of(expression) is None:
        return None
    try:
        builder = _PlanBuilder(case, {})
        built = builder.build(expression)
        # The words of the question decide which operands are extremes, given all operands.
        values = list(builder.operands)
        operands = dict(zip(values, operand_plans(case.question.text, values), strict=True))
        return _PlanBuilder(case, operands).build(expression) if values else built
    except _NoPlanError:
        return None


class _NoPlanError(Exception):
    """There is no program for an expression."""


class _PlanBuilder:
    """Builds the plan of an expression, and collects the operands that the passage states."""

    def __init__(self, case: Case, operands: _Operands) -> None:
        self.case = case
        self.operands = dict(operands)

    def build(self, expression: Expression) -> Plan:
        if isinstance(expression, Fraction):
            return self._number(expression)
        for template in (self._percent, self._average, self._sum):
            found = template(expression)
            if found is not None:
                return found
        left, right = self.build(expression.left), self.build(expression.right)
        combine = plans.multiply if expression.operator is ast.Mult else plans.divide
        return combine(left, right)

    def _number(self, value: Fraction) -> Plan:
        if value in self.case.numbers and not self.case.is_only_asked(value):
            return self.operands.setdefault(value, plans.number_of(value))
        if value in self.case.numbers_of_question:
            return plans.question_number(value)
        raise _NoPlanError

    def _term(self, term: Expression) -> Plan:
        """A term of a sum, which may be the constant 1."""
        stated = self.case.numbers.union(self.case.numbers_of_question)
        return plans.one() if term == _ONE and _ONE not in stated else self.build(term)

    def _percent(self, expression: BinaryExpression) -> Plan | None:
        """``100*a/b`` and ``100*(a-b)/b``, with the factor 100 in any place."""
        split = _split_percent(expression)
        if split is None:
            return None
        part, whole = split
        if isinstance(part, BinaryExpression) and part.operator is ast.Sub:
            for before, after in ((part.right, part.left), (part.left, part.right)):
                if before == whole:
                    return plans.percent_change(self.build(after), self.build(before))
        return plans.percent(self.build(part), self.build(whole))

    def _average(self, expression: BinaryExpression) -> Plan | None:
        """``(a+b+c)/3``: the average of a set."""
        if expression.operator is not ast.Div:
            return None
        added, subtracted = split_terms(expression.left)
        members = [term for term in added if isinstance(term, Fraction)]
        is_mean = len(added) == expression.right and len(members) == len(added) > 1
        if subtracted or not is_mean or not self._are_mentions(members):
            return None
        return plans.average(self._set(members), members)

    def _sum(self, expression: BinaryExpression) -> Plan | None:
        if expression.operator not in (ast.Add, ast.Sub):
            return None
        added, subtracted = split_terms(expression)
        if not added:
            raise _NoPlanError
        mixed = bool(subtracted)
        if added == [_HUNDRED] and asks_percent(self.case.question):
            whole = plans.hundred()
        else:
            whole = self._group(added, mixed=mixed)
        if not subtracted:
            return whole
        less = self._group(subtracted, mixed=mixed)
        if plans.result_of(whole) < plans.result_of(less):
            raise _NoPlanError  # the module leaves negative differences out
        return plans.subtract(whole, less)

    def _group(self, terms: Sequence[Expression], *, mixed: bool) -> Plan:
        """The sum of some terms: a set, or a step for each."""
        # "No sons" adds nothing, and is no number of the passage.
        present = [term for term in terms if term != 0 or 0 in self.case.numbers] or list(terms)
        members = [term for term in present if isinstance(term, Fraction)]
        is_set = len(members) == len(present) > 1 and self._is_set(members, mixed=mixed)
        if is_set and self._are_mentions(members):
            return plans.total(self._set(members), members)
        return reduce(plans.add, map(self._term, present))

    def _is_set(self, members: Sequence[Fraction], *, mixed: bool) -> bool:
        """Whether one step finds all members, rather than one step each."""
        if len(members) < _SET_SIZE:
            return bool(self._conditions(members))
        if len(members) > _MAX_NAMED or mixed:
            return True
        return not enumerates(self.case.question, len(members))

    def _are_mentions(self, members: Sequence[Fraction]) -> bool:
        """Whether the passage mentions each member, as often as it is added."""
        return Counter(members) <= self.case.mention_counts

    def _set(self, members: Sequence[Fraction]) -> Plan:
        conditions = self._conditions(members)
        question = without_conditions(self.case.question.text, conditions)
        return keep(plans.find_described(filtered=needs_filter(question)), conditions)

    def _conditions(self, members: Sequence[Fraction]) -> tuple[Condition, ...]:
        return conditions_met(self.case.question.text, members)


def split_terms(expression: Expression) -> tuple[list[Expression], list[Expression]]:
    """The terms that a sum adds and those it subtracts; another expression is one added term."""
    added: list[Expression] = []
    subtracted: list[Expression] = []

    def collect(part: Expression, *, positive: bool) -> None:
        if isinstance(part, Fraction):
            (added if positive == (part >= 0) else subtracted).append(abs(part))
        elif part.operator in (ast.Add, ast.Sub):
            collect(part.left, positive=positive)
            collect(part.right, positive=positive == (part.operator is ast.Add))
        else:
            (added if positive else subtracted).append(part)

    collect(expression, positive=True)
    return added, subtracted


def _split_percent(expression: BinaryExpression) -> tuple[Expression, Expression] | None:
    """The part and the whole of ``100*a/b``, ``a*100/b``, ``a/b*100`` or ``100*(a/b)``."""
    left, right = expression.left, expression.right
    if expression.operator is ast.Div and isinstance(left, BinaryExpression):
        factors = (left.left, left.right)
        if left.operator is ast.Mult and _HUNDRED in factors:
            return factors[factors[0] == _HUNDRED], right
    if expression.operator is ast.Mult and _HUNDRED in (left, right):
        quotient = right if left == _HUNDRED else left
        if isinstance(quotient, BinaryExpression) and quotient.operator is ast.Div:
            return quotient.left, quotient.right
    return None
