"""The programmer writes programs for a question, one production at a time."""

from collections.abc import Collection, Sequence
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

State = tuple[Tensor, Tensor, Tensor]  # hidden state, cell state, attended question
Question = tuple[Tensor, Tensor]  # token vectors and their mask
Slot = tuple[type[Result], ...]  # the types allowed at one place of a program
_START = "begin"


@dataclass(frozen=True)
class ScoredProgram:
    """A program for one question.

    Attributes:
        row: The question's row in the batch.
        program: The program.
        score: Its log-probability.
        question_attention: The attention over the question at each step.
    """

    row: int
    program: Program
    score: Float[Tensor, ""]
    question_attention: Float[Tensor, "s n"]


@dataclass(frozen=True)
class _Draft:
    """An unfinished program: its productions so far, and the slots still to fill, next first."""

    row: int
    productions: tuple[int, ...] = ()
    slots: tuple[Slot, ...] = (ANSWERS,)


class Programmer(nn.Module):
    """An LSTM decoder with attention over the question, constrained by the grammar.

    The attention at the step that emits a module is that module's view of the question.
    """

    allowed_in_slot: Tensor
    steps_needed: Tensor

    def __init__(
        self, width: int, settings: ProgrammerSettings, grammar: Grammar, trained: set[str]
    ) -> None:
        """Build a programmer.

        Args:
            width: Width of the encoder.
            settings: The settings.
            grammar: The grammar of all modules.
            trained: Names of the modules that may be written. Others can only be run by hand.
        """
        super().__init__()
        self.settings, self.grammar = settings, grammar
        size = settings.embedding
        # Stored by name, so that weights still load after a module is added.
        self.productions = nn.ParameterDict(
            {
                key: nn.Parameter(torch.randn(size) * size**-0.5)
                for key in [_START, *(form.key for form in grammar.signatures)]
            }
        )
        self.usable = [form.name in trained for form in grammar.signatures]
        self.shortest = grammar.shortest(self.usable)
        self._tabulate()
        self.input_projection = nn.Linear(width + size, settings.width)
        self.lstm = nn.LSTMCell(settings.width, settings.width)
        self.initial_state = nn.Linear(width, settings.width)
        self.attention_query = nn.Linear(settings.width, width, bias=False)
        self.output_projection = nn.Linear(settings.width + width, size)

    def exclude(self, forms: Collection[str]) -> None:
        """Never write some forms of modules, such as forms that are newer than the weights.

        Args:
            forms: The keys of the forms.
        """
        signatures = zip(self.usable, self.grammar.signatures, strict=True)
        self.usable = [usable and form.key not in forms for usable, form in signatures]
        self.shortest = self.grammar.shortest(self.usable)
        self._tabulate()

    def score(
        self, encoding: Encoding, programs: Sequence[Program]
    ) -> tuple[Float[Tensor, " b"], list[Float[Tensor, "b n"]]]:
        """Score given programs.

        Args:
            encoding: The encoded batch.
            programs: One program for each row.

        Returns:
            The log-probability of each program, and the question attention of every step up to the
            longest program.
        """
        derivations = [self.grammar.derive(program) for program in programs]
        steps = max(map(len, derivations))
        padded = torch.tensor(
            [row + [-1] * (steps - len(row)) for row in derivations],
            device=encoding.passage.device,
        )
        chosen = padded.clamp(min=0)
        question = (encoding.question, encoding.question_mask)
        table, state = self._embeddings(), self._start(encoding)
        previous = self.productions[_START].expand(len(derivations), -1)
        scores, attention = [], []
        for step in range(steps):
            state, step_scores, step_attention = self._step(state, previous, question, table)
            scores.append(step_scores)
            attention.append(step_attention)
            previous = table[chosen[:, step]]
        slots = [slot for row in derivations for slot in self._slots(row, steps)]
        allowed = self._allowed(slots).view(len(derivations), steps, -1)
        logs = _masked_log_softmax(torch.stack(scores, 1), allowed)
        log_probabilities = logs.gather(2, chosen[..., None])[..., 0]
        return log_probabilities.masked_fill(padded < 0, 0).sum(1), attention

    def write(self, encoding: Encoding, beam: int | None = None) -> list[list[ScoredProgram]]:
        """Search for the likeliest programs of each row.

        Args:
            encoding: The encoded batch.
            beam: Number of programs to keep for each row; the setting by default.

        Returns:
            The programs of each row, best first.
        """
        beam = beam or self.settings.beam
        drafts = [_Draft(row) for row in range(len(encoding))]
        finished: list[list[ScoredProgram]] = [[] for _ in drafts]
        question = (encoding.question, encoding.question_mask)
        table, state = self._embeddings(), self._start(encoding)
        previous = self.productions[_START].expand(len(drafts), -1)
        total = encoding.cls.new_zeros(len(drafts))
        attention = encoding.question.new_zeros(len(drafts), 0, encoding.question.shape[1])
        for _ in range(self.settings.steps):
            state, scores, step_attention = self._step(state, previous, question, table)
            totals = total[:, None] + self._log_probabilities(scores, drafts)
            attention = torch.cat([attention, step_attention[:, None]], 1)
            extended = self._extend(drafts, totals, [beam - len(ends) for ends in finished])
            for parent, draft in extended:
                if not draft.slots:
                    program = self._finish(draft, totals[parent], attention[parent])
                    finished[draft.row].append(program)
            drafts = [draft for _, draft in extended if draft.slots]
            if not drafts:
                break
            parents = torch.tensor([parent for parent, draft in extended if draft.slots])
            added = torch.tensor([draft.productions[-1] for draft in drafts])
            state = (state[0][parents], state[1][parents], state[2][parents])
            question = (question[0][parents], question[1][parents])
            total, attention, previous = totals[parents, added], attention[parents], table[added]
        return [sorted(row, key=lambda program: -float(program.score)) for row in finished]

    def _extend(
        self, drafts: Sequence[_Draft], totals: Float[Tensor, "d p"], room: Sequence[int]
    ) -> list[tuple[int, _Draft]]:
        """Extend drafts by one production; keep each row's best with the index of their parent."""
        best = totals.topk(min(max(room), totals.shape[1]), dim=1)
        top, productions = best.values.tolist(), best.indices.tolist()
        extended: dict[int, list[tuple[float, int, _Draft]]] = {}
        for parent, draft in enumerate(drafts):
            for score, production in zip(top[parent], productions[parent], strict=True):
                if score > -inf:
                    takes = tuple((kind,) for kind in self.grammar.signatures[production].takes)
                    longer = _Draft(
                        draft.row, (*draft.productions, production), takes + draft.slots[1:]
                    )
                    extended.setdefault(draft.row, []).append((score, parent, longer))
        # Finished programs compete with unfinished ones, so that a beam of one is greedy.
        return [
            (parent, longer)
            for row, candidates in extended.items()
            for _, parent, longer in sorted(candidates, key=lambda item: -item[0])[: room[row]]
        ]

    def _log_probabilities(
        self, scores: Float[Tensor, "d p"], drafts: Sequence[_Draft]
    ) -> Float[Tensor, "d p"]:
        """Log-probability of each production; -inf if the draft could no longer be finished."""
        needed_later = [sum(self.shortest[kind] for (kind,) in draft.slots[1:]) for draft in drafts]
        steps_left = [
            [self.settings.steps - len(draft.productions) - needed]
            for draft, needed in zip(drafts, needed_later, strict=True)
        ]
        too_long = self.steps_needed > torch.tensor(steps_left, device=self.steps_needed.device)
        allowed = self._allowed([draft.slots[0] for draft in drafts])
        return _masked_log_softmax(scores, allowed).masked_fill(too_long, -inf)

    def _finish(
        self, draft: _Draft, scores: Float[Tensor, " p"], attention: Float[Tensor, "s n"]
    ) -> ScoredProgram:
        program = self._program(list(draft.productions))
        return ScoredProgram(draft.row, program, scores[draft.productions[-1]], attention)

    def _program(self, productions: list[int]) -> Program:
        form = self.grammar.signatures[productions.pop(0)]
        return Program(form.name, tuple(self._program(productions) for _ in form.takes))

    def _slots(self, productions: Sequence[int], steps: int) -> list[Slot]:
        """The slot that each production of a program fills, padded to a number of steps."""
        stack, slots = [ANSWERS], []
        for production in productions:
            slots.append(stack.pop(0))
            stack = [(kind,) for kind in self.grammar.signatures[production].takes] + stack
        return slots + [ANSWERS] * (steps - len(slots))

    def _tabulate(self) -> None:
        """Store the grammar as tensors: productions allowed in each slot, and steps they need."""
        forms = self.grammar.signatures
        slots: list[Slot] = [ANSWERS, *((kind,) for kind in self.shortest)]
        self.slot_index = {slot: index for index, slot in enumerate(slots)}
        allowed = [
            [usable and form.gives in slot for usable, form in zip(self.usable, forms, strict=True)]
            for slot in slots
        ]
        needed = [1 + sum(self.shortest[kind] for kind in form.takes) for form in forms]
        self.register_buffer("allowed_in_slot", torch.tensor(allowed), persistent=False)
        self.register_buffer("steps_needed", torch.tensor(needed), persistent=False)

    def _allowed(self, slots: Sequence[Slot]) -> Bool[Tensor, "w p"]:
        """Which productions may fill each slot."""
        index = [self.slot_index[slot] for slot in slots]
        return self.allowed_in_slot[torch.tensor(index, device=self.allowed_in_slot.device)]

    def _embeddings(self) -> Float[Tensor, "p e"]:
        return torch.stack([self.productions[form.key] for form in self.grammar.signatures])

    def _start(self, encoding: Encoding) -> State:
        hidden = torch.tanh(self.initial_state(encoding.cls))
        _, attended = self._attend(hidden, (encoding.question, encoding.question_mask))
        return hidden, torch.zeros_like(hidden), attended

    def _attend(self, hidden: Tensor, question: Question) -> tuple[Tensor, Tensor]:
        tokens, mask = question
        scores = (tokens @ self.attention_query(hidden)[..., None])[..., 0]
        weights = masked_softmax(scores, mask)
        return weights, (weights[:, None, :] @ tokens)[:, 0]

    def _step(
        self, state: State, previous: Tensor, question: Question, table: Tensor
    ) -> tuple[State, Tensor, Tensor]:
        """One decoder step: the new state, the scores of all productions, and the attention."""
        hidden, cell, attended = state
        inputs = torch.tanh(self.input_projection(torch.cat([attended, previous], -1)))
        hidden, cell = self.lstm(inputs, (hidden, cell))
        attention, attended = self._attend(hidden, question)
        output = self.output_projection(torch.cat([hidden, attended], -1))
        return (hidden, cell, attended), torch.tanh(output) @ table.T, attention


def _masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Log-softmax over the unmasked entries; -inf elsewhere, also where all are masked."""
    logs = torch.log_softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1)
    return logs.masked_fill(~mask, -torch.inf)
