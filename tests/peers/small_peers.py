"""Peers small enough for tests, and questions of each type for them."""

from fractions import Fraction

from tiny import QUESTION, tiny_bert, tiny_tokenizer
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder
from workings.peers import NAQANet, make_model
from workings.settings import Recipe
from workings.supervision.supervise import Supervision

NAMES = ("naqanet", "numnet")
PASSAGE = (
    "Ada kicked a field goal of 24 yards; Ben Okafor answered with 31 and 47. "
    "The club was founded on 3 May 1901."
)
BARE = "Ada kicked well."  # a passage without a number


def small_peer(model: str, **peer: object) -> NAQANet:
    recipe = Recipe.read({"model": model, "peer": peer, "encoder": {"dropout": 0.0}})
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION, BARE)
    encoder = build_encoder(tiny_bert(tokenizer), tokenizer, recipe.encoder)
    made = make_model(recipe, encoder, tokenizer)
    assert isinstance(made, NAQANet)
    return made.eval()


def read(peer: NAQANet, *passages: str, question: str = QUESTION) -> Encoding:
    """The same question over each passage."""
    pieces = TokenizedText.cut(question, peer.tokenizer)
    inputs = [PassageInput.read(text, peer.tokenizer) for text in passages]
    return peer.read([pieces] * len(inputs), inputs)


def place(text: str, phrase: str) -> tuple[int, int]:
    start = text.index(phrase)
    return start, start + len(phrase)


# One answer of each type, by what is known of it (23 is 47 - 24).
IN_PASSAGE = Supervision(spans=(place(PASSAGE, "Ben Okafor"),))
IN_QUESTION = Supervision(question_spans=(place(QUESTION, "field goal"),))
A_SUM = Supervision(numbers=(Fraction(23),))
A_COUNT = Supervision(numbers=(Fraction(2),))
UNKNOWN = Supervision(numbers=(Fraction(987654),))
