"""Timeline passages: a war, its battles with dates, leaders and armies, and other events."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import PEOPLES, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

_BATTLES = ("battle", "siege")
_OTHER_EVENTS = ("treaty", "coronation", "fire", "fair")
_ERA_YEARS = 130

_TEMPLATES = SceneTemplates("timelines")


def write_timeline(writer: PassageWriter) -> list[Topic]:
    """Write the war, then its battles and other events in random order."""
    sampler = writer.sampler
    leaders = sampler.person(), sampler.person()
    start = sampler.integer(1300, 1990 - _ERA_YEARS)
    years = (start, start + _ERA_YEARS)
    topics = [_write_war(writer, leaders, start)]
    battles, others = [], []
    are_battles = [True] * sampler.integer(3, 5) + [False] * sampler.integer(1, 3)
    for is_battle in sampler.shuffled(are_battles):
        if is_battle:
            battles.append(_write_battle(writer, sampler.choose(leaders), years))
        else:
            others.append(_write_event(writer, years))
        date = sampler.date(sampler.draw_number(*years))
        writer.maybe_write_distractor(date=sampler.date_text(date))
    topics += [_write_reign(writer), _write_gift(writer, sampler.choose(leaders))]
    return topics + _event_topics(battles, others)


def _write_war(writer: PassageWriter, leaders: tuple[str, str], era: int) -> Topic:
    sampler = writer.sampler
    war = f"{sampler.draw(PEOPLES)} War"
    start = sampler.draw_number(era, era + 60)
    end = sampler.draw_number(start + 2, start + 40)
    first, second = leaders
    spans = writer.write("wars", war=war, start=start, end=end, first=first, second=second)
    mention = Mention(spans["war"], dates=(Date(start), Date(end)))
    return _TEMPLATES.topic("war", [Fact(f"the {war}", mention)])


def _write_reign(writer: PassageWriter) -> Topic:
    king, years = writer.sampler.person(), writer.sampler.draw_number(3, 50)
    spans = writer.write("reigns", king=king, years=writer.sampler.number_text(years))
    return _TEMPLATES.topic("reign", [Fact(king, Mention(spans["king"], Fraction(years)))])


def _write_gift(writer: PassageWriter, leader: str) -> Topic:
    towns = {slot: writer.sampler.draw(PLACES) for slot in "abc"}
    spans = writer.write("gifts", leader=leader, **towns)
    facts = (Fact(town, Mention(spans[slot]), spans[slot]) for slot, town in towns.items())
    return _TEMPLATES.topic("given", facts, leader=leader)


def _write_battle(writer: PassageWriter, leader: str, years: tuple[int, int]) -> Fact:
    sampler = writer.sampler
    event = f"{sampler.choose(_BATTLES)} of {sampler.draw(PLACES)}"
    men = sampler.draw_number(1100, 60000)
    date = sampler.date(sampler.draw_number(*years))
    when = sampler.date_phrase(date)
    spans = writer.write("fights", event=event, leader=leader, men=f"{men:,} men", when=when)
    mention = Mention(spans["event"], Fraction(men), (date,))
    return Fact(f"the {event}", mention, spans["leader"], {"leader": f"by {leader}"})


def _write_event(writer: PassageWriter, years: tuple[int, int]) -> Fact:
    sampler = writer.sampler
    event = f"{sampler.choose(_OTHER_EVENTS)} of {sampler.draw(PLACES)}"
    date = sampler.date(sampler.draw_number(*years))
    span = writer.write("deeds", when=sampler.date_phrase(date), event=event)["event"]
    return Fact(f"the {event}", Mention(span, dates=(date,)), span)


def _event_topics(battles: Sequence[Fact], others: Sequence[Fact]) -> list[Topic]:
    fought = [replace(fact, argument=fact.mention.span) for fact in battles]
    events = [*fought, *others]
    years = (replace(fact, name=str(fact.mention.dates[0].year)) for fact in events)
    return [
        _TEMPLATES.topic("armies", battles),
        _TEMPLATES.topic("fought", fought),
        _TEMPLATES.topic("events", events),
        _TEMPLATES.topic("years", years),
    ]


SCENE = Scene(_TEMPLATES, write_timeline)
