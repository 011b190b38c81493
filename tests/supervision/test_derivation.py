"""Plans and the step numbers of their targets."""

from fractions import Fraction

from workings.supervision.derivation import plan


def test_targets_are_numbered_as_the_program_is_walked() -> None:
    first, second = (plan("find-num", plan("find"), numbers=[Fraction(n)]) for n in (2, 1))
    whole = plan("sub", first, second)
    names = [step.name for step in whole.program.walk()]
    assert [(names[target.step], target.numbers) for target in whole.targets] == [
        ("find-num", (Fraction(2),)),
        ("find-num", (Fraction(1),)),
    ]
    assert [target.step for target in whole.targets] == [1, 3]
    assert whole.size == len(names)


def test_derivation_of_a_plan() -> None:
    derivation = plan("count", plan("find"), numbers=[Fraction(3)]).derivation(from_evidence=True)
    assert derivation.program == "count(find)"
    assert derivation.from_evidence
    assert [target.numbers for target in derivation.targets] == [(Fraction(3),)]
