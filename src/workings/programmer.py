"""The programmer: writes programs for a question, one production at a time, under the grammar."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.grammar import ANSWERS, Grammar
from workings.grounding import masked_softmax
from workings.program import Program
from workings.results import Result
from workings.settings import ProgrammerSettings

State = tuple[Tensor, Tensor, Tensor]  # hidden, cell, attended question
_FIRST = "begin"


@dataclass(frozen=True)
class Written:
    """A program for one row, its log-probability, and the question attention of each step."""

    row: int
    program: Program
    score: Float[Tensor, ""]
    asked: Sequence[Float[Tensor, " n"]]


@dataclass(frozen=True)
class _Draft:
    """An unfinished program: what is written, and what is still wanted, next first."""

    row: int
    productions: tuple[int, ...]
    wanted: tuple[tuple[type[Result], ...], ...]
    score: Tensor
    asked: tuple[Tensor, ...]


class Programmer(nn.Module):
    """An attentive decoder over the question. The attention of a step is its module's argument."""

    def __init__(
        self, width: int, settings: ProgrammerSettings, grammar: Grammar, trained: set[str]
    ) -> None:
        super().__init__()
        self.settings, self.grammar = settings, grammar
        size = settings.embedding
        # Kept by name, so that weights still load when the language grows.
        self.productions = nn.ParameterDict(
            {
                key: nn.Parameter(torch.randn(size) * size**-0.5)
                for key in [_FIRST, *(form.key for form in grammar.signatures)]
            }
        )
        # Modules that were never trained can be run by hand, but are not written.
        self.open = [form.name in trained for form in grammar.signatures]
        self.shortest = grammar.shortest(self.open)
        self.enter = nn.Linear(width + size, settings.width)
        self.cell = nn.LSTMCell(settings.width, settings.width)
        self.begin = nn.Linear(width, settings.width)
        self.look = nn.Linear(settings.width, width, bias=False)
        self.decide = nn.Linear(settings.width + width, size)

    def score(
        self, encoding: Encoding, programs: Sequence[Program]
    ) -> tuple[Float[Tensor, " b"], list[Float[Tensor, "b n"]]]:
        """Log-probability of program i for row i, and the question attention of every step.

        Attentions are padded to the longest program's steps.
        """
        written = [self.grammar.derive(program) for program in programs]
        steps = max(map(len, written))
        padded = torch.tensor(
            [row + [-1] * (steps - len(row)) for row in written], device=encoding.passage.device
        )
        allowed = self._allowed([self._wanted(row, steps) for row in written])
        table, state = self._table(), self._start(encoding)
        last = self.productions[_FIRST].expand(len(written), -1)
        total, asked = encoding.opening.new_zeros(len(written)), []
        for place in range(steps):
            state, scores, looked = self._step(state, last, encoding, table)
            chosen = padded[:, place].clamp(min=0)
            logs = _masked_log_softmax(scores, allowed[:, place].to(scores.device))
            gain = logs.gather(1, chosen[:, None])[:, 0]
            total = total + torch.where(padded[:, place] >= 0, gain, torch.zeros_like(gain))
            asked.append(looked)
            last = table[chosen]
        return total, asked

    def write(self, encoding: Encoding, beam: int | None = None) -> list[list[Written]]:
        """The likeliest programs of each row, best first."""
        beam = beam or self.settings.beam
        zero = encoding.opening.new_zeros(())
        drafts = [_Draft(row, (), (ANSWERS,), zero, ()) for row in range(len(encoding))]
        done: list[list[_Draft]] = [[] for _ in range(len(encoding))]
        table, state = self._table(), self._start(encoding)
        last = self.productions[_FIRST].expand(len(drafts), -1)
        for _ in range(self.settings.steps):
            rows = encoding.select([draft.row for draft in drafts])
            state, scores, looked = self._step(state, last, rows, table)
            allowed = self._allowed([[draft.wanted[0]] for draft in drafts])[:, 0]
            logs = _masked_log_softmax(scores, allowed.to(scores.device))
            logs = logs.masked_fill(~self._in_time(drafts).to(scores.device), -torch.inf)
            kept = self._extend(drafts, logs, looked, beam, done)
            drafts = [draft for _, draft in kept]
            if not drafts:
                break
            index = torch.tensor([parent for parent, _ in kept], device=logs.device)
            state = (state[0][index], state[1][index], state[2][index])
            last = table[torch.tensor([draft.productions[-1] for draft in drafts])]
        return [self._finish(ends, beam) for ends in done]

    def _extend(
        self,
        drafts: Sequence[_Draft],
        logs: Float[Tensor, "d p"],
        looked: Float[Tensor, "d n"],
        beam: int,
        done: list[list[_Draft]],
    ) -> list[tuple[int, _Draft]]:
        """One production more on each draft; keeps each row's best, puts the finished aside."""
        top, places = logs.topk(min(beam, logs.shape[1]), dim=1)
        grown: dict[int, list[tuple[int, _Draft]]] = {}
        for parent, draft in enumerate(drafts):
            for gain, place in zip(top[parent], places[parent].tolist(), strict=True):
                if torch.isinf(gain):
                    continue
                form = self.grammar.signatures[place]
                wanted = tuple((kind,) for kind in form.takes) + draft.wanted[1:]
                longer = _Draft(
                    draft.row,
                    (*draft.productions, place),
                    wanted,
                    draft.score + gain,
                    (*draft.asked, looked[parent]),
                )
                grown.setdefault(draft.row, []).append((parent, longer))
        open_: list[tuple[int, _Draft]] = []
        for row, found in grown.items():
            # Finished programs compete with the open ones, so that a beam of one is greedy.
            room = beam - len(done[row])
            best = sorted(found, key=lambda pair: -float(pair[1].score))[: max(room, 0)]
            done[row] += [draft for _, draft in best if not draft.wanted]
            open_ += [pair for pair in best if pair[1].wanted]
        return open_

    def _in_time(self, drafts: Sequence[_Draft]) -> Bool[Tensor, "d p"]:
        """Which productions leave a draft room to end: every search must end in a program."""
        least = self.shortest
        needed = [1 + sum(least[kind] for kind in form.takes) for form in self.grammar.signatures]
        later = [sum(least[kind] for (kind,) in draft.wanted[1:]) for draft in drafts]
        room = [
            self.settings.steps - len(draft.productions) - rest
            for draft, rest in zip(drafts, later, strict=True)
        ]
        return torch.tensor(needed) <= torch.tensor(room)[:, None]

    def _finish(self, ends: Sequence[_Draft], beam: int) -> list[Written]:
        best = sorted(ends, key=lambda draft: -float(draft.score))[:beam]
        return [Written(d.row, self._program(list(d.productions)), d.score, d.asked) for d in best]

    def _program(self, productions: list[int]) -> Program:
        form = self.grammar.signatures[productions.pop(0)]
        return Program(form.name, tuple(self._program(productions) for _ in form.takes))

    def _wanted(self, productions: Sequence[int], steps: int) -> list[tuple[type[Result], ...]]:
        """The types wanted at each step of a program, padded with what allows anything."""
        stack, found = [ANSWERS], []
        for place in productions:
            found.append(stack.pop(0))
            stack = [(kind,) for kind in self.grammar.signatures[place].takes] + stack
        return found + [ANSWERS] * (steps - len(found))

    def _allowed(self, wanted: Sequence[Sequence[tuple[type[Result], ...]]]) -> Tensor:
        """(rows, steps, productions): which may be written where."""
        kinds = {kind for row in wanted for kind in row}
        masks = {
            kind: torch.tensor(
                [
                    trained and form.gives in kind
                    for trained, form in zip(self.open, self.grammar.signatures, strict=True)
                ]
            )
            for kind in kinds
        }
        return torch.stack([torch.stack([masks[kind] for kind in row]) for row in wanted])

    def _table(self) -> Float[Tensor, "p e"]:
        return torch.stack([self.productions[form.key] for form in self.grammar.signatures])

    def _start(self, encoding: Encoding) -> State:
        hidden = torch.tanh(self.begin(encoding.opening))
        _, attended = self._look(hidden, encoding)
        return hidden, torch.zeros_like(hidden), attended

    def _look(self, hidden: Tensor, encoding: Encoding) -> tuple[Tensor, Tensor]:
        scores = (encoding.question @ self.look(hidden)[..., None])[..., 0]
        weights = masked_softmax(scores, encoding.question_mask)
        return weights, (weights[:, None, :] @ encoding.question)[:, 0]

    def _step(
        self, state: State, last: Tensor, encoding: Encoding, table: Tensor
    ) -> tuple[State, Tensor, Tensor]:
        hidden, cell, attended = state
        entered = torch.tanh(self.enter(torch.cat([attended, last], -1)))
        hidden, cell = self.cell(entered, (hidden, cell))
        looked, attended = self._look(hidden, encoding)
        scores = torch.tanh(self.decide(torch.cat([hidden, attended], -1))) @ table.T
        return (hidden, cell, attended), scores, looked


def _masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """What is not allowed has no probability, also where nothing is allowed."""
    logs = torch.log_softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1)
    return logs.masked_fill(~mask, -torch.inf)
