"""The network's budgets: answering and training beside the bare encoder on the same tokens."""

import sys

import torch
from measure import Row, ratio, show
from texts import network, passages

from workings.answer import attempt
from workings.encoder.inputs import PassageInput, Pieces
from workings.network import Network
from workings.reader import Reader
from workings.settings import LossSettings
from workings.training.examples import Example, make_examples
from workings.training.loss import batch_loss


def bare_pass(net: Network, questions: list[str], text: str) -> None:
    """The encoder's layers on the joint sequences, and nothing else."""
    rows = [_joint(net, question, text) for question in questions]
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    hidden = net.encoder.embeddings(input_ids=ids)
    for layer in net.encoder.layers:
        hidden = layer(hidden, None)
    if torch.is_grad_enabled():
        hidden.sum().backward()


def _joint(net: Network, question: str, text: str) -> list[int]:
    first, second = (
        net.tokenizer.encode(part, add_special_tokens=False) for part in (question, text)
    )
    return [0, *first.ids, 0, *second.ids, 0]


def answering(net: Network) -> list[Row]:
    made = passages(1)[0].passage
    questions = [question.text for question in made.questions]
    reader = Reader(net)
    one, text = questions[0], made.text
    with torch.inference_mode():
        single = ratio(lambda: reader.ask(one, text), lambda: bare_pass(net, [one], text))
        bound = reader.read(text)
        ten = ratio(
            lambda: [bound.ask(question) for question in questions],
            lambda: [bare_pass(net, [question], text) for question in questions],
            rounds=3,
        )
        read, asked = PassageInput.read(text, net.tokenizer), Pieces.cut(one, net.tokenizer)
        encoding = net.encoder([asked], [read])
        rest = ratio(lambda: attempt(net, encoding), lambda: net.encoder([asked], [read]))
    share = rest.middle / (1 + rest.middle)
    limit = 0.5 if net.recipe.encoder.split > len(net.encoder.layers) // 2 else 1.1
    return [
        Row("one question / bare joint pass", str(single), "≤ 1.2", single.middle <= 1.2),
        Row("ten questions, each / bare joint pass", str(ten), f"≤ {limit}", ten.middle <= limit),
        Row("programmer + interpreter share", f"{share:.0%}", "≤ 15 %", share <= 0.15),
    ]


def training(net: Network) -> Row:
    made = passages(1)[0]
    examples: list[Example] = make_examples(
        made.passage, made.supervision, net.tokenizer, narrow=True
    )[:8]
    texts = [example.question.text for example in examples]
    trainable = [p.requires_grad for p in net.parameters()]
    for parameter in net.parameters():
        parameter.requires_grad_(True)
    net.train()

    def step() -> None:
        batch_loss(net, examples, LossSettings()).total.backward()

    found = ratio(step, lambda: bare_pass(net, texts, made.passage.text), rounds=5)
    for parameter, was in zip(net.parameters(), trainable, strict=True):
        parameter.requires_grad_(was)
    return Row(
        "training step / bare forward and backward", str(found), "≤ 1.25", found.middle <= 1.25
    )


def main() -> None:
    net = network()
    rows = [*answering(net), training(net)]
    sys.exit(not show(rows))


if __name__ == "__main__":
    main()
