"""Small peers for tests, and a question of each answer type for them."""

from fractions import Fraction

from tiny import QUESTION, tiny_bert, tiny_tokenizer
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder
from workings.peers import NAQANet, make_model
from workings.settings import Recipe
from workings.supervision.derivation import Supervision

NAMES = ("naqanet", "numnet")
PASSAGE = (
    "Ada kicked a field goal of 24 yards; Ben Okafor answered with 31 and 47. "
    "The club was founded on 3 May 1901."
)
NO_NUMBERS = "Ada kicked well."


def small_peer(model: str, **peer: object) -> NAQANet:
    recipe = Recipe.read({"model": model, "peer": peer, "encoder": {"dropout": 0.0}})
    tokenizer = tiny_tokenizer(PASSAGE, QUESTION, NO_NUMBERS)
    encoder = build_encoder(tiny_bert(tokenizer), tokenizer, recipe.encoder)
    made = make_model(recipe, encoder, tokenizer)
    assert isinstance(made, NAQANet)
    return made.eval()


def read(peer: NAQANet, *passages: str, question: str = QUESTION) -> Encoding:
    """Encode the same question with each passage."""
    tokens = TokenizedText.tokenize(question, peer.tokenizer)
    inputs = [PassageInput.from_text(text, peer.tokenizer) for text in passages]
    return peer.read([tokens] * len(inputs), inputs)


def characters(text: str, phrase: str) -> tuple[int, int]:
    start = text.index(phrase)
    return start, start + len(phrase)


# One answer of each type (23 is 47 - 24), and one that no head can give.
IN_PASSAGE = Supervision(spans=(characters(PASSAGE, "Ben Okafor"),))
IN_QUESTION = Supervision(question_spans=(characters(QUESTION, "field goal"),))
A_SUM = Supervision(numbers=(Fraction(23),))
A_COUNT = Supervision(numbers=(Fraction(2),))
UNKNOWN = Supervision(numbers=(Fraction(987654),))
