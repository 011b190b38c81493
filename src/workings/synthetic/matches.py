"""Match reports: players, teams, quarters, distances and the final score."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import MASCOTS, PLACES, article, in_words
from workings.synthetic.templates import Scene, SceneTemplates

_QUARTERS = ("first", "second", "third", "fourth")
_PLAY_TYPES = (
    {"noun": "field goal", "plural": "field goals", "verb": "kick", "past": "kicked"},
    {"noun": "touchdown run", "plural": "touchdown runs", "verb": "make", "past": "made"},
    {"noun": "touchdown pass", "plural": "touchdown passes", "verb": "catch", "past": "caught"},
)

_TEMPLATES = SceneTemplates("matches")


def write_match(writer: PassageWriter) -> list[Topic]:
    """Write the result, then the plays, quarter by quarter."""
    sampler = writer.sampler
    teams = {"winner": sampler.draw(MASCOTS), "loser": sampler.draw(MASCOTS)}
    low, high = sorted((sampler.draw_number(9, 45), sampler.draw_number(9, 45)))
    ground, crowd = sampler.draw(PLACES), f"{sampler.draw_number(4000, 90000):,}"
    spans = writer.write("results", high=high, low=low, ground=ground, crowd=crowd, **teams)
    sides = (
        Fact(teams[side], Mention(spans[side], Fraction(points)), spans[side])
        for side, points in (("winner", high), ("loser", low))
    )
    return [
        _TEMPLATES.topic("sides", sides),
        _TEMPLATES.topic("ground", [Fact(ground, Mention(spans["ground"]), spans["ground"])]),
        *_play_topics(_write_plays(writer, list(teams.values()))),
    ]


def _write_plays(writer: PassageWriter, teams: list[str]) -> dict[str, list[Fact]]:
    """Write the plays; returns them by the noun of their type."""
    sampler = writer.sampler
    cast = [(play["noun"], team, sampler.person()) for play in _PLAY_TYPES for team in teams]
    # Both kickers score, and twice as often as the others, as in real games.
    weighted = (*cast, *cast[:2])
    chosen = sampler.shuffled(
        [*cast[:2], *(sampler.choose(weighted) for _ in range(sampler.integer(3, 7)))]
    )
    quarters = sorted(sampler.integer(0, 3) for _ in chosen)
    ends = [*(sampler.choose((". ", ". ", ", and later ")) for _ in chosen[1:]), ". "]
    plays: dict[str, list[Fact]] = {}
    for (noun, team, player), quarter, end in zip(chosen, quarters, ends, strict=True):
        slots = {"team": team, "player": player, "quarter": _QUARTERS[quarter]}
        plays.setdefault(noun, []).append(_write_play(writer, noun, slots, end))
        writer.maybe_write_distractor()
    return plays


def _write_play(writer: PassageWriter, noun: str, slots: dict[str, str], end: str) -> Fact:
    yards = writer.sampler.draw_number(2, 58)
    words = in_words(yards) if yards < 20 and writer.sampler.chance(0.3) else str(yards)
    play = f"{words}-yard {noun}"
    spans = writer.write(noun, end, a=article(yards), play=play, **slots)
    traits = {
        "quarter": f"in the {slots['quarter']} quarter",
        "team": f"by the {slots['team']}",
        "player": f"by {slots['player']}",
    }
    name = f"{slots['player']}'s {noun}"
    return Fact(name, Mention(spans["play"], Fraction(yards)), spans["player"], traits)


def _play_topics(plays: dict[str, list[Fact]]) -> list[Topic]:
    every = [fact for facts in plays.values() for fact in facts]
    topics = [_TEMPLATES.topic("named", every), _TEMPLATES.topic("scorers", _scorers(every))]
    for play in _PLAY_TYPES:
        noun = play["noun"]
        if facts := plays.get(noun):
            measured = (replace(f, name=f"{f.mention.number}-yard {noun}") for f in facts)
            topics.append(_TEMPLATES.topic("plays", facts, **play))
            topics.append(_TEMPLATES.topic("measured", measured, **play))
    return topics


def _scorers(plays: list[Fact]) -> list[Fact]:
    """Each scorer once, at the first mention, with the team as the only trait."""
    first: dict[str, Fact] = {}
    for fact in sorted(plays, key=lambda fact: fact.argument):
        team = fact.traits["team"].removeprefix("by ")
        first.setdefault(fact.traits["player"], replace(fact, traits={"team": f"for {team}"}))
    return list(first.values())


SCENE = Scene(_TEMPLATES, write_match)
