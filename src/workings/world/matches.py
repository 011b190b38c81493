"""Match reports: who scored how, from how far, in which quarter, and how it ended."""

from dataclasses import replace
from fractions import Fraction

from workings.world.page import Fact, Page, Topic
from workings.world.script import Scene, Script
from workings.world.steps import Mention
from workings.world.words import MASCOTS, PLACES, article, in_words

QUARTERS = ("first", "second", "third", "fourth")
WAYS = (
    {"noun": "field goal", "plural": "field goals", "verb": "kick", "past": "kicked"},
    {"noun": "touchdown run", "plural": "touchdown runs", "verb": "make", "past": "made"},
    {"noun": "touchdown pass", "plural": "touchdown passes", "verb": "catch", "past": "caught"},
)

_script = Script("matches")


def write(page: Page) -> list[Topic]:
    """The result, then what was scored, quarter by quarter."""
    stock = page.stock
    teams = {"winner": stock.draw(MASCOTS), "loser": stock.draw(MASCOTS)}
    low, high = sorted((stock.number(9, 45), stock.number(9, 45)))
    ground, crowd = stock.draw(PLACES), f"{stock.number(4000, 90000):,}"
    at = page.tell("results", high=high, low=low, ground=ground, crowd=crowd, **teams)
    sides = (
        Fact(teams[side], Mention(at[side], Fraction(points)), at[side])
        for side, points in (("winner", high), ("loser", low))
    )
    return [
        _script.topic("sides", sides),
        _script.topic("ground", [Fact(ground, Mention(at["ground"]), at["ground"])]),
        *_topics(_tell_plays(page, list(teams.values()))),
    ]


def _tell_plays(page: Page, teams: list[str]) -> dict[str, list[Fact]]:
    """What was scored, by the noun of its way."""
    stock = page.stock
    cast = [(way["noun"], team, stock.person()) for way in WAYS for team in teams]
    # Both kickers score, and come twice as often as the others, as on the field.
    often = (*cast, *cast[:2])
    chosen = stock.shuffled([*cast[:2], *(stock.choose(often) for _ in range(stock.small(3, 7)))])
    quarters = sorted(stock.small(0, 3) for _ in chosen)
    stops = [*(stock.choose((". ", ". ", ", and later ")) for _ in chosen[1:]), ". "]
    plays: dict[str, list[Fact]] = {}
    for (noun, team, player), quarter, stop in zip(chosen, quarters, stops, strict=True):
        slots = {"team": team, "player": player, "quarter": QUARTERS[quarter]}
        plays.setdefault(noun, []).append(_tell_play(page, noun, slots, stop))
        page.aside()
    return plays


def _tell_play(page: Page, noun: str, slots: dict[str, str], stop: str) -> Fact:
    yards = page.stock.number(2, 58)
    words = in_words(yards) if yards < 20 and page.stock.chance(0.3) else str(yards)
    play = f"{words}-yard {noun}"
    at = page.tell(noun, stop, a=article(yards), play=play, **slots)
    traits = {
        "quarter": f"in the {slots['quarter']} quarter",
        "team": f"by the {slots['team']}",
        "player": f"by {slots['player']}",
    }
    name = f"{slots['player']}'s {noun}"
    return Fact(name, Mention(at["play"], Fraction(yards)), at["player"], traits)


def _topics(plays: dict[str, list[Fact]]) -> list[Topic]:
    everything = [fact for facts in plays.values() for fact in facts]
    topics = [_script.topic("named", everything), _script.topic("scorers", _scorers(everything))]
    for way in WAYS:
        noun = way["noun"]
        if facts := plays.get(noun):
            measured = (replace(f, name=f"{f.mention.number}-yard {noun}") for f in facts)
            topics.append(_script.topic("plays", facts, **way))
            topics.append(_script.topic("measured", measured, **way))
    return topics


def _scorers(plays: list[Fact]) -> list[Fact]:
    """Each scorer once, at his first score, with his side."""
    first: dict[str, Fact] = {}
    for fact in sorted(plays, key=lambda fact: fact.who):
        team = fact.traits["team"].removeprefix("by ")
        first.setdefault(fact.traits["player"], replace(fact, traits={"team": f"for {team}"}))
    return list(first.values())


SCENE = Scene(_script, write)
