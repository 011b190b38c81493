"""span and spans: where an answer begins and ends, and which words lie in several."""

from math import exp, expm1, log

import pytest
import torch

from handmade import context, encode, spread, zeroed
from workings.modules.span import SpanAnswer
from workings.modules.spans import SpansAnswer
from workings.settings import ModuleSettings

ROWS = [("Who?", "Ada won."), ("Who won in the end?", "Ben and Cal did not win.")]
ENCODING = encode(ROWS)
QUESTION, PASSAGE = 6, 7
APART = ModuleSettings(span="ends")


def test_without_weights_all_words_are_alike() -> None:
    found = zeroed(SpanAnswer(4, APART))(context(ENCODING), spread(ENCODING))
    assert found.start.shape == (2, QUESTION + PASSAGE)
    real = [*range(2), *range(QUESTION, QUESTION + 3)]  # two words of question, three of passage
    assert found.start[0, real].tolist() == pytest.approx([log(1 / 5)] * 5)
    assert found.end[1].exp().tolist() == pytest.approx([1 / 13] * 13)
    assert found.start[0].exp().sum().item() == pytest.approx(1)


def test_attention_is_trusted_by_a_learned_share() -> None:
    module, words = zeroed(SpanAnswer(4, APART)), spread(ENCODING)
    module.attention_weight.data.fill_(1.0)
    found = module(context(ENCODING), words)
    both = torch.cat([words.question, words.passage], 1)
    torch.testing.assert_close(found.start[1].exp(), both[1] / 2, rtol=1e-5, atol=1e-7)


def test_whole_phrases_are_alike_but_for_their_length() -> None:
    module = zeroed(SpanAnswer(4, ModuleSettings()))
    module.length_penalty.bias.data.fill_(log(expm1(1.0)))  # each further word costs 1
    found = module(context(ENCODING), spread(ENCODING))
    # Two words of question make two phrases of one word and one of two; three of passage
    # make three, two and one of three.
    whole = 5 + 3 * exp(-1) + exp(-2)
    known = [(0, 0), (0, 1), (QUESTION, QUESTION + 2), (1, QUESTION)]
    likely = [found.log_likelihood([[pair], [(0, 0)]])[0].item() for pair in known]
    assert likely[:3] == pytest.approx([-log(whole), -1 - log(whole), -2 - log(whole)])
    assert likely[3] == -1e4  # no phrase goes on from the question to the passage


def test_the_papers_span_sees_only_the_passages_weights() -> None:
    torch.manual_seed(2)
    module = SpanAnswer(4, ModuleSettings(span="attention-only")).double()
    words = spread(ENCODING)
    found = module(context(ENCODING), words)
    assert not found.start[:, :QUESTION].exp().any()
    assert found.start[0, QUESTION : QUESTION + 3].exp().sum().item() == pytest.approx(1)
    alone = encode(ROWS[:1])
    weights = spread(alone)
    weights.passage.copy_(words.passage[:1, :3])
    again = module(context(alone), weights)
    torch.testing.assert_close(again.start[0, 2:], found.start[0, QUESTION : QUESTION + 3])


def test_spans_are_odds_of_each_word() -> None:
    module = zeroed(SpansAnswer(4, ModuleSettings()))
    module.membership.prior.bias.data.fill_(-2.0)
    found = module(context(ENCODING), spread(ENCODING))
    assert found.inside.shape == (2, PASSAGE)
    assert found.inside[0].tolist() == pytest.approx([-2.0] * PASSAGE)
