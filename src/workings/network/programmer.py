"""The programmer: writes programs for a question, one production at a time, under the grammar."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.encoding import Encoding
from workings.network.grammar import ANSWERS, Grammar
from workings.ops.grounding import masked_softmax
from workings.ops.results import Result
from workings.program import Program
from workings.settings import ProgrammerSettings

State = tuple[Tensor, Tensor, Tensor]  # hidden, cell, attended question
Words = tuple[Tensor, Tensor]  # vectors of the question's words, and which are no padding
Wanted = tuple[type[Result], ...]  # the types that may stand somewhere
_FIRST = "begin"


@dataclass(frozen=True)
class ScoredProgram:
    """A program for one row, its log-probability, and the question attention of each step."""

    row: int
    program: Program
    score: Float[Tensor, ""]
    question_attention: Float[Tensor, "s n"]


@dataclass(frozen=True)
class _Draft:
    """An unfinished program: what is written, and what is still wanted, next first."""

    row: int
    productions: tuple[int, ...] = ()
    wanted: tuple[Wanted, ...] = (ANSWERS,)


class Programmer(nn.Module):
    """An attentive decoder over the question. The attention of a step is its module's argument."""

    able: Tensor
    needed: Tensor

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
        self._tabulate()
        self.input_projection = nn.Linear(width + size, settings.width)
        self.lstm = nn.LSTMCell(settings.width, settings.width)
        self.initial_state = nn.Linear(width, settings.width)
        self.attention_query = nn.Linear(settings.width, width, bias=False)
        self.output_projection = nn.Linear(settings.width + width, size)

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
        chosen = padded.clamp(min=0)
        words = (encoding.question, encoding.question_mask)
        table, state = self._table(), self._start(encoding)
        last, scores, asked = self.productions[_FIRST].expand(len(written), -1), [], []
        for place in range(steps):
            state, found, looked = self._step(state, last, words, table)
            scores.append(found)
            asked.append(looked)
            last = table[chosen[:, place]]
        wanted = [kind for row in written for kind in self._wanted(row, steps)]
        allowed = self._allowed(wanted).view(len(written), steps, -1)
        logs = _masked_log_softmax(torch.stack(scores, 1), allowed)
        gains = logs.gather(2, chosen[..., None])[..., 0]
        return gains.masked_fill(padded < 0, 0).sum(1), asked

    def write(self, encoding: Encoding, beam: int | None = None) -> list[list[ScoredProgram]]:
        """The likeliest programs of each row, best first."""
        beam = beam or self.settings.beam
        drafts = [_Draft(row) for row in range(len(encoding))]
        done: list[list[ScoredProgram]] = [[] for _ in drafts]
        words = (encoding.question, encoding.question_mask)
        table, state = self._table(), self._start(encoding)
        last = self.productions[_FIRST].expand(len(drafts), -1)
        total = encoding.cls.new_zeros(len(drafts))
        asked = encoding.question.new_zeros(len(drafts), 0, encoding.question.shape[1])
        for _ in range(self.settings.steps):
            state, scores, looked = self._step(state, last, words, table)
            totals = total[:, None] + self._gains(scores, drafts)
            asked = torch.cat([asked, looked[:, None]], 1)
            grown = self._extend(drafts, totals, [beam - len(ends) for ends in done])
            for parent, draft in grown:
                if not draft.wanted:
                    done[draft.row].append(self._finish(draft, totals[parent], asked[parent]))
            drafts = [draft for _, draft in grown if draft.wanted]
            if not drafts:
                break
            parents = torch.tensor([parent for parent, draft in grown if draft.wanted])
            added = torch.tensor([draft.productions[-1] for draft in drafts])
            state = (state[0][parents], state[1][parents], state[2][parents])
            words = (words[0][parents], words[1][parents])
            total, asked, last = totals[parents, added], asked[parents], table[added]
        return [sorted(ends, key=lambda one: -float(one.score)) for ends in done]

    def _extend(
        self, drafts: Sequence[_Draft], totals: Float[Tensor, "d p"], rooms: Sequence[int]
    ) -> list[tuple[int, _Draft]]:
        """One production more on each draft; each row's best with the places of their parents."""
        found = totals.topk(min(max(rooms), totals.shape[1]), dim=1)
        top, places = found.values.tolist(), found.indices.tolist()
        grown: dict[int, list[tuple[float, int, _Draft]]] = {}
        for parent, draft in enumerate(drafts):
            for score, place in zip(top[parent], places[parent], strict=True):
                if score > -inf:
                    takes = tuple((kind,) for kind in self.grammar.signatures[place].takes)
                    longer = _Draft(
                        draft.row, (*draft.productions, place), takes + draft.wanted[1:]
                    )
                    grown.setdefault(draft.row, []).append((score, parent, longer))
        # Finished programs compete with the open ones, so that a beam of one is greedy.
        return [
            (parent, longer)
            for row, some in grown.items()
            for _, parent, longer in sorted(some, key=lambda one: -one[0])[: rooms[row]]
        ]

    def _gains(
        self, scores: Float[Tensor, "d p"], drafts: Sequence[_Draft]
    ) -> Float[Tensor, "d p"]:
        """Log-probability of each production; none for those that leave a draft no room to end."""
        later = [sum(self.shortest[kind] for (kind,) in draft.wanted[1:]) for draft in drafts]
        room = [
            [self.settings.steps - len(draft.productions) - rest]
            for draft, rest in zip(drafts, later, strict=True)
        ]
        late = self.needed > torch.tensor(room, device=self.needed.device)
        allowed = self._allowed([draft.wanted[0] for draft in drafts])
        return _masked_log_softmax(scores, allowed).masked_fill(late, -inf)

    def _finish(
        self, draft: _Draft, scores: Float[Tensor, " p"], asked: Float[Tensor, "s n"]
    ) -> ScoredProgram:
        program = self._program(list(draft.productions))
        return ScoredProgram(draft.row, program, scores[draft.productions[-1]], asked)

    def _program(self, productions: list[int]) -> Program:
        form = self.grammar.signatures[productions.pop(0)]
        return Program(form.name, tuple(self._program(productions) for _ in form.takes))

    def _wanted(self, productions: Sequence[int], steps: int) -> list[Wanted]:
        """The types wanted at each step of a program, padded with what allows anything."""
        stack, found = [ANSWERS], []
        for place in productions:
            found.append(stack.pop(0))
            stack = [(kind,) for kind in self.grammar.signatures[place].takes] + stack
        return found + [ANSWERS] * (steps - len(found))

    def _tabulate(self) -> None:
        """The grammar as tensors: which productions may stand where, and the steps each needs."""
        forms = self.grammar.signatures
        self.places = {kind: i for i, kind in enumerate([ANSWERS, *((k,) for k in self.shortest)])}
        able = [
            [known and form.gives in kind for known, form in zip(self.open, forms, strict=True)]
            for kind in self.places
        ]
        needed = [1 + sum(self.shortest[kind] for kind in form.takes) for form in forms]
        self.register_buffer("able", torch.tensor(able), persistent=False)
        self.register_buffer("needed", torch.tensor(needed), persistent=False)

    def _allowed(self, wanted: Sequence[Wanted]) -> Bool[Tensor, "w p"]:
        """Which productions may stand where each of these is wanted."""
        places = [self.places[kind] for kind in wanted]
        return self.able[torch.tensor(places, device=self.able.device)]

    def _table(self) -> Float[Tensor, "p e"]:
        return torch.stack([self.productions[form.key] for form in self.grammar.signatures])

    def _start(self, encoding: Encoding) -> State:
        hidden = torch.tanh(self.initial_state(encoding.cls))
        _, attended = self._look(hidden, (encoding.question, encoding.question_mask))
        return hidden, torch.zeros_like(hidden), attended

    def _look(self, hidden: Tensor, words: Words) -> tuple[Tensor, Tensor]:
        question, mask = words
        scores = (question @ self.attention_query(hidden)[..., None])[..., 0]
        weights = masked_softmax(scores, mask)
        return weights, (weights[:, None, :] @ question)[:, 0]

    def _step(
        self, state: State, last: Tensor, words: Words, table: Tensor
    ) -> tuple[State, Tensor, Tensor]:
        hidden, cell, attended = state
        entered = torch.tanh(self.input_projection(torch.cat([attended, last], -1)))
        hidden, cell = self.lstm(entered, (hidden, cell))
        looked, attended = self._look(hidden, words)
        scores = torch.tanh(self.output_projection(torch.cat([hidden, attended], -1))) @ table.T
        return (hidden, cell, attended), scores, looked


def _masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """What is not allowed has no probability, also where nothing is allowed."""
    logs = torch.log_softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1)
    return logs.masked_fill(~mask, -torch.inf)
