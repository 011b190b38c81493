"""Answering and training, against the bare encoder on the same tokens."""

from collections.abc import Iterator, Sequence

import torch
from measure import BenchmarkRow, ratio
from texts import DROP_WORDS, example_groups, passages

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import answer_candidates
from workings.network.network import Network
from workings.reader import Reader
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser

TokenIds = list[int]


def bare_encoder(network: Network, rows: Sequence[TokenIds]) -> torch.Tensor:
    """Run only the encoder's layers on joint sequences, frozen ones without gradients."""
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    positions = torch.arange(width).expand_as(ids)
    frozen = network.recipe.encoder.frozen
    with torch.set_grad_enabled(torch.is_grad_enabled() and not frozen):
        hidden = network.encoder.embeddings(ids, torch.zeros_like(ids), positions)
        for layer in network.encoder.layers[:frozen]:
            hidden = layer(hidden, None)
    for layer in network.encoder.layers[frozen:]:
        hidden = layer(hidden, None)
    return hidden


def joint_ids(question: TokenizedText, passage: PassageInput) -> TokenIds:
    """Question and passage as one sequence, with any ids for the special tokens."""
    return [0, *question.ids, 0, *passage.tokens.ids, 0]


def answering(network: Network, words: int = DROP_WORDS, rounds: int = 9) -> Iterator[BenchmarkRow]:
    """One question, ten questions on one passage, and the share of the part after the encoder."""
    (synthetic,) = passages(1, words)
    reader, text = Reader(network), synthetic.passage.text
    questions = [question.text for question in synthetic.passage.questions]
    passage = PassageInput.from_text(text, network.tokenizer)
    tokens = [TokenizedText.tokenize(question, network.tokenizer) for question in questions]
    ids = [joint_ids(question, passage) for question in tokens]
    with torch.inference_mode():
        single = ratio(
            lambda: reader.ask(questions[0], text), lambda: bare_encoder(network, ids[:1]), rounds
        )
        yield BenchmarkRow.at_most("answering one question / bare joint pass", single, 1.2)
        several = ratio(
            lambda: reader.read(text).ask_many(questions),
            lambda: [bare_encoder(network, [row]) for row in ids],
            max(rounds // 3, 2),
        )
        split, layers = network.recipe.encoder.split, len(network.encoder.layers)
        # A joint model encodes the passage again for every question.
        limit = 0.5 if split > layers // 2 else 1.1
        yield BenchmarkRow.at_most(
            f"{len(ids)} questions on one passage, each / bare pass", several, limit
        )
        encoding = network.encoder(tokens[:1], [passage])
        rest = ratio(
            lambda: answer_candidates(network, encoding),
            lambda: reader.ask(questions[0], text),
            rounds,
        )
        yield BenchmarkRow.at_most("programmer + interpreter / answering", rest, 0.15)


def training(network: Network, words: int = DROP_WORDS, rounds: int = 5) -> Iterator[BenchmarkRow]:
    """A complete optimiser step, with as many groups of questions as the recipe has."""
    recipe = network.recipe
    groups = list(example_groups(network.tokenizer, recipe.train.groups_per_step, words))
    ids = [[joint_ids(example.tokens, example.passage) for example in group] for group in groups]
    optimiser = Optimiser(network.train(), recipe.train, steps=1000)

    def step() -> None:
        for group in groups:
            batch_loss(network, group, recipe.loss).total.backward()
            for example in group:  # as in training
                example.passage.clear_cache()
        optimiser.step(0)

    def reference() -> None:
        for group in ids:
            bare_encoder(network, group).sum().backward()
        optimiser.adam.zero_grad()

    def bf16_step() -> None:
        network.encoder.set_precision("bf16")
        step()
        network.encoder.set_precision("no")

    yield BenchmarkRow.at_most(
        "training step / bare forward + backward", ratio(step, reference, rounds), 1.25
    )
    yield BenchmarkRow(
        "training step in bfloat16 / in float32", str(ratio(bf16_step, step, rounds))
    )
    network.eval()
