"""The programmer: a distribution over programs, and beam search for the likeliest."""

from collections.abc import Iterable, Iterator
from itertools import product

import pytest
import torch

from handmade import encode
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.network.grammar import ANSWERS, Grammar
from workings.network.programmer import Programmer, ScoredProgram
from workings.ops.results import Attention, Result
from workings.program import Program
from workings.settings import ProgrammerSettings

ROWS = [
    ("How many more did they win than lose?", "They won 3 of 10."),
    ("Who lost?", "Ben lost in 1990."),
    ("When was it?", "It was in May."),
]
# Only find gives attention: there are exactly five programs.
FINITE = ("find", "find-num", "find-date", "span", "time-diff")


def programmer(names: Iterable[str] = REGISTRY, steps: int = 12) -> Programmer:
    """A programmer for all modules that may write those with the given names."""
    torch.manual_seed(4)
    settings = ProgrammerSettings(width=16, embedding=8, steps=steps)
    model = Programmer(4, settings, Grammar.of(REGISTRY), set(names)).double()
    for embedding in model.productions.values():  # larger than at first, so that scores differ
        embedding.data *= 5
    return model


def all_programs(
    grammar: Grammar, names: Iterable[str], slot: tuple[type[Result], ...], depth: int
) -> Iterator[Program]:
    """Every program of these modules up to a depth."""
    for form in grammar.signatures:
        if depth and form.name in names and form.gives in slot:
            parts = [list(all_programs(grammar, names, (kind,), depth - 1)) for kind in form.takes]
            yield from (Program(form.name, children) for children in product(*parts))


@torch.no_grad()
def scores(
    model: Programmer, encoding: Encoding, row: int, programs: list[Program]
) -> torch.Tensor:
    return model.score(encoding.select([row] * len(programs)), programs)[0]


@pytest.mark.parametrize("row", range(3))
def test_probabilities_of_all_programs_sum_to_one(row: int) -> None:
    model = programmer(FINITE)
    programs = list(all_programs(model.grammar, FINITE, ANSWERS, 3))
    assert len(programs) == 5
    assert scores(model, encode(ROWS), row, programs).exp().sum().item() == pytest.approx(1)


def test_longer_programs_share_the_remaining_probability() -> None:
    names = ("find", "find-num", "sub")
    model, encoding = programmer(names), encode(ROWS)
    totals = [
        scores(model, encoding, 0, list(all_programs(model.grammar, names, ANSWERS, depth)))
        .exp()
        .sum()
        for depth in (2, 3, 4)
    ]
    assert 0 < totals[0] < totals[1] < totals[2] < 1


@torch.no_grad()
def greedy(model: Programmer, encoding: Encoding) -> tuple[Program, float]:
    """Choose the likeliest production at each step, for modules that only take attention."""
    table, state = model._embeddings(), model._start(encoding)
    previous = model.productions["begin"][None]
    question = (encoding.question, encoding.question_mask)
    productions: list[int] = []
    slots: list[tuple[type[Result], ...]] = [ANSWERS]
    total = 0.0
    while slots:
        slot = slots.pop(0)
        state, raw, _ = model._step(state, previous, question, table)
        forms = enumerate(model.grammar.signatures)
        allowed = [p for p, form in forms if form.gives in slot and model.usable[p]]
        logs = dict(zip(allowed, torch.log_softmax(raw[0, allowed], -1).tolist(), strict=True))
        room = model.settings.steps - len(productions) - len(slots)
        fitting = [p for p in allowed if len(model.grammar.signatures[p].takes) + 1 <= room]
        best = max(fitting, key=logs.__getitem__)
        total += logs[best]
        productions.append(best)
        slots = [(kind,) for kind in model.grammar.signatures[best].takes] + slots
        previous = table[best][None]
    return model._program(productions), total


