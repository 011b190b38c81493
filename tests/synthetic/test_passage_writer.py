"""Sentences of the passage writer and the spans of their slots."""

from random import Random

from workings.synthetic.passage_writer import PassageWriter
from workings.synthetic.sampler import Sampler


def new_writer(**sentences: list[str]) -> PassageWriter:
    return PassageWriter(Sampler(Random(0), unseen=False), {"distractors": [], **sentences})


def test_spans_of_slots() -> None:
    writer = new_writer(sale=["{who} sold {what}"])
    writer.write("sale", who="Ann", what="two lamps")
    spans = writer.write("sale", who="Bo", what="ten lamps")
    assert writer.text == "Ann sold two lamps. Bo sold ten lamps. "
    assert {slot: writer.text[slice(*span)] for slot, span in spans.items()} == {
        "who": "Bo",
        "what": "ten lamps",
    }


def test_joined_sentences_have_no_capital() -> None:
    writer = new_writer(rain=["the rain fell"], sun=["the sun shone"])
    writer.write("rain", ", and then ")
    writer.write("sun")
    writer.write("rain")
    assert writer.text == "The rain fell, and then the sun shone. The rain fell. "


def test_distractors_occur_once_and_only_between_sentences() -> None:
    writer = new_writer(distractors=["it rained {n} days"], joined=["and"])
    writer.write("joined", " ")
    for _ in range(50):
        writer.maybe_write_distractor()
    assert writer.text == "And "
    writer.write("joined")
    for _ in range(50):
        writer.maybe_write_distractor()
    assert writer.text.count("It rained") == 1
