"""Timelines: a war, its battles with dates, leaders and armies, and what else happened then."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import PEOPLES, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

FIGHTS = ("battle", "siege")
DEEDS = ("treaty", "coronation", "fire", "fair")
ERA = 130

_script = SceneTemplates("timelines")


def write(page: PassageWriter) -> list[Topic]:
    """The war, then its fights and other events in any order."""
    sampler = page.sampler
    leaders = sampler.person(), sampler.person()
    start = sampler.small(1300, 1990 - ERA)
    years = (start, start + ERA)
    topics = [_tell_war(page, leaders, start)]
    fights, deeds = [], []
    for fight in sampler.shuffled([True] * sampler.small(3, 5) + [False] * sampler.small(1, 3)):
        if fight:
            fights.append(_tell_fight(page, sampler.choose(leaders), years))
        else:
            deeds.append(_tell_deed(page, years))
        page.aside(date=sampler.dated(sampler.date(sampler.number(*years))))
    topics += [_tell_reign(page), _tell_gift(page, sampler.choose(leaders))]
    return topics + _topics(fights, deeds)


def _tell_war(page: PassageWriter, leaders: tuple[str, str], era: int) -> Topic:
    sampler = page.sampler
    war = f"{sampler.draw(PEOPLES)} War"
    start = sampler.number(era, era + 60)
    end = sampler.number(start + 2, start + 40)
    at = page.tell("wars", war=war, start=start, end=end, first=leaders[0], second=leaders[1])
    return _script.topic(
        "war", [Fact(f"the {war}", Mention(at["war"], dates=(Date(start), Date(end))))]
    )


def _tell_reign(page: PassageWriter) -> Topic:
    king, years = page.sampler.person(), page.sampler.number(3, 50)
    at = page.tell("reigns", king=king, years=page.sampler.said(years))
    return _script.topic("reign", [Fact(king, Mention(at["king"], Fraction(years)))])


def _tell_gift(page: PassageWriter, leader: str) -> Topic:
    towns = {slot: page.sampler.draw(PLACES) for slot in "abc"}
    at = page.tell("gifts", leader=leader, **towns)
    facts = (Fact(town, Mention(at[slot]), at[slot]) for slot, town in towns.items())
    return _script.topic("given", facts, leader=leader)


def _tell_fight(page: PassageWriter, leader: str, years: tuple[int, int]) -> Fact:
    sampler = page.sampler
    event, men = f"{sampler.choose(FIGHTS)} of {sampler.draw(PLACES)}", sampler.number(1100, 60000)
    date = sampler.date(sampler.number(*years))
    when = sampler.when(date)
    at = page.tell("fights", event=event, leader=leader, men=f"{men:,} men", when=when)
    mention = Mention(at["event"], Fraction(men), (date,))
    return Fact(f"the {event}", mention, at["leader"], {"leader": f"by {leader}"})


def _tell_deed(page: PassageWriter, years: tuple[int, int]) -> Fact:
    sampler = page.sampler
    event = f"{sampler.choose(DEEDS)} of {sampler.draw(PLACES)}"
    date = sampler.date(sampler.number(*years))
    at = page.tell("deeds", when=sampler.when(date), event=event)
    return Fact(f"the {event}", Mention(at["event"], dates=(date,)), at["event"])


def _topics(fights: Sequence[Fact], deeds: Sequence[Fact]) -> list[Topic]:
    fought = [replace(fact, who=fact.mention.span) for fact in fights]
    events = [*fought, *deeds]
    years = (replace(fact, name=str(fact.mention.dates[0].year)) for fact in events)
    return [
        _script.topic("armies", fights),
        _script.topic("fought", fought),
        _script.topic("events", events),
        _script.topic("years", years),
    ]


SCENE = Scene(_script, write)
