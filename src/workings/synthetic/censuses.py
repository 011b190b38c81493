"""Census passages: towns with people and households, and shares of ethnic groups."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import PEOPLES, PLACES, TRADES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import format_number

_LANDS = ("on the coast", "in the hills", "by the river")

_TEMPLATES = SceneTemplates("censuses")


def write_census(writer: PassageWriter) -> list[Topic]:
    """Write the district, then its towns and its groups, either first."""
    sampler = writer.sampler
    district, trade = sampler.draw(PLACES), sampler.draw(TRADES)
    year = sampler.draw_number(1780, 1990)
    spans = writer.write("openings", year=year, district=district, trade=trade)
    livelihood = Fact(district, Mention(spans["trade"]), spans["trade"])
    parts = sampler.shuffled((_write_towns, _write_groups))
    topics = [topic for write_part in parts for topic in write_part(writer)]
    return [_TEMPLATES.topic("district", [livelihood]), *topics]


def _write_towns(writer: PassageWriter) -> list[Topic]:
    sampler = writer.sampler
    towns, homes = [], []
    for _ in range(sampler.integer(3, 5)):
        name, land = sampler.draw(PLACES), sampler.choose(_LANDS)
        people, households = sampler.draw_number(3100, 90000), sampler.draw_number(200, 2900)
        slots = {"people": f"{people:,}", "households": f"{households:,} households"}
        spans = writer.write("towns", town=name, land=land, **slots)
        writer.maybe_write_distractor(
            year=sampler.draw_number(1500, 1779), old=f"{sampler.draw_number(1100, 3000):,}"
        )
        town = Fact(name, Mention(spans["town"], Fraction(people)), spans["town"], {"land": land})
        towns.append(town)
        homes.append(replace(town, mention=Mention(spans["households"], Fraction(households))))
    charters = [_write_charter(writer, town.name) for town in sampler.sample(towns, 3)]
    return [
        _TEMPLATES.topic("people", towns),
        _TEMPLATES.topic("households", homes),
        _TEMPLATES.topic("charters", charters),
    ]


def _write_charter(writer: PassageWriter, town: str) -> Fact:
    sampler = writer.sampler
    date = sampler.date(sampler.draw_number(1500, 1779))
    charter, when = f"charter of {town}", sampler.date_phrase(date)
    span = writer.write("charters", charter=charter, when=when)["charter"]
    return Fact(f"the {charter}", Mention(span, dates=(date,)), span)


def _write_groups(writer: PassageWriter) -> list[Topic]:
    sampler = writer.sampler
    groups = []
    for is_last in (*[False] * sampler.integer(2, 3), True):
        name, share = sampler.draw(PEOPLES), Fraction(sampler.draw_number(15, 240), 10)
        end = ", while " if not is_last and sampler.chance(0.4) else ". "
        span = writer.write("shares", end, group=name, share=format_number(share))["group"]
        groups.append(Fact(name, Mention(span, share), span))
    return [_TEMPLATES.topic("groups", groups)]


SCENE = Scene(_TEMPLATES, write_census)
