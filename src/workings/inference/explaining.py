"""Build the explanation of one question from its ranked candidates."""

from collections.abc import Iterator, Sequence

import torch

from workings.encoder.inputs import PassageInput
from workings.explain import explanation as plain
from workings.explain.explanation import Place, Value, Weights
from workings.inference.decoding import Prediction
from workings.inference.equation import calculate, to_equation, to_sentence
from workings.inference.ranking import AnswerPolicy, Candidate, answer_probability
from workings.inference.result_weights import RowTexts, attention_weights, end_weights, to_weights
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.results import Attention, Span
from workings.values import format_exact


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
    equation, sentence = (None, "") if abstained else _calculation(best, texts.input)
    return plain.Explanation(
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
        equation=equation,
        sentence=sentence,
    )


def _calculation(candidate: Candidate, passage: PassageInput) -> tuple[plain.Equation | None, str]:
    """The equation and the sentence of a numeric answer."""
    calculation, value = calculate(candidate), candidate.answer.value
    if calculation is None or value is None:
        return None, ""
    sentence = to_sentence(calculation, value, passage)
    if calculation.is_single:
        return None, sentence
    return to_equation(calculation, value, passage), sentence


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
