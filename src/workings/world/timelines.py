"""Timelines: a war, its battles with dates, leaders and armies, and what else happened then."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from workings.values import Date
from workings.world.page import Fact, Page, Topic
from workings.world.script import Scene, Script
from workings.world.steps import Mention
from workings.world.words import PEOPLES, PLACES

FIGHTS = ("battle", "siege")
DEEDS = ("treaty", "coronation", "fire", "fair")
ERA = 130

_script = Script("timelines")


def write(page: Page) -> list[Topic]:
    """The war, then its fights and other events in any order."""
    stock = page.stock
    leaders = stock.person(), stock.person()
    start = stock.small(1300, 1990 - ERA)
    years = (start, start + ERA)
    topics = [_tell_war(page, leaders, start)]
    fights, deeds = [], []
    for fight in stock.shuffled([True] * stock.small(3, 5) + [False] * stock.small(1, 3)):
        if fight:
            fights.append(_tell_fight(page, stock.choose(leaders), years))
        else:
            deeds.append(_tell_deed(page, years))
        page.aside(date=stock.dated(stock.date(stock.number(*years))))
    topics += [_tell_reign(page), _tell_gift(page, stock.choose(leaders))]
    return topics + _topics(fights, deeds)


def _tell_war(page: Page, leaders: tuple[str, str], era: int) -> Topic:
    stock = page.stock
    war = f"{stock.draw(PEOPLES)} War"
    start = stock.number(era, era + 60)
    end = stock.number(start + 2, start + 40)
    at = page.tell("wars", war=war, start=start, end=end, first=leaders[0], second=leaders[1])
    return _script.topic(
        "war", [Fact(f"the {war}", Mention(at["war"], dates=(Date(start), Date(end))))]
    )


def _tell_reign(page: Page) -> Topic:
    king, years = page.stock.person(), page.stock.number(3, 50)
    at = page.tell("reigns", king=king, years=page.stock.said(years))
    return _script.topic("reign", [Fact(king, Mention(at["king"], Fraction(years)))])


def _tell_gift(page: Page, leader: str) -> Topic:
    towns = {slot: page.stock.draw(PLACES) for slot in "abc"}
    at = page.tell("gifts", leader=leader, **towns)
    facts = (Fact(town, Mention(at[slot]), at[slot]) for slot, town in towns.items())
    return _script.topic("given", facts, leader=leader)


def _tell_fight(page: Page, leader: str, years: tuple[int, int]) -> Fact:
    stock = page.stock
    event, men = f"{stock.choose(FIGHTS)} of {stock.draw(PLACES)}", stock.number(1100, 60000)
    date = stock.date(stock.number(*years))
    when = stock.when(date)
    at = page.tell("fights", event=event, leader=leader, men=f"{men:,} men", when=when)
    mention = Mention(at["event"], Fraction(men), (date,))
    return Fact(f"the {event}", mention, at["leader"], {"leader": f"by {leader}"})


def _tell_deed(page: Page, years: tuple[int, int]) -> Fact:
    stock = page.stock
    event = f"{stock.choose(DEEDS)} of {stock.draw(PLACES)}"
    date = stock.date(stock.number(*years))
    at = page.tell("deeds", when=stock.when(date), event=event)
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
