"""Whole peers: likelihoods, answers, saving and loading."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import torch
from small_peers import (
    A_COUNT,
    A_SUM,
    IN_PASSAGE,
    IN_QUESTION,
    NAMES,
    NO_NUMBERS,
    PASSAGE,
    UNKNOWN,
    characters,
    read,
    small_peer,
)
from typer.testing import CliRunner

from tiny import tiny_bert
from workings.checkpoint.config import CARD
from workings.checkpoint.model_folder import load, load_model, save
from workings.cli import app
from workings.encoder.pretrained import build_encoder
from workings.errors import CheckpointError
from workings.ops.results import Span
from workings.peers.head_decoding import decode_heads
from workings.peers.heads import TYPES, HeadOutputs
from workings.settings import EncoderSettings
from workings.supervision.derivation import Supervision
from workings.synthetic import make_synthetic, save_synthetic


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def log_likelihood(name: str, *answers: Supervision) -> list[float]:
    peer = small_peer(name)
    encoding = read(peer, *[PASSAGE] * len(answers))
    values: list[float] = peer.log_likelihood(encoding, answers).tolist()
    return values


def test_likelihood_of_each_type(name: str) -> None:
    answers = [IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT]
    batch = log_likelihood(name, *answers, UNKNOWN)
    assert len(batch) == 4 and all(-100 < value < 0 for value in batch)
    assert batch == pytest.approx([log_likelihood(name, a)[0] for a in answers], abs=1e-4)
    assert log_likelihood(name, UNKNOWN) == []


def test_likelihoods_of_derivations_add_up(name: str) -> None:
    spans = [characters(PASSAGE, phrase) for phrase in ("Ada", "Ben Okafor")]
    both, first, second = log_likelihood(
        name, Supervision(spans=tuple(spans)), *(Supervision(spans=(span,)) for span in spans)
    )
    assert both > max(first, second)
    assert both == pytest.approx(float(torch.logaddexp(*torch.tensor([first, second]))), abs=1e-4)
    mixed = Supervision(spans=IN_PASSAGE.spans, numbers=A_SUM.numbers)
    joint, span, total = log_likelihood(name, mixed, IN_PASSAGE, A_SUM)
    assert joint == pytest.approx(float(torch.logaddexp(*torch.tensor([span, total]))), abs=1e-4)


def test_probabilities_sum_to_one(name: str) -> None:
    peer = small_peer(name)
    outputs = peer(read(peer, PASSAGE, NO_NUMBERS))
    for span in (outputs.passage, outputs.question):
        assert torch.allclose(span.start.exp().sum(-1), torch.ones(2))
        assert torch.allclose(span.end.exp().sum(-1), torch.ones(2))
    assert torch.allclose(outputs.types.exp().sum(-1), torch.ones(2))
    assert torch.allclose(outputs.counts.exp().sum(-1), torch.ones(2))


def test_gradients_are_finite_and_reach_every_new_parameter(name: str) -> None:
    peer = small_peer(name, constants=(0, 1, 100)).train()
    rest = Supervision(numbers=(Fraction(76),))
    answers = [IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT, UNKNOWN, rest]
    passages = [PASSAGE] * 4 + [NO_NUMBERS, PASSAGE]
    torch.autograd.backward(-peer.log_likelihood(read(peer, *passages), answers).sum())
    for _, parameter in peer.new_parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()
    assert all(torch.isfinite(p.grad).all() for p in peer.parameters() if p.grad is not None)


def test_new_parameters_are_all_but_the_encoders(name: str) -> None:
    peer = small_peer(name)
    new = dict(peer.new_parameters())
    pretrained = dict(peer.encoder.named_parameters(prefix="encoder"))
    assert new.keys() | pretrained.keys() == dict(peer.named_parameters()).keys()
    assert not new.keys() & pretrained.keys()


def test_output_does_not_depend_on_the_batch(name: str) -> None:
    peer = small_peer(name)
    with torch.inference_mode():
        batch = peer(read(peer, NO_NUMBERS, PASSAGE))
        single = peer(read(peer, NO_NUMBERS))
    assert torch.allclose(batch.types[:1], single.types, atol=1e-5)
    width = single.passage.start.shape[1]
    assert torch.allclose(batch.passage.start[:1, :width], single.passage.start, atol=1e-4)


def test_passage_without_numbers_gets_an_answer(name: str) -> None:
    peer = small_peer(name)
    with torch.inference_mode():
        (answer,) = peer.answer(read(peer, NO_NUMBERS))
    assert answer.texts


def head_outputs(
    types: list[float], counts: list[float], operands: dict[int, Fraction]
) -> HeadOutputs:
    """Outputs with uniform spans, the sum of the third number less the first, and given counts."""
    peer = small_peer("naqanet")
    encoding = read(peer, PASSAGE)
    offset, length = encoding.question.shape[1], encoding.passage.shape[1]
    uniform = torch.full((1, offset + length), -5.0)
    labels = torch.tensor([[[-0.1, -3, -4]] * len(encoding.numbers.mask[0])])
    labels[0, 0], labels[0, 2] = torch.tensor([[-4, -3, -0.1], [-4, -0.1, -3]])
    return HeadOutputs(
        types=torch.tensor([types]).log(),
        passage=Span(uniform, uniform),
        question=Span(uniform, uniform),
        labels=labels,
        mask=torch.ones_like(labels[..., 0], dtype=torch.bool),
        counts=torch.tensor([counts]).log(),
        operands=[operands],
        offset=offset,
    )


def test_type_is_chosen_first_or_jointly_with_the_answer() -> None:
    encoding = read(small_peer("naqanet"), PASSAGE)
    numbers = dict(enumerate(number.value for number in encoding.inputs[0].values.numbers))
    outputs = head_outputs([0.1, 0.1, 0.45, 0.35], [0.01, 0.01, 0.98], numbers)
    (first,), (joint,) = (decode_heads(outputs, encoding, joint=joint) for joint in (False, True))
    assert TYPES[int(outputs.types.argmax())] == "signs"
    assert first.texts == ("23",) and first.value == 23  # 47 - 24
    assert [PASSAGE[start:end] for _, start, end in first.places] == ["24", "47"]
    assert joint.texts == ("2",) and joint.probability == pytest.approx(0.98)


def test_no_sum_is_answered_without_numbers() -> None:
    encoding = read(small_peer("naqanet"), PASSAGE)
    outputs = head_outputs([0.1, 0.1, 0.6, 0.2], [0.1, 0.9], {})
    (answer,) = decode_heads(outputs, encoding, joint=False)
    assert answer.texts == ("1",)


def test_saved_peer_loads_unchanged_and_has_no_steps(name: str, tmp_path: Path) -> None:
    peer = small_peer(name)
    loaded = load_model(save(peer, tmp_path, half=False))
    assert type(loaded) is type(peer) and loaded.recipe == peer.recipe
    assert all(torch.equal(t, loaded.state_dict()[n]) for n, t in peer.state_dict().items())
    assert "without steps" in (tmp_path / CARD).read_text("utf-8")
    with pytest.raises(CheckpointError, match="no steps"):
        load(tmp_path)


def test_evaluate_scores_a_peer_but_cannot_explain_it(tmp_path: Path) -> None:
    folder, first = save(small_peer("naqanet"), tmp_path / "model"), tmp_path / "first.json"
    save_synthetic(first, make_synthetic(3, 1))
    command = ["evaluate", str(first), "--model", str(folder), "--json"]
    one_file = CliRunner().invoke(app, command)
    assert one_file.exit_code == 0 and "f1" in one_file.stdout
    second = tmp_path / "second.json"
    save_synthetic(second, make_synthetic(4, 1))
    two_files = CliRunner().invoke(app, [*command, str(second)])
    counts = [json.loads(result.stdout)["overall"]["questions"] for result in (one_file, two_files)]
    assert counts[1] > counts[0]
    refused = CliRunner().invoke(app, [*command, "--explain", str(tmp_path / "pages")])
    assert refused.exit_code == 1
    assert not (tmp_path / "pages").exists()


def test_depths_are_the_last_layers() -> None:
    peer = small_peer("naqanet")
    encoding = read(peer, PASSAGE, NO_NUMBERS)
    plain = peer.encoder(encoding.questions, encoding.inputs)
    assert len(encoding.layers) == 4 and len(plain.layers) == 1
    assert torch.equal(encoding.passage, plain.passage)
    assert torch.equal(encoding.cls, plain.cls)
    # The encoder has two layers and the embeddings, so the lowest depth is repeated.
    assert torch.equal(encoding.layers[0].passage, encoding.layers[1].passage)
    settings = EncoderSettings(layers=1, dropout=0)
    shallow = build_encoder(tiny_bert(peer.tokenizer), peer.tokenizer, settings).eval()
    first = shallow(encoding.questions, encoding.inputs)
    assert torch.allclose(encoding.layers[2].passage, first.passage, atol=1e-6)
    assert torch.allclose(encoding.layers[2].question, first.question, atol=1e-6)
    chosen = encoding.select([1])
    assert torch.equal(chosen.layers[2].question, encoding.layers[2].question[1:])