@torch.no_grad()
def test_beam_of_one_is_greedy() -> None:
    model = programmer(
        name
        for name, module in REGISTRY.items()
        if all(kind is Attention for form in module.signatures() for kind in form.takes)
    )
    for row in ROWS:
        encoding = encode([row])
        ((written,),) = model.write(encoding, beam=1)
        program, score = greedy(model, encoding)
        assert written.program == program
        assert written.score.item() == pytest.approx(score)


@torch.no_grad()
def test_wide_beam_finds_every_program_in_order() -> None:
    model, encoding = programmer(FINITE), encode(ROWS)
    for row, written in enumerate(model.write(encoding, beam=20)):
        programs = list(all_programs(model.grammar, FINITE, ANSWERS, 3))
        order = scores(model, encoding, row, programs).argsort(descending=True)
        assert [scored.program for scored in written] == [programs[index] for index in order]


@torch.no_grad()
def test_write_and_score_agree() -> None:
    """Search and scoring use one decoder: equal log-probabilities and equal attention."""
    model, encoding = programmer(), encode(ROWS)
    for written in model.write(encoding, beam=4):
        log_probabilities = [float(scored.score) for scored in written]
        assert log_probabilities == sorted(log_probabilities, reverse=True)
        for scored in written:
            score, attention = model.score(encoding.select([scored.row]), [scored.program])
            torch.testing.assert_close(score[0], scored.score)
            assert len(scored.question_attention) == sum(1 for _ in scored.program.walk())
            for actual, expected in zip(scored.question_attention, attention, strict=True):
                torch.testing.assert_close(actual, expected[0])
                assert actual.sum().item() == pytest.approx(1)


@torch.no_grad()
def test_write_treats_rows_independently() -> None:
    model = programmer()

    def rounded(written: list[ScoredProgram]) -> list[tuple[str, float]]:
        return [(str(scored.program), round(scored.score.item(), 9)) for scored in written]

    together = model.write(encode(ROWS), beam=3)
    for row, written in zip(ROWS, together, strict=True):
        assert rounded(written) == rounded(model.write(encode([row]), beam=3)[0])


def test_score_treats_rows_independently() -> None:
    model = programmer()
    texts = ("span(find)", "sub(count(find), count(find))", "count(find)")
    programs = [Program.parse(text) for text in texts]
    total, attention = model.score(encode(ROWS), programs)
    assert len(attention) == 5
    for row, program in enumerate(programs):
        alone, _ = model.score(encode([ROWS[row]]), [program])
        torch.testing.assert_close(total[row], alone[0])
    assert not attention[0][1, 3:].any()  # padding of the shorter question


@torch.no_grad()
@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("steps", [3, 6])
def test_every_search_finishes(beam: int, steps: int) -> None:
    """A programmer that strongly prefers filter and sub still finishes in time."""
    model = programmer(steps=steps)
    for key in ("filter/1", "sub/2"):
        model.productions[key].data.copy_(model.output_projection.bias.data.sign() * 50)
    model.output_projection.weight.data.zero_()
    model.output_projection.bias.data.mul_(50)
    for written in model.write(encode(ROWS), beam):
        assert written
        for scored in written:
            model.grammar.derive(scored.program)
            assert len(scored.question_attention) <= steps


@torch.no_grad()
def test_untrained_modules_are_scored_but_never_written() -> None:
    model, encoding = programmer(FINITE), encode(ROWS)
    for written in model.write(encoding, beam=9):
        assert {part.name for scored in written for part in scored.program.walk()} <= set(FINITE)
    total, attention = model.score(encoding, [Program.parse("count(find)")] * 3)
    assert total.tolist() == [-torch.inf] * 3
    assert attention[0].sum(-1).tolist() == pytest.approx([1] * 3)  # so that it can be run by hand


def test_gradients_reach_every_parameter() -> None:
    model = programmer()
    total, _ = model.score(encode(ROWS), [Program.parse("sub(count(find), find-num(find))")] * 3)
    torch.autograd.backward(total.sum())
    gradients = [parameter.grad for parameter in model.parameters()]
    assert all(gradient is not None and bool(gradient.isfinite().all()) for gradient in gradients)
