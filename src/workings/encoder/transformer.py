"""The encoder: lower layers may read passage and question apart, upper layers read them jointly."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from workings.budget import check_budget
from workings.encoder.bert import Bert
from workings.encoder.cache import ActivationCache, PassageCache, digest
from workings.encoder.distance_bias import HeadDistanceBias
from workings.encoder.encoding import Encoding, LayerStates, Mentions
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.lexical_match import LexicalMatchEmbedding, lexical_matches
from workings.encoder.padding import join_windows, pad_rows
from workings.encoder.quantize import FastMethod, quantize
from workings.encoder.windows import QuestionWindow, TokenIds, Window, split_windows
from workings.errors import InputError
from workings.settings import EncoderSettings

# Passages start at the same position whatever the question, so that they can be cached.
PASSAGE_POSITION = 40
# Windows that pass through the layers at once.
_BATCH = 32
# Lengths in bfloat16 are padded to a multiple of this: each new shape is compiled first.
_BF16_MULTIPLE = 32


class Encoder(nn.Module):
    """Encodes questions with their passages by a pretrained transformer of the BERT family."""

    def __init__(self, bert: Bert, special_ids: tuple[int, int], settings: EncoderSettings) -> None:
        """Build an encoder.

        Args:
            bert: The transformer; its embeddings and layers become the encoder's.
            special_ids: The ids of [CLS] and [SEP].
            settings: The settings.
        """
        super().__init__()
        self.settings, self.config = settings, bert.config
        self.width, self.positions = bert.config.hidden_size, bert.config.max_position_embeddings
        self.special_ids = special_ids
        self.embeddings = bert.embeddings
        self.layers = nn.ModuleList(list(bert.encoder.layer)[: settings.layers])
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
        self.fast: FastMethod | None = None
        self._trains_in_bf16 = False
        self._activations: ActivationCache | None = None
        self._passage_cache: PassageCache | None = None
        self._freeze()

    def _freeze(self) -> None:
        if self.settings.frozen:
            for part in (self.embeddings, *self.layers[: self.settings.frozen]):
                part.requires_grad_(False)
                # No dropout in frozen layers: their outputs are cached.
                for dropout in (m for m in part.modules() if isinstance(m, nn.Dropout)):
                    dropout.p = 0.0

    def set_precision(self, precision: Literal["no", "bf16"]) -> None:
        """Train the layers in bfloat16 ("bf16") or in float32 ("no")."""
        self._trains_in_bf16 = precision == "bf16"

    def use_fast(self, method: FastMethod) -> None:
        """Convert the layers for fast inference. They can no longer be trained or saved."""
        quantize(self.layers, method)
        self.fast = method

    def cache_frozen(self, folder: Path, limit_bytes: float) -> None:
        """Cache the outputs of the frozen layers on disk.

        Args:
            folder: The cache folder; runs with the same frozen layers may share it.
            limit_bytes: Maximum size of the cache.
        """
        self._activations = ActivationCache(
            folder, self.fingerprint, self.settings.frozen, limit_bytes
        )

    def cache_passages(self, size: int) -> None:
        """Keep the most recently read passages in memory until the next training step."""
        self._passage_cache = PassageCache(size)

    def train(self, mode: bool = True) -> "Encoder":
        """Switch to training; cached passages are dropped, since the weights will change."""
        if mode:
            self._passage_cache = None
        return super().train(mode)

    def new_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that are not pretrained."""
        names = ("layer_skip", "question_embedding_skip", "lexical_match", "distance_bias")
        for name in names:
            part = getattr(self, name)
            if part is not None:
                yield from part.named_parameters(f"encoder.{name}")

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.embeddings.word_embeddings.weight.device

    @property
    def fingerprint(self) -> str:
        """A name for everything that the outputs of the frozen layers depend on."""
        heads, split = self.config.num_attention_heads, self.settings.split
        frozen = nn.ModuleList([self.embeddings, *self.layers[: self.settings.frozen]])
        return f"{digest(frozen)}-{heads}-{split}{'-bf16' if self._trains_in_bf16 else ''}"

    @property
    def max_question_tokens(self) -> int:
        """The longest question that can be encoded."""
        return self.positions // 2 - 2  # two special tokens are added

    def forward(
        self,
        questions: Sequence[TokenizedText],
        passages: Sequence[PassageInput],
        keep_layers: int = 1,
    ) -> Encoding:
        """Encode each question with its passage.

        Args:
            questions: The questions.
            passages: One passage for each question; questions may share one.
            keep_layers: Number of last layers whose states the encoding contains.

        Raises:
            InputError: If a question is too long.
        """
        size = min(self.settings.window, self.positions - PASSAGE_POSITION - 1)
        plan = [
            (row, window)
            for row, passage in enumerate(passages)
            for window in split_windows(len(passage), size, self.settings.overlap)
        ]
        question_ids = [self._question_ids(question) for question in questions]
        windows = self._windows(question_ids, plan, questions, passages)
        states = [
            state
            for start in range(0, len(windows), _BATCH)
            for state in self._encode(windows[start : start + _BATCH], keep_layers)
        ]
        return self._assemble(states, [len(ids) for ids in question_ids], plan, questions, passages)

    def _windows(
        self,
        question_ids: Sequence[TokenIds],
        plan: Sequence[tuple[int, Window]],
        questions: Sequence[TokenizedText],
        passages: Sequence[PassageInput],
    ) -> list[QuestionWindow]:
        windows = [
            QuestionWindow(
                question_ids[row],
                passages[row].tokens.ids[window.start : window.stop] + self.special_ids[1:],
            )
            for row, window in plan
        ]
        if self.lexical_match is None:
            return windows
        own = [lexical_matches(question, question) for question in questions]
        pairs = zip(questions, passages, strict=True)
        matches = [lexical_matches(question, passage.tokens) for question, passage in pairs]
        return [
            replace(
                pair,
                question_matches=own[row],
                passage_matches=matches[row][window.start : window.stop],
                clauses=passages[row].clauses[window.start : window.stop].tolist(),
            )
            for pair, (row, window) in zip(windows, plan, strict=True)
        ]

    def _question_ids(self, question: TokenizedText) -> TokenIds:
        if len(question) > self.max_question_tokens:
            raise InputError(
                f"The question has {len(question)} word pieces; "
                f"at most {self.max_question_tokens} can be read.",
                hint="Ask a shorter question.",
            )
        return (self.special_ids[0], *question.ids, self.special_ids[1])

    def _encode(self, windows: Sequence[QuestionWindow], keep_layers: int) -> list[Tensor]:
        """The token vectors of each window, those of the kept layers side by side."""
        below, skip_layer = self.settings.below, self.settings.skip_layer
        trained = self.settings.split == below  # then some layers below are trained
        with torch.set_grad_enabled(torch.is_grad_enabled() and trained):
            states = self._frozen_states(windows)
        lengths = [len(state) for state in states]
        question_lengths = [len(window.question_ids) for window in windows]
        entering, mask = pad_rows(states, self._length_multiple)
        entering = self._run(
            entering, mask, range(below, skip_layer), question_lengths=question_lengths
        )
        upper = range(skip_layer, len(self.layers))
        hidden = self._run(entering, mask, upper, keep_layers, question_lengths)
        if self.layer_skip is not None:
            top = hidden[..., -self.width :] + self.layer_skip(entering)
            hidden = torch.cat([hidden[..., : -self.width], top], -1)
        return [row[:length] for row, length in zip(hidden, lengths, strict=True)]

    def _frozen_states(self, windows: Sequence[QuestionWindow]) -> list[Tensor]:
        """The vectors below the jointly trained layers, from the cache where possible."""
        if self._activations is None or self.settings.frozen <= self.settings.split:
            return self._lower(windows)
        cache = self._activations
        keys = [cache.key(window.question_ids, window.passage_ids) for window in windows]
        states = [cache.get(key, self.device) for key in keys]
        missing = [index for index, state in enumerate(states) if state is None]
        if missing:
            # All are computed even if few are missing: the last bits depend on the batch, and a
            # resumed run must find what an uninterrupted one would have computed.
            computed = self._lower(windows)
            for index in missing:
                states[index] = cache.put(keys[index], computed[index])
        return [state for state in states if state is not None]

    def _lower(self, windows: Sequence[QuestionWindow]) -> list[Tensor]:
        """Encode apart up to the split, then jointly up to the last frozen layer."""
        split, frozen = self.settings.split, self.settings.frozen
        questions = self._apart([window.question_ids for window in windows], segment=0, position=0)
        passages = self._passages([window.passage_ids for window in windows])
        states = [
            torch.cat([questions[window.question_ids], passages[window.passage_ids]])
            for window in windows
        ]
        if self.lexical_match is not None:
            labels = self.lexical_match(windows, states)
            states = [state + label for state, label in zip(states, labels, strict=True)]
        if frozen <= split:
            return states
        hidden = self._run(*pad_rows(states, self._length_multiple), range(split, frozen))
        return [row[: len(state)] for row, state in zip(hidden, states, strict=True)]

    def _passages(self, ids: Sequence[TokenIds]) -> dict[TokenIds, Tensor]:
        """Passages encoded apart, from memory where possible."""
        use_cache = self.settings.split and not torch.is_grad_enabled()
        cache = self._passage_cache if use_cache else None
        cached = {text: cache.get(text) for text in ids} if cache else {}
        states = {text: state for text, state in cached.items() if state is not None}
        missing = [text for text in ids if text not in states]
        if missing:
            computed = self._apart(missing, segment=1, position=PASSAGE_POSITION)
            states |= computed
            if cache:
                cache.put(computed)
        return states

    def _apart(
        self, texts: Sequence[TokenIds], segment: int, position: int
    ) -> dict[TokenIds, Tensor]:
        """Embeddings and the layers below the split, once for each distinct text."""
        distinct = list(dict.fromkeys(texts))
        ids, mask = pad_rows([torch.tensor(text, device=self.device) for text in distinct])
        positions = torch.arange(ids.shape[1], device=self.device) + position
        embedded = self.embeddings(
            input_ids=ids,
            token_type_ids=torch.full_like(ids, segment),
            position_ids=positions.clamp(max=self.positions - 1).expand_as(ids),
        )
        hidden = self._run(embedded, mask, range(self.settings.split))
        return {text: row[: len(text)] for text, row in zip(distinct, hidden, strict=True)}

    def _run(
        self,
        hidden: Float[Tensor, "r t d"],
        mask: Bool[Tensor, "r t"],
        layers: range,
        keep_layers: int = 1,
        question_lengths: Sequence[int] = (),
    ) -> Float[Tensor, "r t kd"]:
        # Attention is fastest without a mask: leave it out if nothing is padded.
        attention_mask = None if bool(mask.all()) else mask[:, None, None, :]
        states = [hidden] * keep_layers  # the lowest layer fills in where there are fewer
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._uses_bf16):
            for layer in layers:
                check_budget()
                if self.distance_bias is not None:
                    attention_mask = self.distance_bias(layer, mask, question_lengths)
                states = [*states[1:], self.layers[layer](states[-1], attention_mask)]
        return torch.cat(states, -1) if keep_layers > 1 else states[0]

    @property
    def _uses_bf16(self) -> bool:
        """Whether layers run in bfloat16: in training if set so, in inference if fast."""
        return self._trains_in_bf16 if self.training else self.fast == "bf16"

    @property
    def _length_multiple(self) -> int:
        return _BF16_MULTIPLE if self._uses_bf16 else 1

    def _question_embeddings(
        self, questions: Sequence[TokenizedText]
    ) -> Float[Tensor, "b n d"] | float:
        """The projected word embeddings of the questions, without context."""
        if self.question_embedding_skip is None:
            return 0.0
        ids, mask = pad_rows([torch.tensor(q.ids, device=self.device) for q in questions])
        words = functional.layer_norm(self.embeddings.word_embeddings(ids), (self.width,))
        projected: Tensor = self.question_embedding_skip(words) * mask.unsqueeze(-1)
        return projected

    def _assemble(
        self,
        states: Sequence[Tensor],
        question_lengths: Sequence[int],
        plan: Sequence[tuple[int, Window]],
        questions: Sequence[TokenizedText],
        passages: Sequence[PassageInput],
    ) -> Encoding:
        question_states, passage_states = join_windows(states, question_lengths, plan)
        question, question_mask = pad_rows([self.dropout(state[1:]) for state in question_states])
        passage, passage_mask = pad_rows([self.dropout(state) for state in passage_states])
        layers = passage.shape[-1] // self.width
        sides = zip(question.chunk(layers, -1), passage.chunk(layers, -1), strict=True)
        *lower, last = (LayerStates(*side) for side in sides)
        return Encoding(
            cls=torch.stack([state[0, -self.width :] for state in question_states]),
            question=last.question + self._question_embeddings(questions),
            question_mask=question_mask,
            passage=last.passage,
            passage_mask=passage_mask,
            numbers=Mentions.stack([p.number_mentions for p in passages], self.device),
            dates=Mentions.stack([p.date_mentions for p in passages], self.device),
            timings=Mentions.stack([p.timing_mentions for p in passages], self.device),
            questions=questions,
            inputs=passages,
            lower_layers=tuple(lower),
        )


def zero_linear(width: int) -> nn.Linear:
    """A linear layer initialised with zeros: it can be added to a trained model without harm."""
    linear = nn.Linear(width, width, bias=False)
    nn.init.zeros_(linear.weight)
    return linear
