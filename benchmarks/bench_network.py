"""Answering and training beside the bare encoder on the same tokens."""

from collections.abc import Iterator, Sequence

import torch
from measure import Row, ratio
from texts import DROP_WORDS, groups, passages

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import answer_candidates
from workings.network.network import Network
from workings.reader import Reader
from workings.training.loss import batch_loss
from workings.training.optimiser import Optimiser

Ids = list[int]


def bare(net: Network, rows: Sequence[Ids]) -> torch.Tensor:
    """The encoder's layers on joint sequences, and nothing else; frozen ones without gradients."""
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    frozen = net.recipe.encoder.frozen
    with torch.set_grad_enabled(torch.is_grad_enabled() and not frozen):
        hidden = net.encoder.embeddings(input_ids=ids)
        for layer in net.encoder.layers[:frozen]:
            hidden = layer(hidden, None)
    for layer in net.encoder.layers[frozen:]:
        hidden = layer(hidden, None)
    return hidden


def joint(question: TokenizedText, passage: PassageInput) -> Ids:
    return [0, *question.ids, 0, *passage.tokens.ids, 0]


def answering(net: Network, words: int = DROP_WORDS, rounds: int = 9) -> Iterator[Row]:
    (made,) = passages(1, words)
    reader, text = Reader(net), made.passage.text
    questions = [question.text for question in made.passage.questions]
    read = PassageInput.read(text, net.tokenizer)
    cut = [TokenizedText.cut(question, net.tokenizer) for question in questions]
    ids = [joint(one, read) for one in cut]
    with torch.inference_mode():
        one = ratio(lambda: reader.ask(questions[0], text), lambda: bare(net, ids[:1]), rounds)
        yield Row.at_most("answering one question / bare joint pass", one, 1.2)
        ten = ratio(
            lambda: reader.read(text).ask_many(questions),
            lambda: [bare(net, [row]) for row in ids],
            max(rounds // 3, 2),
        )
        split, layers = net.recipe.encoder.split, len(net.encoder.layers)
        # A model that reads jointly reads its passage anew for every question.
        limit = 0.5 if split > layers // 2 else 1.1
        yield Row.at_most(f"{len(ids)} questions on one passage, each / bare pass", ten, limit)
        encoding = net.encoder(cut[:1], [read])
        rest = ratio(
            lambda: answer_candidates(net, encoding), lambda: reader.ask(questions[0], text), rounds
        )
        yield Row.at_most("programmer + interpreter / answering", rest, 0.15)


def training(net: Network, words: int = DROP_WORDS, rounds: int = 5) -> Iterator[Row]:
    """A whole step of the optimiser, from as many groups of questions as the recipe says."""
    recipe = net.recipe
    some = list(groups(net.tokenizer, recipe.train.accumulate, words))
    ids = [[joint(one.tokens, one.passage) for one in group] for group in some]
    optimiser = Optimiser(net.train(), recipe.train, steps=1000)

    def step() -> None:
        for group in some:
            batch_loss(net, group, recipe.loss).total.backward()
            for example in group:  # as training does, to keep its memory
                example.passage.forget()
        optimiser.step(0)

    def reference() -> None:
        for group in ids:
            bare(net, group).sum().backward()
        optimiser.adam.zero_grad()

    def rounded() -> None:
        net.encoder.bf16 = True
        step()
        net.encoder.bf16 = False

    yield Row.at_most(
        "training step / bare forward + backward", ratio(step, reference, rounds), 1.25
    )
    yield Row("training step in bfloat16 / in full", str(ratio(rounded, step, rounds)))
    net.eval()
