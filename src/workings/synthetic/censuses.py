"""Censuses: towns with their people and households, and the shares of the peoples among them."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import PEOPLES, PLACES, TRADES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import format_number

LANDS = ("on the coast", "in the hills", "by the river")

_script = SceneTemplates("censuses")


def write(page: PassageWriter) -> list[Topic]:
    """The district, then its towns and the shares of its peoples, either first."""
    sampler = page.sampler
    district, trade = sampler.draw(PLACES), sampler.draw(TRADES)
    year = sampler.number(1780, 1990)
    at = page.tell("openings", year=year, district=district, trade=trade)
    livelihood = Fact(district, Mention(at["trade"]), at["trade"])
    parts = sampler.shuffled((_tell_towns, _tell_groups))
    topics = [topic for part in parts for topic in part(page)]
    return [_script.topic("district", [livelihood]), *topics]


def _tell_towns(page: PassageWriter) -> list[Topic]:
    sampler = page.sampler
    towns, homes = [], []
    for _ in range(sampler.small(3, 5)):
        name, land = sampler.draw(PLACES), sampler.choose(LANDS)
        people, households = sampler.number(3100, 90000), sampler.number(200, 2900)
        slots = {"people": f"{people:,}", "households": f"{households:,} households"}
        at = page.tell("towns", town=name, land=land, **slots)
        page.aside(year=sampler.number(1500, 1779), old=f"{sampler.number(1100, 3000):,}")
        town = Fact(name, Mention(at["town"], Fraction(people)), at["town"], {"land": land})
        towns.append(town)
        homes.append(replace(town, mention=Mention(at["households"], Fraction(households))))
    charters = [_tell_charter(page, town.name) for town in sampler.sample(towns, 3)]
    return [
        _script.topic("people", towns),
        _script.topic("households", homes),
        _script.topic("charters", charters),
    ]


def _tell_charter(page: PassageWriter, town: str) -> Fact:
    date = page.sampler.date(page.sampler.number(1500, 1779))
    at = page.tell("charters", charter=f"charter of {town}", when=page.sampler.when(date))
    return Fact(f"the charter of {town}", Mention(at["charter"], dates=(date,)), at["charter"])


def _tell_groups(page: PassageWriter) -> list[Topic]:
    sampler = page.sampler
    groups = []
    for last in (*[False] * sampler.small(2, 3), True):
        name, share = sampler.draw(PEOPLES), Fraction(sampler.number(15, 240), 10)
        stop = ", while " if not last and sampler.chance(0.4) else ". "
        at = page.tell("shares", stop, group=name, share=format_number(share))
        groups.append(Fact(name, Mention(at["group"], share), at["group"]))
    return [_script.topic("groups", groups)]


SCENE = Scene(_script, write)
