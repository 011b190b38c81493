"""The peers whole: likelihoods, answers, and the way to disk and back."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import torch
from small_peers import (
    A_COUNT,
    A_SUM,
    BARE,
    IN_PASSAGE,
    IN_QUESTION,
    NAMES,
    PASSAGE,
    UNKNOWN,
    place,
    read,
    small_peer,
)
from typer.testing import CliRunner

from tiny import tiny_bert
from workings.checkpoint.model_folder import CARD, load, load_model, save
from workings.cli import app
from workings.encoder.pretrained import build_encoder
from workings.errors import CheckpointError
from workings.ops.results import Span
from workings.peers.head_decoding import decide
from workings.peers.heads import TYPES, HeadOutputs
from workings.settings import EncoderSettings
from workings.supervision.supervise import Supervision
from workings.synthetic import make_synthetic, save_synthetic


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def likelihood(name: str, *known: Supervision) -> list[float]:
    peer = small_peer(name)
    found: list[float] = peer.log_likelihood(read(peer, *[PASSAGE] * len(known)), known).tolist()
    return found


def test_each_type_alone_has_a_likelihood_and_none_has_none(name: str) -> None:
    each = [IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT]
    together = likelihood(name, *each, UNKNOWN)
    assert len(together) == 4 and all(-100 < one < 0 for one in together)
    assert together == pytest.approx([likelihood(name, one)[0] for one in each], abs=1e-4)
    assert likelihood(name, UNKNOWN) == []


def test_two_derivations_are_likelier_than_either(name: str) -> None:
    places = [place(PASSAGE, phrase) for phrase in ("Ada", "Ben Okafor")]
    both, one, other = likelihood(
        name, Supervision(spans=tuple(places)), *(Supervision(spans=(p,)) for p in places)
    )
    assert both > max(one, other)
    assert both == pytest.approx(float(torch.logaddexp(*torch.tensor([one, other]))), abs=1e-4)
    mixed = Supervision(spans=IN_PASSAGE.spans, numbers=A_SUM.numbers)
    joint, span, total = likelihood(name, mixed, IN_PASSAGE, A_SUM)
    assert joint == pytest.approx(float(torch.logaddexp(*torch.tensor([span, total]))), abs=1e-4)


def test_all_spans_together_are_certain(name: str) -> None:
    peer = small_peer(name)
    said = peer(read(peer, PASSAGE, BARE))
    for span in (said.passage, said.question):
        assert torch.allclose(span.start.exp().sum(-1), torch.ones(2))
        assert torch.allclose(span.end.exp().sum(-1), torch.ones(2))
    assert torch.allclose(said.types.exp().sum(-1), torch.ones(2))
    assert torch.allclose(said.counts.exp().sum(-1), torch.ones(2))


def test_gradients_are_finite_and_reach_every_fresh_weight(name: str) -> None:
    peer = small_peer(name, constants=(0, 1, 100)).train()
    known = [IN_PASSAGE, IN_QUESTION, A_SUM, A_COUNT, UNKNOWN, Supervision(numbers=(Fraction(76),))]
    texts = [PASSAGE] * 4 + [BARE, PASSAGE]
    (-peer.log_likelihood(read(peer, *texts), known).sum()).backward()
    for _, parameter in peer.new_parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()
    assert all(torch.isfinite(p.grad).all() for p in peer.parameters() if p.grad is not None)


def test_fresh_weights_are_all_but_the_encoders(name: str) -> None:
    peer = small_peer(name)
    new_parameters, old = (
        dict(peer.new_parameters()),
        dict(peer.encoder.named_parameters(prefix="encoder")),
    )
    assert new_parameters.keys() | old.keys() == dict(peer.named_parameters()).keys()
    assert not new_parameters.keys() & old.keys()


def test_a_question_is_answered_alike_alone_and_beside_others(name: str) -> None:
    peer = small_peer(name)
    with torch.inference_mode():
        beside = peer(read(peer, BARE, PASSAGE))
        alone = peer(read(peer, BARE))
    assert torch.allclose(beside.types[:1], alone.types, atol=1e-5)
    width = alone.passage.start.shape[1]
    assert torch.allclose(beside.passage.start[:1, :width], alone.passage.start, atol=1e-4)


def test_a_passage_without_numbers_gets_an_answer(name: str) -> None:
    peer = small_peer(name)
    with torch.inference_mode():
        (answer,) = peer.answer(read(peer, BARE))
    assert answer.texts


def said(types: list[float], counts: list[float], operands: dict[int, Fraction]) -> HeadOutputs:
    """What heads might say that point at a word, at two numbers' difference and at a count."""
    peer = small_peer("naqanet")
    encoding = read(peer, PASSAGE)
    offset, length = encoding.question.shape[1], encoding.passage.shape[1]
    flat = torch.full((1, offset + length), -5.0)
    labels = torch.tensor([[[-0.1, -3, -4]] * len(encoding.numbers.mask[0])])
    labels[0, 0], labels[0, 2] = torch.tensor([[-4, -3, -0.1], [-4, -0.1, -3]])
    return HeadOutputs(
        types=torch.tensor([types]).log(),
        passage=Span(flat, flat),
        question=Span(flat, flat),
        labels=labels,
        mask=torch.ones_like(labels[..., 0], dtype=torch.bool),
        counts=torch.tensor([counts]).log(),
        operands=[operands],
        offset=offset,
    )


