"""What holds for every module in every form: true gradients, and no NaN however odd the input."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import chain

import pytest
import torch
from torch import Tensor

from handmade import PAPER, encode, spread
from workings.encoder.encoding import Encoding
from workings.modules import REGISTRY, Context, Signature, all_signatures
from workings.network.interpreter import Interpreter
from workings.ops.results import Attention, Numbers, Result
from workings.settings import ModuleSettings

FORMS = all_signatures(REGISTRY)
SETTINGS = {"default": ModuleSettings(), "paper": PAPER}
LONG = ("When and how many?", "On 3 May 1453 it had 12 men. By 1460 it had 40 and 12 dogs.")
SHORT = ("How many?", "It had 7 men.")

every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.key)
every_setting = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def interpreter(settings: ModuleSettings, width: int = 3) -> Interpreter:
    torch.manual_seed(5)
    return Interpreter(width, settings, REGISTRY)


def masks(form: Signature, encoding: Encoding) -> list[Tensor]:
    """Where the weights of a form's inputs may lie: two for an attention, one for numbers."""
    operands = torch.zeros(len(encoding), max(len(one.operands) for one in encoding.inputs))
    for row, one in zip(operands, encoding.inputs, strict=True):
        row[: len(one.operands)] = 1
    attention = [encoding.passage_mask, encoding.question_mask]
    found = (attention if kind is Attention else [operands > 0] for kind in form.takes)
    return list(chain.from_iterable(found))


def random_weights(form: Signature, encoding: Encoding) -> list[Tensor]:
    made = torch.Generator().manual_seed(1)
    return [
        (0.1 + torch.rand(mask.shape, generator=made)).to(encoding.passage)
        for mask in masks(form, encoding)
    ]


def inputs_of(form: Signature, encoding: Encoding, weights: Sequence[Tensor]) -> list[Result]:
    """Results of the types a form takes, of these weights in turn."""
    rest, found = list(weights), []
    for kind in form.takes:
        if kind is Attention:
            found.append(Attention(rest.pop(0), rest.pop(0)))
        else:
            found.append(Numbers(rest.pop(0), [one.operands for one in encoding.inputs]))
    return found


def distributions(weights: Sequence[Tensor], where: Sequence[Tensor]) -> list[Tensor]:
    kept = [one * mask for one, mask in zip(weights, where, strict=True)]
    return [one / one.sum(-1, keepdim=True) for one in kept]


def tensors(result: Result) -> list[Tensor]:
    found = (getattr(result, field.name) for field in fields(result))
    return [tensor for tensor in found if isinstance(tensor, Tensor)]


def probabilities(*results: Result) -> list[Tensor]:
    """Logarithms as what they stand for: a masked place is nought, not minus infinity."""
    return [
        tensor.exp() if result.word == "span" else tensor
        for result in results
        for tensor in tensors(result)
    ]


@every_setting
@every_form
def test_gradients(form: Signature, settings: ModuleSettings) -> None:
    encoding = encode([LONG, SHORT], width=3)
    made = interpreter(settings).double()
    module, where = made.library[form.name], masks(form, encoding)
    weights = random_weights(form, encoding)
    leaves = [encoding.passage, encoding.question, spread(encoding).question, *weights]

    def run(
        passage: Tensor, question: Tensor, asked: Tensor, *others: Tensor
    ) -> tuple[Tensor, ...]:
        read = replace(encoding, passage=passage, question=question)
        seen = Context(read, asked, made.groundings)
        given = inputs_of(form, encoding, distributions(others[: len(where)], where))
        found = probabilities(module(seen, *given), *seen.notes.values())
        return tuple(tensor for tensor in found if tensor.requires_grad)

    learned = [*module.parameters(), *made.groundings.parameters()]
    leaves = [tensor.requires_grad_() for tensor in leaves] + learned
    assert torch.autograd.gradcheck(run, leaves, fast_mode=True)


TEXTS = {
    "no values": "Nobody came and nobody left.",
    "equal numbers": "There were 12 men, 12 women and twelve dogs in 1453, and in 1453.",
    "hundreds of numbers": " ".join(
        f"Lot {n} sold for {n * 7 % 311}.5 pounds." for n in range(150)
    ),
    "one word": "Nothing",
}
SHAPES = ("one-hot", "uniform", "on padding", "nowhere")


def shaped(mask: Tensor, shape: str) -> Tensor:
    """Weights over a batch whose last row is the longest."""
    made = torch.zeros(mask.shape)
    if shape == "one-hot":
        made[:, 0] = 1
    elif shape == "uniform":
        made = mask / mask.sum(-1, keepdim=True).clamp(min=1)
    elif shape == "on padding":
        made[:, -1] = 1
    return made


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@every_setting
@every_form
def test_extremes(form: Signature, settings: ModuleSettings, text: str) -> None:
    rows = sorted([(SHORT[0], text), LONG], key=lambda row: len(row[1]))
    encoding = encode(rows, width=4, dtype=torch.float32)
    made = interpreter(settings, width=4)
    for shape in SHAPES:
        where = [*masks(form, encoding), encoding.question_mask]
        leaves = [shaped(mask, shape).requires_grad_() for mask in where]
        given = inputs_of(form, encoding, leaves)
        seen = Context(encoding, leaves[-1], made.groundings)
        found = [made.library[form.name](seen, *given), *seen.notes.values()]
        outputs = [tensor for one in found for tensor in tensors(one)]
        assert all(bool(tensor.isfinite().all()) for tensor in outputs)
        sum(tensor.square().sum() for tensor in probabilities(*found)).backward()
        slopes = [*leaves, *made.parameters()]
        assert all(leaf.grad is None or bool(leaf.grad.isfinite().all()) for leaf in slopes)


@every_setting
@every_form
def test_mass_is_accounted_for(form: Signature, settings: ModuleSettings) -> None:
    encoding = encode([LONG], width=3)
    made, asked = interpreter(settings).double(), spread(encoding, seed=9).question
    weights = distributions(random_weights(form, encoding), masks(form, encoding))
    seen = Context(encoding, asked, made.groundings)
    with torch.no_grad():
        found = made.library[form.name](seen, *inputs_of(form, encoding, weights))
    if found.word == "spans":  # each word has odds of its own
        return
    whole = probabilities(found)[0].sum().item()
    if may_lose(form, settings):
        assert 0 < whole < 1
    else:
        assert whole == pytest.approx(1)


def may_lose(form: Signature, settings: ModuleSettings) -> bool:
    """Ties are dropped and negative differences left out only where the settings say so."""
    compares = form.name.startswith("compare") and settings.ties == "drop"
    return compares or (form.name in ("sub", "time-diff") and settings.difference == "ordered")


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_people_can_read_what_it_does(name: str) -> None:
    module = REGISTRY[name]
    assert module.sentence().endswith(".") and "\n" not in module.sentence()
    assert module.example.endswith("?")
    assert all(form.name == name for form in module.signatures())
