"""Build the explanation of one question from its ranked candidates."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch

from workings.encoder.inputs import PassageInput
from workings.explain import explanation as plain
from workings.explain.explanation import Place, Source, Value, Weights
from workings.inference.calculation import Calculation
from workings.inference.comparison import find_comparisons
from workings.inference.decoding import Prediction
from workings.inference.equation import calculate, to_comparison, to_equation
from workings.inference.quantity import written_mention, written_result
from workings.inference.ranking import (
    AnswerPolicy,
    Candidate,
    answer_probability,
    unknown_probability,
)
from workings.inference.result_weights import RowTexts, attention_weights, end_weights, to_weights
from workings.inference.sentence import to_sentence
from workings.inference.source_texts import SourceTexts
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Nothing, Span
from workings.values import format_exact

_UNKNOWN = "The passage does not say."


def explain(candidates: Sequence[Candidate], policy: AnswerPolicy) -> plain.Explanation:
    """Explain the best candidate and list the next ones as alternatives.

    Args:
        candidates: The candidates of one question, best first; at least one.
        policy: How many candidates to report, the minimum confidence and the temperature.
    """
    probabilities = answer_probability(candidates)
    chosen, *others = (
        _alternative(candidate, policy.confidence(probability))
        for candidate, probability in list(zip(candidates, probabilities, strict=True))[
            : policy.top_k
        ]
    )
    best = candidates[0]
    abstained = not chosen.answer.texts or chosen.confidence < policy.threshold
    withheld = [chosen] if abstained and chosen.answer.texts else []
    texts = RowTexts(best.execution.encoding, best.row)
    explanation = plain.Explanation(
        question=texts.question.text,
        passage=texts.passage.text,
        answer=plain.Answer(probability=chosen.answer.probability) if abstained else chosen.answer,
        abstained=abstained,
        confidence=chosen.confidence,
        program=chosen.program,
        probability=chosen.probability,
        steps=tuple(_explain_steps(best.execution.step, texts, [])),
        alternatives=(*withheld, *others),
        values=tuple(_values(texts.input)),
        unknown=min(unknown_probability(candidates), 1.0),
        sentence=_UNKNOWN if isinstance(best.execution.step.output, Nothing) else "",
    )
    return explanation if abstained else _with_reason(explanation, best)


def _with_reason(explanation: plain.Explanation, candidate: Candidate) -> plain.Explanation:
    """Add the equation, the comparisons, the sentence and the answer as people write it."""
    step, row = candidate.execution.step, candidate.row
    texts = SourceTexts.of(candidate.execution.encoding, row)
    calculation, value = calculate(candidate), candidate.answer.value
    prediction = _with_place(candidate, calculation, texts)
    comparisons = find_comparisons(step, row, texts.passage, calculation)
    numbers = {id(each): number for number, each in enumerate(_in_order(step), 1)}
    answer, equation = _answer(prediction), None
    if calculation is not None and value is not None:
        shown = written_result(calculation, value, texts)
        answer = answer.model_copy(update={"display": shown})
        if not calculation.is_single:
            equation = to_equation(calculation, value, texts, numbers)
    elif value is None:
        answer = answer.model_copy(update={"display": _phrase_with_unit(prediction, texts)})
    reason = {
        "answer": answer,
        "equation": equation,
        "comparisons": tuple(to_comparison(c, numbers[id(c.step)], texts) for c in comparisons),
        "sentence": to_sentence(prediction, calculation, comparisons, texts),
    }
    return explanation.model_copy(update=reason)


def _phrase_with_unit(prediction: Prediction, texts: SourceTexts) -> str:
    """A phrase that is a bare number, with its unit; empty for other answers."""
    if len(prediction.texts) != 1 or not prediction.places:
        return ""
    place, start, end = prediction.places[0]
    source: Source = "question" if place == "question" else "passage"
    same = (n for n in texts.numbers(source) if (n.start, n.end) == (start, end))
    number = next(same, None)
    if number is None or not prediction.texts[0][:1].isdigit():
        return ""
    return written_mention((start, end), number.value, texts, source)


def _with_place(
    candidate: Candidate, calculation: Calculation | None, texts: SourceTexts
) -> Prediction:
    """Add the place of a date or of a stated number, which decoding does not give."""
    prediction = candidate.answer
    if prediction.places or not prediction.texts:
        return prediction
    if calculation is not None and calculation.is_single:
        (operand,) = calculation.operands
        places = [(operand.source, *operand.span)] if operand.span is not None else []
        return replace(prediction, places=tuple(places))
    output = candidate.execution.step.output
    if isinstance(output, Dates) and output.mention_weights is not None:
        dates = texts.passage.values.dates
        weights = output.mention_weights.weights[candidate.row].tolist()
        likely = [i for i, mention in enumerate(dates) if str(mention.date) in prediction.texts]
        best = dates[max(likely, key=lambda index: weights[index])]
        return replace(prediction, places=(("passage", best.start, best.end),))
    return prediction


def _in_order(step: Step) -> Iterator[Step]:
    """The steps in the order of execution: inputs first."""
    for child in step.inputs:
        yield from _in_order(child)
    yield step


def _alternative(candidate: Candidate, confidence: float) -> plain.Alternative:
    return plain.Alternative(
        program=str(candidate.scored.program),
        probability=candidate.program_probability,
        answer=_answer(candidate.answer),
        confidence=confidence,
    )


def _answer(prediction: Prediction) -> plain.Answer:
    return plain.Answer(
        texts=prediction.texts,
        value=None if prediction.value is None else format_exact(prediction.value),
        places=tuple(_place(*place) for place in prediction.places),
        probability=min(prediction.probability, 1.0),
    )


def _values(passage: PassageInput) -> Iterator[Value]:
    for number in passage.values.numbers:
        place = _place("passage", number.start, number.end)
        yield Value(kind="number", text=format_exact(number.value), place=place)
    for mention in passage.values.dates:
        place = _place("passage", mention.start, mention.end)
        yield Value(kind="date", text=str(mention.date), place=place)


def _place(source: str, start: int, end: int) -> Place:
    return Place.model_validate({"source": source, "start": start, "end": end})


def _explain_steps(
    step: Step, texts: RowTexts, explained: list[plain.ExplainedStep]
) -> list[plain.ExplainedStep]:
    """Append a step after its inputs, which is the order of execution."""
    inputs = [_explain_steps(child, texts, explained)[-1].number for child in step.inputs]
    module = REGISTRY[step.program.name]
    arity = len(step.inputs)
    explained.append(
        plain.ExplainedStep(
            number=len(explained) + 1,
            module=module.name,
            signature=next(str(s) for s in module.signatures() if len(s.takes) == arity),
            sentence=module.sentence(),
            inputs=tuple(inputs),
            asked=_question_words(step, texts) if module.uses_question else None,
            output=to_weights(step.output, texts),
            notes={name: to_weights(result, texts) for name, result in step.details.named()}
            | dict(_output_details(step, texts)),
        )
    )
    return explained


def _question_words(step: Step, texts: RowTexts) -> Weights:
    return attention_weights("question", texts.question, step.question_attention[texts.row])


def _output_details(step: Step, texts: RowTexts) -> Iterator[tuple[str, Weights]]:
    """Yield the parts of a step's output that its main weights do not show."""
    output, row = step.output, texts.row
    if isinstance(output, Span):
        yield "start", end_weights("start", output.start[row], texts)
        yield "end", end_weights("end", output.end[row], texts)
    elif isinstance(output, Attention) and not torch.equal(
        output.question[row], step.question_attention[row]
    ):
        passed_on = attention_weights("question", texts.question, output.question[row])
        if passed_on.shares:
            yield "question", passed_on
