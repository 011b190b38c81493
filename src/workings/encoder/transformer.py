"""The transformer: lower layers may read passage and question apart, upper jointly."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.cache import ActivationCache, PassageMemory, digest
from workings.encoder.distance_bias import HeadDistanceBias
from workings.encoder.encoding import Depth, Encoding, Mentions
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.lexical_match import LexicalMatchEmbedding, lexical_matches
from workings.encoder.padding import join_windows, stack
from workings.encoder.windows import Ids, QuestionWindow, Window, windows
from workings.errors import InputError
from workings.settings import EncoderSettings

# A passage stands at the same positions whatever the question: it can be read once for many.
PASSAGE_POSITION = 40
# Windows that go through the layers at once.
_TOGETHER = 32
# Lengths that bfloat16 is read in: for every new shape its products are first compiled.
_EVEN = 32


class Encoder(nn.Module):
    """Reads questions over passages with a pretrained transformer of the BERT family."""

    def __init__(self, bert: Any, special_ids: tuple[int, int], settings: EncoderSettings) -> None:
        super().__init__()
        self.settings = settings
        self.embeddings = bert.embeddings
        layers = list(bert.encoder.layer)
        self.layers = nn.ModuleList(layers[: settings.layers])
        self.config = bert.config
        self.width: int = bert.config.hidden_size
        self.positions: int = bert.config.max_position_embeddings
        self.special_ids = special_ids  # the pieces that open a reading and close its parts
        self.lexical_match = (
            LexicalMatchEmbedding(self.positions // 2, self.width)
            if settings.lexical_match
            else None
        )
        self.layer_skip = zero_linear(self.width) if settings.layer_skip else None
        self.question_embedding_skip = (
            zero_linear(self.width) if settings.question_embedding_skip else None
        )
        self.distance_bias = (
            HeadDistanceBias(len(self.layers), bert.config.num_attention_heads)
            if settings.distance_bias
            else None
        )
        self.dropout = nn.Dropout(settings.dropout)
        self.cache: ActivationCache | None = None
        self.memory: PassageMemory | None = None
        self.bf16 = False  # whether the layers are trained in bfloat16
        self._freeze()

    def _freeze(self) -> None:
        if self.settings.frozen:
            for part in (self.embeddings, *self.layers[: self.settings.frozen]):
                part.requires_grad_(False)
                # What is kept of frozen layers must not hold one draw of noise for ever.
                for dropout in (m for m in part.modules() if isinstance(m, nn.Dropout)):
                    dropout.p = 0.0

    def train(self, mode: bool = True) -> "Encoder":
        """Forget on training: what was read with the old weights must not be used with new ones."""
        if mode:
            self.memory = None
        return super().train(mode)

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that no pretraining has touched."""
        names = ("layer_skip", "question_embedding_skip", "lexical_match", "distance_bias")
        for name in names:
            part = getattr(self, name)
            if part is not None:
                yield from part.named_parameters(f"encoder.{name}")

    @property
    def device(self) -> torch.device:
        device: torch.device = self.embeddings.word_embeddings.weight.device
        return device

    @property
    def fingerprint(self) -> str:
        """Tells apart all that the frozen layers' outputs depend on, and nothing else."""
        question_lengths, split = self.config.num_attention_heads, self.settings.split
        still = nn.ModuleList([self.embeddings, *self.layers[: self.settings.frozen]])
        return f"{digest(still)}-{question_lengths}-{split}{'-bf16' if self.bf16 else ''}"

    @property
    def longest(self) -> int:
        """The most pieces a question may have."""
        return self.positions // 2 - 2  # its two marks are read with it

    def forward(
        self, questions: Sequence[TokenizedText], passages: Sequence[PassageInput], keep: int = 1
    ) -> Encoding:
        """Encode question i over passage i; rows may share a passage.

        With ``keep`` above one the encoding also holds the depths of that many last layers.
        """
        size = min(self.settings.window, self.positions - PASSAGE_POSITION - 1)
        plan = [
            (row, window)
            for row, passage in enumerate(passages)
            for window in windows(len(passage), size, self.settings.overlap)
        ]
        question_lengths = [self._question_ids(pieces) for pieces in questions]
        readings = self._readings(question_lengths, plan, questions, passages)
        states = [
            state
            for some in _stretches(len(readings))
            for state in self._read(readings[some], keep)
        ]
        return self._assemble(
            states, [len(head) for head in question_lengths], plan, questions, passages
        )

    def _readings(
        self,
        question_lengths: Sequence[Ids],
        plan: Sequence[tuple[int, Window]],
        questions: Sequence[TokenizedText],
        passages: Sequence[PassageInput],
    ) -> list[QuestionWindow]:
        found = [
            QuestionWindow(
                question_lengths[row],
                passages[row].tokens.ids[window.start : window.stop] + self.special_ids[1:],
            )
            for row, window in plan
        ]
        if self.lexical_match is None:
            return found
        own = [lexical_matches(question, question) for question in questions]
        pairs = zip(questions, passages, strict=True)
        heard = [lexical_matches(question, passage.tokens) for question, passage in pairs]
        return [
            replace(
                reading,
                own=own[row],
                echo=heard[row][window.start : window.stop],
                clauses=passages[row].clauses[window.start : window.stop].tolist(),
            )
            for reading, (row, window) in zip(found, plan, strict=True)
        ]

    def _question_ids(self, question: TokenizedText) -> Ids:
        if len(question) > self.longest:
            raise InputError(
                f"A question of {len(question)} word-pieces; at most {self.longest} can be read.",
                hint="Ask a shorter question.",
            )
        return (self.special_ids[0], *question.ids, self.special_ids[1])

    def _read(self, readings: Sequence[QuestionWindow], keep: int) -> list[Tensor]:
        """The vectors of each head followed by its tail, those of the kept layers side by side."""
        below, middle = self.settings.below, self.settings.skip_layer
        taught = self.settings.split == below  # then not all below may be frozen
        with torch.set_grad_enabled(torch.is_grad_enabled() and taught):
            states = self._frozen_states(readings)
        lengths = [len(state) for state in states]
        question_lengths = [len(one.head) for one in readings]
        entered, mask = stack(states, self._even)
        entered = self._run(entered, mask, range(below, middle), question_lengths=question_lengths)
        hidden = self._run(entered, mask, range(middle, len(self.layers)), keep, question_lengths)
        if self.layer_skip is not None:
            top = hidden[..., -self.width :] + self.layer_skip(entered)
            hidden = torch.cat([hidden[..., : -self.width], top], -1)
        return [row[:length] for row, length in zip(hidden, lengths, strict=True)]

    def _frozen_states(self, readings: Sequence[QuestionWindow]) -> list[Tensor]:
        """The vectors below the jointly trained layers, from the cache where it has them."""
        if self.cache is None or self.settings.frozen <= self.settings.split:
            return self._lower(readings)
        keys = [self.cache.key(one.head, one.tail) for one in readings]
        found = [self.cache.get(key, self.device) for key in keys]
        missing = [place for place, state in enumerate(found) if state is None]
        if missing:
            # All are read even if few are missing: the last bits depend on who is read together,
            # and a run that goes on after a stop must find what it would have made.
            made = self._lower(readings)
            for place in missing:
                found[place] = self.cache.put(keys[place], made[place])
        return [state for state in found if state is not None]

    def _lower(self, readings: Sequence[QuestionWindow]) -> list[Tensor]:
        """Read apart up to the split, then together up to the last frozen layer."""
        split, frozen = self.settings.split, self.settings.frozen
        head_states = self._apart([one.head for one in readings], segment=0, position=0)
        tail_states = self._passages([one.tail for one in readings])
        states = [torch.cat([head_states[one.head], tail_states[one.tail]]) for one in readings]
        if self.lexical_match is not None:
            labels = self.lexical_match(readings, states)
            states = [state + label for state, label in zip(states, labels, strict=True)]
        if frozen <= split:
            return states
        hidden = self._run(*stack(states, self._even), range(split, frozen))
        return [row[: len(state)] for row, state in zip(hidden, states, strict=True)]

    def _passages(self, texts: Sequence[Ids]) -> dict[Ids, Tensor]:
        """Passages read apart; those read lately come from memory."""
        memory = self.memory if self.settings.split and not torch.is_grad_enabled() else None
        recalled = {text: memory.get(text) for text in texts} if memory else {}
        states = {text: state for text, state in recalled.items() if state is not None}
        missing = [text for text in texts if text not in states]
        if missing:
            made = self._apart(missing, segment=1, position=PASSAGE_POSITION)
            states |= made
            if memory:
                memory.put(made)
        return states

    def _apart(self, texts: Sequence[Ids], segment: int, position: int) -> dict[Ids, Tensor]:
        """Embeddings and the layers below the split, once for each different text."""
        distinct = list(dict.fromkeys(texts))
        ids, mask = stack([torch.tensor(text, device=self.device) for text in distinct])
        places = torch.arange(ids.shape[1], device=self.device) + position
        embedded = self.embeddings(
            input_ids=ids,
            token_type_ids=torch.full_like(ids, segment),
            position_ids=places.clamp(max=self.positions - 1).expand_as(ids),
        )
        hidden = self._run(embedded, mask, range(self.settings.split))
        return {text: row[: len(text)] for text, row in zip(distinct, hidden, strict=True)}

    def _run(
        self,
        hidden: Float[Tensor, "r t d"],
        mask: Bool[Tensor, "r t"],
        layers: range,
        keep: int = 1,
        question_lengths: Sequence[int] = (),
    ) -> Float[Tensor, "r t kd"]:
        # Without padding no mask is needed, and attention takes its fastest path.
        attend = None if bool(mask.all()) else mask[:, None, None, :]
        kept = [hidden] * keep  # where there are fewer layers, the lowest stands for the missing
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._rounds):
            for layer in layers:
                if self.distance_bias is not None:
                    attend = self.distance_bias(layer, mask, question_lengths)
                kept = [*kept[1:], self.layers[layer](kept[-1], attend)]
        return torch.cat(kept, -1) if keep > 1 else kept[0]

    @property
    def _rounds(self) -> bool:
        """Whether products are in bfloat16: in training alone, so that scores are as in use."""
        return self.bf16 and self.training

    @property
    def _even(self) -> int:
        return _EVEN if self._rounds else 1

    def _plain_words(self, questions: Sequence[TokenizedText]) -> Float[Tensor, "b n d"] | float:
        """The question's words by themselves, as no layer has yet read anything into them."""
        if self.question_embedding_skip is None:
            return 0.0
        ids, mask = stack([torch.tensor(one.ids, device=self.device) for one in questions])
        plain = functional.layer_norm(self.embeddings.word_embeddings(ids), (self.width,))
        words: Tensor = self.question_embedding_skip(plain) * mask.unsqueeze(-1)
        return words

    def _assemble(
        self,
        states: Sequence[Tensor],
        question_lengths: Sequence[int],
        plan: Sequence[tuple[int, Window]],
        questions: Sequence[TokenizedText],
        passages: Sequence[PassageInput],
    ) -> Encoding:
        questions_read, passages_read = join_windows(states, question_lengths, plan)
        question, question_mask = stack([self.dropout(head[1:]) for head in questions_read])
        passage, passage_mask = stack([self.dropout(tail) for tail in passages_read])
        layers = passage.shape[-1] // self.width
        sides = zip(question.chunk(layers, -1), passage.chunk(layers, -1), strict=True)
        *below, last = (Depth(*side) for side in sides)
        return Encoding(
            cls=torch.stack([head[0, -self.width :] for head in questions_read]),
            question=last.question + self._plain_words(questions),
            question_mask=question_mask,
            passage=last.passage,
            passage_mask=passage_mask,
            numbers=Mentions.stack([one.number_mentions for one in passages], self.device),
            dates=Mentions.stack([one.date_mentions for one in passages], self.device),
            questions=questions,
            inputs=passages,
            below=tuple(below),
        )


def zero_linear(width: int) -> nn.Linear:
    """A learned map that begins as zero: weights trained without it go on unharmed."""
    linear = nn.Linear(width, width, bias=False)
    nn.init.zeros_(linear.weight)
    return linear


def _stretches(count: int) -> Iterator[slice]:
    """Windows to be read together, few enough for memory."""
    return (slice(place, place + _TOGETHER) for place in range(0, count, _TOGETHER))
