"""The programmer: a distribution over programs, searched by beam."""

from collections.abc import Iterable, Iterator
from itertools import product

import pytest
import torch

from handmade import encode
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY
from workings.network.grammar import ANSWERS, Grammar
from workings.network.programmer import Programmer, ScoredProgram
from workings.ops.results import Result
from workings.program import Program
from workings.settings import ProgrammerSettings

ROWS = [
    ("How many more did they win than lose?", "They won 3 of 10."),
    ("Who lost?", "Ben lost in 1990."),
    ("When was it?", "It was in May."),
]
# Attention comes from find alone: there are five programs, and no more.
FINITE = ("find", "find-num", "find-date", "span", "time-diff")


def programmer(names: Iterable[str] = REGISTRY, steps: int = 12) -> Programmer:
    """Over the whole language, of which only ``names`` were trained."""
    torch.manual_seed(4)
    settings = ProgrammerSettings(width=16, embedding=8, steps=steps)
    made = Programmer(4, settings, Grammar.of(REGISTRY), set(names)).double()
    for vector in made.productions.values():  # sharper than at first, so that choices differ
        vector.data *= 5
    return made


def programs(
    grammar: Grammar, names: Iterable[str], wanted: tuple[type[Result], ...], depth: int
) -> Iterator[Program]:
    """Every program of these modules up to a depth."""
    for form in grammar.signatures:
        if depth and form.name in names and form.gives in wanted:
            parts = [list(programs(grammar, names, (kind,), depth - 1)) for kind in form.takes]
            yield from (Program(form.name, children) for children in product(*parts))


@torch.no_grad()
def scores(made: Programmer, encoding: Encoding, row: int, found: list[Program]) -> torch.Tensor:
    return made.score(encoding.select([row] * len(found)), found)[0]


@pytest.mark.parametrize("row", range(3))
def test_the_scores_of_all_programs_add_up_to_one(row: int) -> None:
    made = programmer(FINITE)
    every = list(programs(made.grammar, FINITE, ANSWERS, 3))
    assert len(every) == 5
    assert scores(made, encode(ROWS), row, every).exp().sum().item() == pytest.approx(1)


def test_longer_programs_share_what_is_left() -> None:
    names = ("find", "find-num", "sub")
    made, encoding = programmer(names), encode(ROWS)
    shares = [
        scores(made, encoding, 0, list(programs(made.grammar, names, ANSWERS, depth))).exp().sum()
        for depth in (2, 3, 4)
    ]
    assert 0 < shares[0] < shares[1] < shares[2] < 1


@torch.no_grad()
def greedy(made: Programmer, encoding: Encoding) -> tuple[Program, float]:
    """The likeliest production each time, written out for one question."""
    table, state, last = made._table(), made._start(encoding), made.productions["begin"][None]
    words = (encoding.question, encoding.question_mask)
    written: list[int] = []
    wanted: list[tuple[type[Result], ...]] = [ANSWERS]
    total = 0.0
    while wanted:
        kinds = wanted.pop(0)
        state, raw, _ = made._step(state, last, words, table)
        forms = enumerate(made.grammar.signatures)
        able = [p for p, form in forms if form.gives in kinds and made.open[p]]
        logs = dict(zip(able, torch.log_softmax(raw[0, able], -1).tolist(), strict=True))
        room = made.settings.steps - len(written) - len(wanted)
        fits = [p for p in able if len(made.grammar.signatures[p].takes) + 1 <= room]
        best = max(fits, key=logs.__getitem__)
        total += logs[best]
        written.append(best)
        wanted = [(kind,) for kind in made.grammar.signatures[best].takes] + wanted
        last = table[best][None]
    return made._program(written), total


@torch.no_grad()
def test_a_beam_of_one_is_greedy() -> None:
    made = programmer(set(REGISTRY) - {"add", "sub"})  # whose operands take two steps at least
    for row in ROWS:
        encoding = encode([row])
        ((found,),) = made.write(encoding, beam=1)
        program, score = greedy(made, encoding)
        assert found.program == program
        assert found.score.item() == pytest.approx(score)


@torch.no_grad()
def test_a_wide_beam_finds_every_program_in_order() -> None:
    made, encoding = programmer(FINITE), encode(ROWS)
    for row, found in enumerate(made.write(encoding, beam=20)):
        every = list(programs(made.grammar, FINITE, ANSWERS, 3))
        known = scores(made, encoding, row, every)
        expected = [every[place] for place in known.argsort(descending=True)]
        assert [one.program for one in found] == expected


@torch.no_grad()
def test_what_is_written_is_scored_alike() -> None:
    """Searching and scoring are the same decoder: equal log-probabilities, equal attentions."""
    made, encoding = programmer(), encode(ROWS)
    for found in made.write(encoding, beam=4):
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        for one in found:
            score, asked = made.score(encoding.select([one.row]), [one.program])
            torch.testing.assert_close(score[0], one.score)
            assert len(one.question_attention) == sum(1 for _ in one.program.walk())
            for mine, theirs in zip(one.question_attention, asked, strict=True):
                torch.testing.assert_close(mine, theirs[0])
                assert mine.sum().item() == pytest.approx(1)


@torch.no_grad()
def test_questions_do_not_disturb_each_other() -> None:
    made = programmer()

    def plain(found: list[ScoredProgram]) -> list[tuple[str, float]]:
        return [(str(one.program), round(one.score.item(), 9)) for one in found]

    together = made.write(encode(ROWS), beam=3)
    for row, found in zip(ROWS, together, strict=True):
        assert plain(found) == plain(made.write(encode([row]), beam=3)[0])


def test_scores_of_a_batch_equal_those_alone() -> None:
    made = programmer()
    asked = [
        Program.parse(p) for p in ("span(find)", "sub(count(find), count(find))", "count(find)")
    ]
    total, steps = made.score(encode(ROWS), asked)
    assert len(steps) == 5
    for row, program in enumerate(asked):
        alone, _ = made.score(encode([ROWS[row]]), [program])
        torch.testing.assert_close(total[row], alone[0])
    assert not steps[0][1, 3:].any()  # padding of the shorter question is never looked at


@torch.no_grad()
@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("steps", [3, 6])
def test_every_search_ends_in_a_program(beam: int, steps: int) -> None:
    """Even a programmer that would filter for ever ends in time."""
    made = programmer(steps=steps)
    for key in ("filter/1", "sub/2"):
        made.productions[key].data.copy_(made.output_projection.bias.data.sign() * 50)
    made.output_projection.weight.data.zero_()
    made.output_projection.bias.data.mul_(50)
    for found in made.write(encode(ROWS), beam):
        assert found
        for one in found:
            made.grammar.derive(one.program)
            assert len(one.question_attention) <= steps


@torch.no_grad()
def test_untrained_modules_are_not_written() -> None:
    made, encoding = programmer(FINITE), encode(ROWS)
    for found in made.write(encoding, beam=9):
        assert {part.name for one in found for part in one.program.walk()} <= set(FINITE)
    total, asked = made.score(encoding, [Program.parse("count(find)")] * 3)
    assert total.tolist() == [-torch.inf] * 3
    assert asked[0].sum(-1).tolist() == pytest.approx([1] * 3)  # yet it can be run by hand


def test_gradients_reach_every_weight() -> None:
    made = programmer()
    total, _ = made.score(encode(ROWS), [Program.parse("sub(count(find), find-num(find))")] * 3)
    total.sum().backward()
    assert all(p.grad is not None and bool(p.grad.isfinite().all()) for p in made.parameters())
