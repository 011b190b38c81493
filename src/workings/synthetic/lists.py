"""Lists: short passages in which one person buys or sells several things, with prices or days."""

from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import ITEMS, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

_TEMPLATES = SceneTemplates("lists")


def write_list(writer: PassageWriter) -> list[Topic]:
    """Write the prices of some things, and often the days of some visits."""
    sampler = writer.sampler
    topics = [_write_prices(writer)]
    writer.maybe_write_distractor()
    if sampler.chance(0.5):
        topics.append(_write_visits(writer))
    return topics


def _write_prices(writer: PassageWriter) -> Topic:
    """Write one sentence with three to six things and their prices."""
    sampler = writer.sampler
    person = sampler.person()
    writer.write("openings", " ", person=person, place=sampler.draw(PLACES))
    size = sampler.integer(3, 6)
    ends = [*[", "] * (size - 2), " and ", ". "]
    facts = []
    for end in ends:
        item, price = sampler.draw(ITEMS), sampler.draw_number(2, 95)
        spans = writer.write("prices", end, item=item, price=price)
        facts.append(Fact(item, Mention(spans["price"], Fraction(price)), spans["item"]))
    return _TEMPLATES.topic("prices", facts, person=person)


def _write_visits(writer: PassageWriter) -> Topic:
    """Write two or three visits with their dates, in one year."""
    sampler = writer.sampler
    facts = []
    for month in sampler.sample(range(1, 13), sampler.integer(2, 3)):
        date, place = Date(None, month, sampler.integer(1, 28)), sampler.draw(PLACES)
        visit = f"visit to {place}"
        spans = writer.write("visits", visit=visit, when=sampler.date_phrase(date))
        mention = Mention(spans["visit"], dates=(date,))
        facts.append(Fact(f"the {visit}", mention, spans["visit"]))
    return _TEMPLATES.topic("visits", facts)


SCENE = Scene(_TEMPLATES, write_list)
