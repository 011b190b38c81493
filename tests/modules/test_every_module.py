"""Properties of every module in every form: gradients, finite results, sums, descriptions."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import chain, product

import pytest
import torch
from torch import Tensor

from handmade import PAPER, encode, random_attention
from workings.analysis.error_attribution import CATEGORIES
from workings.arithmetic.operation import Operation
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY, Arithmetic, Context, Module, Signature, all_signatures
from workings.modules._date_distance import DateDistance
from workings.modules._set_arithmetic import SetArithmetic
from workings.network.interpreter import Interpreter
from workings.ops.results import Attention, Dates, Numbers, Result
from workings.settings import ModuleSettings

FORMS = all_signatures(REGISTRY)
LOCAL = ModuleSettings(
    grounding="local", pooled_words="passage", gated=True, filter="none", constants=False
)
SETTINGS = {"default": ModuleSettings(), "paper": PAPER, "local": LOCAL}
LONG = (
    "When were over 12 of 1,500, and how many?",
    "On 3 May 1453 it had 12 men. By 9 May 1460 it had 40, in 1461 12. At 21:05 it shut for 9 hours"
    ", till 6 am.",
)
SHORT = ("How many?", "It had 7 men.")

every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.key)
every_setting = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
every_module = pytest.mark.parametrize("module", REGISTRY.values(), ids=REGISTRY)


def interpreter(settings: ModuleSettings, width: int = 3) -> Interpreter:
    torch.manual_seed(5)
    return Interpreter(width, settings, REGISTRY)


def input_masks(form: Signature, encoding: Encoding) -> list[Tensor]:
    """Where the inputs of a form may have weight: two masks for an attention, one for others."""
    masks: dict[type[Result], list[Tensor]] = {
        Attention: [encoding.passage_mask, encoding.question_mask],
        Numbers: [_length_mask([len(passage.operands) for passage in encoding.inputs])],
        Dates: [_length_mask([len(passage.dates) for passage in encoding.inputs])],
    }
    return list(chain.from_iterable(masks[kind] for kind in form.takes))


def _length_mask(lengths: Sequence[int]) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def random_weights(form: Signature, encoding: Encoding) -> list[Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [
        (0.1 + torch.rand(mask.shape, generator=generator)).to(encoding.passage)
        for mask in input_masks(form, encoding)
    ]


def build_inputs(form: Signature, encoding: Encoding, weights: Sequence[Tensor]) -> list[Result]:
    """Results of the types that a form takes, with these weights in turn."""
    rest = iter(weights)
    supports = [passage.operands for passage in encoding.inputs]
    inputs: list[Result] = []
    for kind in form.takes:
        if kind is Attention:
            inputs.append(Attention(next(rest), next(rest)))
        else:
            inputs.append(Dates(next(rest)) if kind is Dates else Numbers(next(rest), supports))
    return inputs


def normalise(weights: Sequence[Tensor], masks: Sequence[Tensor]) -> list[Tensor]:
    masked = [weight * mask for weight, mask in zip(weights, masks, strict=True)]
    return [weight / weight.sum(-1, keepdim=True) for weight in masked]


def tensors(result: Result) -> list[Tensor]:
    values = (getattr(result, field.name) for field in fields(result))
    return [value for value in values if isinstance(value, Tensor)]


def probabilities(*results: Result) -> list[Tensor]:
    """All tensors, with log-probabilities as probabilities: masked tokens have 0, not -inf."""
    return [
        tensor.exp() if result.word == "span" else tensor
        for result in results
        for tensor in tensors(result)
    ]


def run(
    interpreter: Interpreter, form: Signature, context: Context, inputs: Sequence[Result]
) -> list[Result]:
    """The output of a module, followed by the details it records."""
    output = interpreter.library[form.name](context, *inputs)
    return [output, *(result for _, result in context.details.named())]


@every_setting
@every_form
def test_gradients(form: Signature, settings: ModuleSettings) -> None:
    encoding = encode([LONG, SHORT], width=3)
    model, masks = interpreter(settings).double(), input_masks(form, encoding)
    weights = random_weights(form, encoding)
    question_attention = random_attention(encoding).question

    def outputs(
        passage: Tensor, question: Tensor, question_attention: Tensor, *others: Tensor
    ) -> tuple[Tensor, ...]:
        changed = replace(encoding, passage=passage, question=question)
        context = Context(changed, question_attention, model.groundings)
        inputs = build_inputs(form, encoding, normalise(others[: len(masks)], masks))
        values = probabilities(*run(model, form, context, inputs))
        return tuple(value for value in values if value.requires_grad)

    leaves = [encoding.passage, encoding.question, question_attention, *weights]
    parameters = [*model.library[form.name].parameters(), *model.groundings.parameters()]
    leaves = [tensor.requires_grad_() for tensor in leaves]
    assert torch.autograd.gradcheck(outputs, [*leaves, *parameters], fast_mode=True)


TEXTS = {
    "no values": "Nobody came and nobody left.",
    "equal numbers": "There were 12 men, 12 women and twelve dogs in 1453, and in 1453.",
    "hundreds of numbers": " ".join(
        f"Lot {n} sold for {n * 7 % 311}.5 pounds." for n in range(150)
    ),
    "one word": "Nothing",
}
SHAPES = ("one-hot", "uniform", "on padding", "zero")


def shaped(mask: Tensor, shape: str) -> Tensor:
    """Weights for a batch whose last row is the longest."""
    weights = torch.zeros(mask.shape)
    if shape == "one-hot":
        weights[:, :1] = 1
    elif shape == "uniform":
        weights = mask / mask.sum(-1, keepdim=True).clamp(min=1)
    elif shape == "on padding":
        weights[:, -1:] = 1
    return weights


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@every_setting
@every_form
def test_extreme_inputs_give_finite_results(
    form: Signature, settings: ModuleSettings, text: str
) -> None:
    rows = sorted([(SHORT[0], text), LONG], key=lambda row: len(row[1]))
    encoding = encode(rows, width=4, dtype=torch.float32)
    model = interpreter(settings, width=4)
    for shape in SHAPES:
        masks = [*input_masks(form, encoding), encoding.question_mask]
        leaves = [shaped(mask, shape).requires_grad_() for mask in masks]
        context = Context(encoding, leaves[-1], model.groundings)
        results = run(model, form, context, build_inputs(form, encoding, leaves))
        outputs = [tensor for result in results for tensor in tensors(result)]
        assert all(bool(tensor.isfinite().all()) for tensor in outputs)
        squares = [tensor.square().sum() for tensor in probabilities(*results)]
        loss = torch.stack(squares).sum()
        if not loss.requires_grad:  # a constant depends on nothing
            continue
        torch.autograd.backward(loss)
        trained = [*leaves, *model.parameters()]
        assert all(leaf.grad is None or bool(leaf.grad.isfinite().all()) for leaf in trained)


@every_setting
@every_form
def test_output_sums_to_one(form: Signature, settings: ModuleSettings) -> None:
    encoding = encode([LONG], width=3)
    # No count is above the largest one, which would have no value.
    settings = settings.model_copy(update={"largest_count": 2 * encoding.passage.shape[1]})
    model = interpreter(settings).double()
    weights = normalise(random_weights(form, encoding), input_masks(form, encoding))
    context = Context(encoding, random_attention(encoding, seed=9).question, model.groundings)
    with torch.no_grad():
        output, *_ = run(model, form, context, build_inputs(form, encoding, weights))
    if output.word == "spans":  # tokens are independent
        return
    total = probabilities(output)[0].sum().item()
    module = model.library[form.name]
    assert isinstance(module, Module)
    if may_drop_weight(module, form, encoding):
        assert 0 < total < 1
    else:
        assert total == pytest.approx(1, abs=1e-4)
    if isinstance(output, Numbers):
        assert output.undefined.item() == pytest.approx(1 - total)


def may_drop_weight(module: Module, form: Signature, encoding: Encoding) -> bool:
    """Whether some results have no value: dropped ties, negative and undefined numbers."""
    if module.compares:
        return module.settings.ties == "drop"
    if isinstance(module, Arithmetic):
        operation = module.operation_used()
        pairs = product(encoding.inputs[0].operands.values, repeat=2)
        results = [operation.exact(first, second) for first, second in pairs]
        return any(result is None or result < 0 for result in results)
    if isinstance(module, SetArithmetic):  # the set may be empty
        return True
    if isinstance(module, DateDistance):
        dates = encoding.inputs[0].dates
        return any(module.distance(*pair) is None for pair in product(dates, repeat=2))
    if module.needs == "times":  # a clock time and a duration have no distance
        return True
    is_time_difference = form.gives is Numbers and module.needs == "dates"
    return is_time_difference and not module.commutes(module.settings)


@every_module
def test_is_described(module: type[Module]) -> None:
    assert module.sentence().endswith(".") and "\n" not in module.sentence()
    assert module.example.endswith("?")
    assert all(form.name == module.name for form in module.signatures())


@every_module
def test_declarations_are_valid(module: type[Module]) -> None:
    assert module.needs in ("", "numbers", "dates", "times", "question numbers")
    assert module.compares in ("", "num", "date")
    assert module.error_category in CATEGORIES
    assert all(cue.islower() and len(cue.split()) == 1 for cue in module.cues)
    assert isinstance(module.operation, Operation) == issubclass(module, Arithmetic)
