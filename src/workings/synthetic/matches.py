"""Match reports: who scored how, from how far, in which quarter, and how it ended."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import MASCOTS, PLACES, article, in_words
from workings.synthetic.templates import Scene, SceneTemplates

QUARTERS = ("first", "second", "third", "fourth")
WAYS = (
    {"noun": "field goal", "plural": "field goals", "verb": "kick", "past": "kicked"},
    {"noun": "touchdown run", "plural": "touchdown runs", "verb": "make", "past": "made"},
    {"noun": "touchdown pass", "plural": "touchdown passes", "verb": "catch", "past": "caught"},
)

_script = SceneTemplates("matches")


def write(page: PassageWriter) -> list[Topic]:
    """The result, then what was scored, quarter by quarter."""
    sampler = page.sampler
    teams = {"winner": sampler.draw(MASCOTS), "loser": sampler.draw(MASCOTS)}
    low, high = sorted((sampler.number(9, 45), sampler.number(9, 45)))
    ground, crowd = sampler.draw(PLACES), f"{sampler.number(4000, 90000):,}"
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


def _tell_plays(page: PassageWriter, teams: list[str]) -> dict[str, list[Fact]]:
    """What was scored, by the noun of its way."""
    sampler = page.sampler
    cast = [(way["noun"], team, sampler.person()) for way in WAYS for team in teams]
    # Both kickers score, and come twice as often as the others, as on the field.
    often = (*cast, *cast[:2])
    chosen = sampler.shuffled(
        [*cast[:2], *(sampler.choose(often) for _ in range(sampler.small(3, 7)))]
    )
    quarters = sorted(sampler.small(0, 3) for _ in chosen)
    stops = [*(sampler.choose((". ", ". ", ", and later ")) for _ in chosen[1:]), ". "]
    plays: dict[str, list[Fact]] = {}
    for (noun, team, player), quarter, stop in zip(chosen, quarters, stops, strict=True):
        slots = {"team": team, "player": player, "quarter": QUARTERS[quarter]}
        plays.setdefault(noun, []).append(_tell_play(page, noun, slots, stop))
        page.aside()
    return plays


def _tell_play(page: PassageWriter, noun: str, slots: dict[str, str], stop: str) -> Fact:
    yards = page.sampler.number(2, 58)
    words = in_words(yards) if yards < 20 and page.sampler.chance(0.3) else str(yards)
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
