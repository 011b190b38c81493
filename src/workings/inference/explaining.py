"""From tensors to plain data: what the interpreter did for one question, as an explanation."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch
from torch import Tensor

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.explain import explanation as plain
from workings.explain.explanation import Place, Share, Source, Value, Weights
from workings.inference.decoding import Prediction, decode
from workings.inference.ranking import AnswerPolicy, Candidate, answer_probability
from workings.inference.word_boundaries import word_span
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans, TokenProbabilities
from workings.values import format_exact

T = TypeVar("T")

# Words below this weight, and values past so many, are summed up instead of listed.
FLOOR = 0.001
MOST_VALUES = 8
_DIGITS = 6


def explain(candidates: Sequence[Candidate], judgement: AnswerPolicy) -> plain.Explanation:
    """The first answer_candidates explained, the next ones beside it."""
    tried, *others = (
        _alternative(one, judgement.confidence(backed))
        for one, backed in list(zip(candidates, answer_probability(candidates), strict=True))[
            : judgement.top_k
        ]
    )
    best = candidates[0]
    abstained = not tried.answer.texts or tried.confidence < judgement.threshold
    shown = [tried] if abstained and tried.answer.texts else []
    texts = Texts(best.execution.encoding, best.row)
    return plain.Explanation(
        question=texts.question.text,
        passage=texts.passage.text,
        answer=plain.Answer(probability=tried.answer.probability) if abstained else tried.answer,
        abstained=abstained,
        confidence=tried.confidence,
        program=tried.program,
        probability=tried.probability,
        steps=tuple(_steps(best.execution.step, texts, [])),
        alternatives=(*shown, *others),
        values=tuple(_values(texts.input)),
    )


def _alternative(one: Candidate, confidence: float) -> plain.Alternative:
    return plain.Alternative(
        program=str(one.scored.program),
        probability=one.program_probability,
        answer=_answer(one.answer),
        confidence=confidence,
    )


def _answer(answer: Prediction) -> plain.Answer:
    return plain.Answer(
        texts=answer.texts,
        value=None if answer.value is None else format_exact(answer.value),
        places=tuple(_place(*place) for place in answer.places),
        probability=min(answer.probability, 1.0),
    )


def _values(passage: PassageInput) -> Iterator[Value]:
    for number in passage.values.numbers:
        place = _place("passage", number.start, number.end)
        yield Value(kind="number", text=format_exact(number.value), place=place)
    for found in passage.values.dates:
        place = _place("passage", found.start, found.end)
        yield Value(kind="date", text=str(found.date), place=place)


def _place(source: str, start: int, end: int) -> Place:
    return Place.model_validate({"source": source, "start": start, "end": end})


class _Words:
    """A text's words, each of one or more neighbouring pieces."""

    def __init__(self, source: Source, pieces: TokenizedText) -> None:
        self.text = pieces.text
        found = [word_span(pieces, place, place) for place in range(len(pieces))]
        order = {span: place for place, span in enumerate(dict.fromkeys(found))}
        self.source, self.words = source, list(order)
        self.word_of_piece = torch.tensor([order[span] for span in found])

    def total(self, weights: Tensor) -> Tensor:
        """The weight of each word: the sum over its pieces."""
        return self._gather(weights, "sum")

    def highest(self, weights: Tensor) -> Tensor:
        """The weight of each word's heaviest piece."""
        return self._gather(weights, "amax")

    def _gather(self, weights: Tensor, how: str) -> Tensor:
        known = weights.detach().double().cpu()[: len(self.word_of_piece)]
        words = torch.zeros(len(self.words), dtype=torch.double)
        return words.scatter_reduce(0, self.word_of_piece, known, how)

    def shares(self, words: Tensor) -> list[Share]:
        """The words that are heavy enough to list."""
        kept = (words >= FLOOR).nonzero()[:, 0].tolist()
        return [self._share(place, float(words[place])) for place in kept]

    def _share(self, word: int, weight: float) -> Share:
        start, end = self.words[word]
        place = Place(source=self.source, start=start, end=end)
        return Share(text=self.text[start:end], weight=round(weight, _DIGITS), place=place)


class Texts:
    """The two texts of one row of an encoding."""

    def __init__(self, encoding: Encoding, row: int) -> None:
        self.row, self.input = row, encoding.inputs[row]
        self.passage = _Words("passage", self.input.tokens)
        self.question = _Words("question", encoding.questions[row])
        self.encoding = encoding


