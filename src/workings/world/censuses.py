"""Censuses: towns with their people and households, and the shares of the peoples among them."""

from dataclasses import replace
from fractions import Fraction

from workings.values import format_number
from workings.world.page import Fact, Page, Topic
from workings.world.script import Scene, Script
from workings.world.steps import Mention
from workings.world.words import PEOPLES, PLACES, TRADES

LANDS = ("on the coast", "in the hills", "by the river")

_script = Script("censuses")


def write(page: Page) -> list[Topic]:
    """The district, then its towns and the shares of its peoples, either first."""
    stock = page.stock
    district, trade = stock.draw(PLACES), stock.draw(TRADES)
    year = stock.number(1780, 1990)
    at = page.tell("openings", year=year, district=district, trade=trade)
    livelihood = Fact(district, Mention(at["trade"]), at["trade"])
    parts = stock.shuffled((_tell_towns, _tell_groups))
    topics = [topic for part in parts for topic in part(page)]
    return [_script.topic("district", [livelihood]), *topics]


def _tell_towns(page: Page) -> list[Topic]:
    stock = page.stock
    towns, homes = [], []
    for _ in range(stock.small(3, 5)):
        name, land = stock.draw(PLACES), stock.choose(LANDS)
        people, households = stock.number(3100, 90000), stock.number(200, 2900)
        slots = {"people": f"{people:,}", "households": f"{households:,} households"}
        at = page.tell("towns", town=name, land=land, **slots)
        page.aside(year=stock.number(1500, 1779), old=f"{stock.number(1100, 3000):,}")
        town = Fact(name, Mention(at["town"], Fraction(people)), at["town"], {"land": land})
        towns.append(town)
        homes.append(replace(town, mention=Mention(at["households"], Fraction(households))))
    charters = [_tell_charter(page, town.name) for town in stock.sample(towns, 3)]
    return [
        _script.topic("people", towns),
        _script.topic("households", homes),
        _script.topic("charters", charters),
    ]


def _tell_charter(page: Page, town: str) -> Fact:
    date = page.stock.date(page.stock.number(1500, 1779))
    at = page.tell("charters", charter=f"charter of {town}", when=page.stock.when(date))
    return Fact(f"the charter of {town}", Mention(at["charter"], dates=(date,)), at["charter"])


def _tell_groups(page: Page) -> list[Topic]:
    stock = page.stock
    groups = []
    for last in (*[False] * stock.small(2, 3), True):
        name, share = stock.draw(PEOPLES), Fraction(stock.number(15, 240), 10)
        stop = ", while " if not last and stock.chance(0.4) else ". "
        at = page.tell("shares", stop, group=name, share=format_number(share))
        groups.append(Fact(name, Mention(at["group"], share), at["group"]))
    return [_script.topic("groups", groups)]


SCENE = Scene(_script, write)