def test_the_type_is_chosen_first_or_with_the_answer() -> None:
    encoding = read(small_peer("naqanet"), PASSAGE)
    numbers = dict(enumerate(number.value for number in encoding.inputs[0].values.numbers))
    unsure = said([0.1, 0.1, 0.45, 0.35], [0.01, 0.01, 0.98], numbers)
    (first,), (joint,) = (decide(unsure, encoding, joint=joint) for joint in (False, True))
    assert TYPES[int(unsure.types.argmax())] == "signs"
    assert first.texts == ("23",) and first.value == 23  # 47 - 24
    assert [PASSAGE[start:end] for _, start, end in first.places] == ["24", "47"]
    assert joint.texts == ("2",) and joint.probability == pytest.approx(0.98)


def test_without_numbers_no_sum_is_answered() -> None:
    encoding = read(small_peer("naqanet"), PASSAGE)
    (answer,) = decide(said([0.1, 0.1, 0.6, 0.2], [0.1, 0.9], {}), encoding, joint=False)
    assert answer.texts == ("1",)


def test_a_peer_survives_the_disk_and_has_no_steps(name: str, tmp_path: Path) -> None:
    peer = small_peer(name)
    again = load_model(save(peer, tmp_path, half=False))
    assert type(again) is type(peer) and again.recipe == peer.recipe
    assert all(torch.equal(t, again.state_dict()[n]) for n, t in peer.state_dict().items())
    assert "with no steps to show" in (tmp_path / CARD).read_text("utf-8")
    with pytest.raises(CheckpointError, match="has no steps"):
        load(tmp_path)


def test_evaluate_scores_a_peer_but_has_no_page_to_write(tmp_path: Path) -> None:
    folder, asked = save(small_peer("naqanet"), tmp_path / "model"), tmp_path / "world.json"
    save_synthetic(asked, make_synthetic(3, 1))
    given = ["evaluate", str(asked), "--model", str(folder), "--json"]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0 and "f1" in found.stdout
    other = tmp_path / "other.json"
    save_synthetic(other, make_synthetic(4, 1))
    both = CliRunner().invoke(app, [*given, str(other)])
    counts = [json.loads(said.stdout)["overall"]["questions"] for said in (found, both)]
    assert counts[1] > counts[0]
    refused = CliRunner().invoke(app, [*given, "--explain", str(tmp_path / "pages")])
    assert refused.exit_code == 1
    assert not (tmp_path / "pages").exists()


def test_depths_are_the_last_layers() -> None:
    peer = small_peer("naqanet")
    encoding = read(peer, PASSAGE, BARE)
    plain = peer.encoder(encoding.questions, encoding.inputs)
    assert len(encoding.depths) == 4 and len(plain.depths) == 1
    assert torch.equal(encoding.passage, plain.passage)
    assert torch.equal(encoding.cls, plain.cls)
    # Two layers and the embeddings: the lowest stands for the fourth.
    assert torch.equal(encoding.depths[0].passage, encoding.depths[1].passage)
    settings = EncoderSettings(layers=1, dropout=0)
    shallow = build_encoder(tiny_bert(peer.tokenizer), peer.tokenizer, settings).eval()
    first = shallow(encoding.questions, encoding.inputs)
    assert torch.allclose(encoding.depths[2].passage, first.passage, atol=1e-6)
    assert torch.allclose(encoding.depths[2].question, first.question, atol=1e-6)
    chosen = encoding.select([1])
    assert torch.equal(chosen.depths[2].question, encoding.depths[2].question[1:])
