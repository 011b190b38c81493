"""The modules span and spans: first and last token of an answer, and the tokens of several."""

from math import exp, expm1, log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from handmade import context, encode, random_attention, with_zero_weights
from workings.modules.span import SpanAnswer
from workings.modules.spans import SpansAnswer
from workings.ops.results import Attention
from workings.settings import ModuleSettings

ROWS = [("Who?", "Ada won."), ("Who won in the end?", "Ben and Cal did not win.")]
ENCODING = encode(ROWS)
QUESTION, PASSAGE = 6, 7  # padded lengths
ENDS = ModuleSettings(span="ends")


def test_zero_weights_give_a_uniform_distribution() -> None:
    span = with_zero_weights(SpanAnswer(4, ENDS))(context(ENCODING), random_attention(ENCODING))
    assert span.start.shape == (2, QUESTION + PASSAGE)
    real = [*range(2), *range(QUESTION, QUESTION + 3)]  # two words of question, three of passage
    assert span.start[0, real].tolist() == pytest.approx([log(1 / 5)] * 5)
    assert span.end[1].exp().tolist() == pytest.approx([1 / 13] * 13)
    assert span.start[0].exp().sum().item() == pytest.approx(1)


def test_attention_counts_by_a_learned_weight() -> None:
    module, attention = with_zero_weights(SpanAnswer(4, ENDS)), random_attention(ENCODING)
    module.attention_weight.data.fill_(1.0)
    span = module(context(ENCODING), attention)
    both = torch.cat([attention.question, attention.passage], 1)
    torch.testing.assert_close(span.start[1].exp(), both[1] / 2, rtol=1e-5, atol=1e-7)


def test_whole_spans_differ_by_their_length() -> None:
    module = with_zero_weights(SpanAnswer(4, ModuleSettings()))
    module.length_penalty.bias.data.fill_(log(expm1(1.0)))  # each further token costs 1
    span = module(context(ENCODING), random_attention(ENCODING))
    # The two tokens of the question have two spans of one token and one of two; the three tokens
    # of the passage have three, two and one of three.
    total = 5 + 3 * exp(-1) + exp(-2)
    ends = [(0, 0), (0, 1), (QUESTION, QUESTION + 2), (1, QUESTION)]
    likelihoods = [span.log_likelihood([[pair], [(0, 0)]])[0].item() for pair in ends]
    assert likelihoods[:3] == pytest.approx([-log(total), -1 - log(total), -2 - log(total)])
    assert likelihoods[3] == -1e4  # no span goes from the question into the passage


def test_span_of_the_paper_reads_only_attention_on_the_passage() -> None:
    torch.manual_seed(2)
    module = SpanAnswer(4, ModuleSettings(span="attention-only")).double()
    attention = random_attention(ENCODING)
    span = module(context(ENCODING), attention)
    assert not span.start[:, :QUESTION].exp().any()
    assert span.start[0, QUESTION : QUESTION + 3].exp().sum().item() == pytest.approx(1)
    alone = encode(ROWS[:1])
    same_attention = random_attention(alone)
    same_attention.passage.copy_(attention.passage[:1, :3])
    single = module(context(alone), same_attention)
    torch.testing.assert_close(single.start[0, 2:], span.start[0, QUESTION : QUESTION + 3])


def test_spans_gives_log_odds_of_each_token() -> None:
    module = with_zero_weights(SpansAnswer(4, ModuleSettings()))
    module.membership.prior.bias.data.fill_(-2.0)
    spans = module(context(ENCODING), random_attention(ENCODING))
    assert spans.inside.shape == (2, PASSAGE)
    assert spans.inside[0].tolist() == pytest.approx([-2.0] * PASSAGE)


@pytest.mark.parametrize("form", ["whole", "ends"])
@given(seed=st.integers(0, 99), scale=st.sampled_from([0.1, 1.0, 1e4]))
def test_gated_span_lies_in_the_attended_words(form: str, seed: int, scale: float) -> None:
    """Whatever the vectors are, the answer lies where concentrated attention lies."""
    torch.manual_seed(seed)
    module = SpanAnswer(4, ModuleSettings.model_validate({"span": form, "gated": True})).double()
    for parameter in (*module.query.parameters(), *module.token_score.parameters()):
        torch.nn.init.normal_(parameter, std=scale)
    weights = torch.zeros_like(ENCODING.passage_mask).double()
    weights[0, seed % 3], weights[1, seed % 7] = 1, 1
    attention = Attention(weights, torch.zeros_like(ENCODING.question_mask).double())
    span = module(context(ENCODING), attention)
    for row, token in enumerate((seed % 3, seed % 7)):
        if span.phrases is None:
            first, last = int(span.start[row].argmax()), int(span.end[row].argmax())
        else:
            first, further = divmod(int(span.phrases[row].argmax()), span.phrases.shape[2])
            last = first + further
        assert (first, last) == (QUESTION + token, QUESTION + token)


def test_gated_span_by_hand() -> None:
    module = with_zero_weights(SpanAnswer(4, ENDS.model_copy(update={"gated": True})))
    attention = random_attention(ENCODING)
    span = module(context(ENCODING), attention)
    both = torch.cat([attention.question, attention.passage], 1)[1] + 1e-3
    torch.testing.assert_close(span.start[1].exp(), both / both.sum())