def _steps(
    step: Step, texts: Texts, before: list[plain.ExplainedStep]
) -> list[plain.ExplainedStep]:
    """Append a step after all it was given, in the order they execution."""
    inputs = [_steps(given, texts, before)[-1].number for given in step.inputs]
    module = REGISTRY[step.program.name]
    arity = len(step.inputs)
    before.append(
        plain.ExplainedStep(
            number=len(before) + 1,
            module=module.name,
            signature=next(str(s) for s in module.signatures() if len(s.takes) == arity),
            sentence=module.sentence(),
            inputs=tuple(inputs),
            asked=_asked(step, texts) if module.asks else None,
            output=show(step.output, texts),
            notes={name: show(note, texts) for name, note in step.notes.items()}
            | dict(_details(step, texts)),
        )
    )
    return before


def _asked(step: Step, texts: Texts) -> Weights:
    return _attended("question", texts.question, step.question_attention[texts.row])


def show(result: Result, texts: Texts) -> Weights:
    """One row of a result of any type."""
    match result:
        case Attention():
            return _attended(result.word, texts.passage, result.passage[texts.row])
        case TokenProbabilities():
            words = texts.passage.total(result.passage[texts.row])
            return _independent(result.word, texts.passage, words)
        case Spans():
            words = texts.passage.highest(torch.sigmoid(result.inside[texts.row]))
            return _independent(result.word, texts.passage, words)
        case Numbers():
            values = result.supports[texts.row].values
            return _valued(result.word, values, format_exact, result.weights[texts.row])
        case Dates():
            return _valued(result.word, texts.input.dates, str, result.weights[texts.row])
        case Span():
            return _phrase(result, texts)
    raise AssertionError(f"{result.word} cannot be shown")


def _details(step: Step, texts: Texts) -> Iterator[tuple[str, Weights]]:
    """What a result holds beside what is shown of it first."""
    output, row = step.output, texts.row
    if isinstance(output, Span):
        yield "start", _ends("start", output.start[row], texts)
        yield "end", _ends("end", output.end[row], texts)
    elif isinstance(output, Attention) and not torch.equal(
        output.question[row], step.question_attention[row]
    ):
        handed = _attended("question", texts.question, output.question[row])
        if handed.shares:
            yield "question", handed


def _attended(kind: str, words: _Words, weights: Tensor) -> Weights:
    total = words.total(weights)
    return _distribution(kind, words.shares(total), float(total.sum()))


def _independent(kind: str, words: _Words, weights: Tensor) -> Weights:
    shares = words.shares(weights)
    left = float(weights.sum()) - sum(share.weight for share in shares)
    return Weights(kind=kind, shares=tuple(shares), other=max(left, 0.0))


def _valued(kind: str, values: Sequence[T], label: Callable[[T], str], weights: Tensor) -> Weights:
    known = weights.detach().double().cpu()[: len(values)]
    best = known.topk(min(MOST_VALUES, len(values)))
    shares = [
        Share(text=label(values[place]), weight=round(weight, _DIGITS))
        for weight, place in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        if weight >= FLOOR
    ]
    return _distribution(kind, shares, float(known.sum()))


def _phrase(result: Span, texts: Texts) -> Weights:
    """The words chosen, by the very rule that chooses the answer."""
    answer = decode(result, texts.encoding, texts.row)
    weight = round(min(answer.probability, 1.0), _DIGITS)
    shares = [Share(text=answer.texts[0], weight=weight, place=_place(*answer.places[0]))]
    return _distribution(result.word, shares, 1.0)


def _ends(kind: str, scores: Tensor, texts: Texts) -> Weights:
    """A distribution over the words of question and passage together."""
    weights, offset = scores.exp(), texts.encoding.question.shape[1]
    asked, read = texts.question.total(weights), texts.passage.total(weights[offset:])
    shares = texts.question.shares(asked) + texts.passage.shares(read)
    return _distribution(kind, shares, float(asked.sum() + read.sum()))


def _distribution(kind: str, shares: Sequence[Share], total: float) -> Weights:
    """Shares of one: what is not listed is ``other``, what is missing from one is ``nothing``."""
    listed = sum(share.weight for share in shares)
    return Weights(
        kind=kind,
        shares=tuple(shares),
        other=round(max(total - listed, 0.0), _DIGITS),
        nothing=round(max(1.0 - max(total, listed), 0.0), _DIGITS),
    )
