"""Questions about clock times and durations are learned from their derivations."""

import pytest
import torch

from tiny import tiny_bert, tiny_tokenizer
from workings.data.records import GoldAnswer, Passage, Question
from workings.encoder.pretrained import build_encoder
from workings.network.network import Network
from workings.settings import Recipe
from workings.supervision.supervise import supervise
from workings.training.examples import TrainingExample, make_examples
from workings.training.loss import batch_loss
from workings.values import read_values

TEXT = (
    "The ferry left at 21:50 and came in at 0:35. The office is open from 9:15 to 12:00. "
    "Ada ran the lap in 3:33.6 and Ben in 3:31.2. The film lasts 2 h 26 min."
)
QUESTIONS = (
    ("How many minutes did the ferry take?", "165", "21:50 to 0:35"),
    ("For how many minutes is the office open?", "165", "9:15 to 12:00"),
    ("By how many seconds did Ben beat Ada?", "2.4", "3:33.6 - 3:31.2"),
    ("How long is the film, in minutes?", "146", "2 h 26 min"),
)
PROGRAMS = [
    "minutes-diff(find)", "minutes-diff(find)", "seconds-diff(find, find)", "in-minutes(find)",
]  # fmt: skip


def examples(network: Network) -> list[TrainingExample]:
    questions = tuple(
        Question(
            str(index), text, answers=(GoldAnswer(number=number),), evidence=note, type="duration"
        )
        for index, (text, number, note) in enumerate(QUESTIONS)
    )
    passage = Passage("p", TEXT, questions)
    values = read_values(TEXT)
    known = {question.id: supervise(passage, question, values) for question in questions}
    settings = network.recipe.modules
    return make_examples(passage, known, network.tokenizer, settings, use_evidence=True)


@pytest.mark.parametrize("grounding", ["local", "pooled", "tokens"])
def test_loss_falls(grounding: str) -> None:
    recipe = Recipe.read({"name": "tiny", "modules": {"grounding": grounding}})
    tokenizer = tiny_tokenizer(TEXT, *(text for text, _, _ in QUESTIONS))
    encoder = build_encoder(tiny_bert(tokenizer, seed=0), tokenizer, recipe.encoder)
    torch.manual_seed(0)
    network = Network(recipe, encoder, tokenizer)
    batch = examples(network)
    assert [str(example.candidates[0].program) for example in batch] == PROGRAMS
    optimiser = torch.optim.Adam(network.parameters(), lr=0.003)
    losses = []
    for _ in range(25):
        loss = batch_loss(network, batch, recipe.loss)
        losses.append(loss.parts["execution"])
        optimiser.zero_grad()
        loss.total.backward()
        optimiser.step()
    assert losses[-1] < losses[0] / 2
