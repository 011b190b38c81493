"""sum and average: the numbers of an uncertain set of mentions."""

import pytest
import torch

from handmade import context, encode, random_attention, with_zero_weights
from number_distributions import fractions, weight_of
from workings.modules._set_arithmetic import SetArithmetic
from workings.modules.average import Average
from workings.modules.sum import Sum
from workings.ops.grounding import Groundings
from workings.ops.results import Attention
from workings.settings import ModuleSettings

TEXT = "Bread cost 2 , milk 3 and tea 7 pounds"
POSITIONS = [2, 5, 8]
LOCAL = ModuleSettings(grounding="local", gated=True, pooled_words="passage")


def without_weights(kind: type[SetArithmetic]) -> SetArithmetic:
    """Zero weights: every mention is a member with probability one half."""
    return with_zero_weights(kind(4, ModuleSettings()))


def test_every_mention_is_a_member_with_its_own_probability() -> None:
    encoding = encode([("How much?", TEXT)])
    step = context(encoding)
    total = without_weights(Sum)(step, random_attention(encoding))
    assert weight_of(total) == pytest.approx(dict.fromkeys(fractions(2, 3, 5, 7, 9, 10, 12), 1 / 8))
    assert total.undefined.item() == pytest.approx(1 / 8)
    assert step.details.members is not None and step.details.candidates is not None
    # Constants are never members.
    assert step.details.members[0].tolist() == pytest.approx([0.5] * 3 + [0.0] * 3)
    marked = step.details.candidates.passage[0]
    assert marked[POSITIONS].tolist() == pytest.approx([0.5] * 3)
    assert marked.sum().item() == pytest.approx(1.5)


def test_average_is_exact() -> None:
    encoding = encode([("How much?", TEXT)])
    mean = without_weights(Average)(context(encoding), random_attention(encoding))
    # 2, 3, 7, (2+3)/2, (2+7)/2, (3+7)/2 and (2+3+7)/3
    values = fractions(2, "2.5", 3, 4, "4.5", 5, 7)
    assert weight_of(mean) == pytest.approx(dict.fromkeys(values, 1 / 8))


def test_sum_follows_the_attention() -> None:
    """With gated sets and local grounding, the attended mentions are added up."""
    encoding = encode([("How much?", TEXT)])
    module = Sum(4, LOCAL).double()
    for parameter in (module.membership.projection.weight, *module.membership.prior.parameters()):
        torch.nn.init.zeros_(parameter)
    module.membership.gate.data.fill_(2.0)
    groundings = Groundings(4, LOCAL).double()
    for attended, expected in (([2, 5], 5), ([5, 8], 10), ([2, 8], 9), ([8], 7)):
        weights = torch.zeros_like(encoding.passage_mask, dtype=torch.float64)
        weights[0, attended] = 1 / len(attended)
        attention = Attention(weights, torch.zeros_like(encoding.question_mask).double())
        total = weight_of(module(context(encoding, groundings=groundings), attention))
        assert max(total, key=total.__getitem__) == expected


@pytest.mark.parametrize("kind", [Sum, Average])
def test_passage_without_numbers_has_no_result(kind: type[SetArithmetic]) -> None:
    encoding = encode([("How much?", "Nobody came."), ("How much?", TEXT)])
    found = without_weights(kind)(context(encoding), random_attention(encoding))
    assert found.undefined.tolist() == pytest.approx([1, 1 / 8])
    assert found.supports[0].values == ()
