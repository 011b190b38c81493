"""A page knows where everything it wrote stands."""

from random import Random

from workings.synthetic.passage_writer import PassageWriter
from workings.synthetic.sampler import Sampler


def page(**sentences: list[str]) -> PassageWriter:
    return PassageWriter(Sampler(Random(0), unseen=False), {"asides": [], **sentences})


def test_slots_are_found_where_they_stand() -> None:
    written = page(sale=["{who} sold {what}"])
    written.tell("sale", who="Ann", what="two lamps")
    at = written.tell("sale", who="Bo", what="ten lamps")
    assert written.text == "Ann sold two lamps. Bo sold ten lamps. "
    assert {slot: written.text[slice(*span)] for slot, span in at.items()} == {
        "who": "Bo",
        "what": "ten lamps",
    }


def test_a_sentence_begins_with_a_capital_unless_it_is_joined() -> None:
    written = page(rain=["the rain fell"], sun=["the sun shone"])
    written.tell("rain", ", and then ")
    written.tell("sun")
    written.tell("rain")
    assert written.text == "The rain fell, and then the sun shone. The rain fell. "


def test_asides_come_once_and_only_between_sentences() -> None:
    written = page(asides=["it rained {n} days"], joined=["and"])
    written.tell("joined", " ")
    for _ in range(50):
        written.aside()
    assert written.text == "And "
    written.tell("joined")
    for _ in range(50):
        written.aside()
    assert written.text.count("It rained") == 1
