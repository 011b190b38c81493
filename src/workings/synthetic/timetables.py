"""Timetable passages: trips, opening hours, laps and shows, with clock times and durations."""

from collections.abc import Callable
from dataclasses import replace

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import ITEMS, PLACES, Sampler
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import CharSpan, Timing, read_values

_VEHICLES = ("ferry", "bus", "train", "coach")
_SHOWS = ("play", "concert", "lecture", "film")
_HOUR, _DAY = 60, 24 * 60

_TEMPLATES = SceneTemplates("timetables")

# A fact before its times are known, with the spans that state them.
_Draft = tuple[Fact, tuple[CharSpan, ...]]


def write_timetable(writer: PassageWriter) -> list[Topic]:
    """Write some trips, opening hours, laps and shows in random order."""
    sampler = writer.sampler
    write_time = sampler.choose((_on_full_day, _on_half_day))
    drafts: dict[str, list[_Draft]] = {topic: [] for topic in _WRITERS}
    chosen = [topic for topic in _WRITERS for _ in range(sampler.integer(1, 2))]
    for topic in sampler.shuffled([*chosen, "trip", "lap"]):
        drafts[topic].append(_WRITERS[topic](writer, write_time))
    timings = {mention.start: mention.timing for mention in read_values(writer.text).timings}
    facts = {
        topic: [_timed(fact, spans, timings) for fact, spans in drafted]
        for topic, drafted in drafts.items()
    }
    starts = [_at_start(fact) for fact in facts["trip"]]
    topics = [_TEMPLATES.topic(name, members) for name, members in facts.items()]
    return [*topics, _TEMPLATES.topic("start", starts)]


def _timed(fact: Fact, spans: tuple[CharSpan, ...], timings: dict[int, Timing]) -> Fact:
    """Add the times as they are read from the whole passage, the end before the start."""
    found = tuple(timings[start] for start, _ in spans)
    return replace(fact, mention=replace(fact.mention, timings=found))


def _at_start(trip: Fact) -> Fact:
    """A trip with its start alone."""
    return replace(trip, mention=replace(trip.mention, timings=trip.mention.timings[1:]))


def _on_full_day(minute: int) -> str:
    return f"{minute // _HOUR}:{minute % _HOUR:02d}"


def _on_half_day(minute: int) -> str:
    hour = minute // _HOUR
    return f"{hour % 12 or 12}:{minute % _HOUR:02d} {'pm' if hour >= 12 else 'am'}"


_WriteTime = Callable[[int], str]


def _write_trip(writer: PassageWriter, write_time: _WriteTime) -> _Draft:
    """A trip, which may end after midnight."""
    sampler = writer.sampler
    trip = f"{sampler.choose(_VEHICLES)} to {sampler.draw(PLACES)}"
    start = sampler.integer(_DAY // 2 + _HOUR, _DAY - 1)
    end = (start + sampler.integer(5, 600)) % _DAY
    times = {"start": write_time(start), "end": write_time(end)}
    spans = writer.write("trips", trip=trip, **times)
    return Fact(f"the {trip}", Mention(spans["trip"])), (spans["end"], spans["start"])


def _write_opening(writer: PassageWriter, write_time: _WriteTime) -> _Draft:
    """The opening hours of a shop, in quarters of an hour."""
    sampler = writer.sampler
    shop = f"shop for {sampler.draw(ITEMS)}"
    start, length = 15 * sampler.integer(24, 44), 15 * sampler.integer(4, 38)
    times = {"start": write_time(start), "end": write_time(start + length)}
    spans = writer.write("shops", shop=shop, **times)
    return Fact(f"the {shop}", Mention(spans["shop"])), (spans["end"], spans["start"])


def _write_lap(writer: PassageWriter, _: _WriteTime) -> _Draft:
    """The time of a runner, in tenths of a second."""
    sampler = writer.sampler
    person, tenths = sampler.person(), sampler.integer(1250, 2990)
    time = f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"
    spans = writer.write("laps", person=person, time=time)
    return Fact(person, Mention(spans["person"])), (spans["time"],)


def _write_show(writer: PassageWriter, _: _WriteTime) -> _Draft:
    """The length of a show in hours and minutes."""
    sampler = writer.sampler
    show = f"{sampler.choose(_SHOWS)} of {sampler.draw(PLACES)}"
    length = _length(sampler)
    spans = writer.write("shows", show=show, length=length)
    return Fact(f"the {show}", Mention(spans["show"])), (spans["length"],)


def _length(sampler: Sampler) -> str:
    hours, minutes = sampler.integer(1, 4), sampler.integer(2, 59)
    named = f"{hours} hour{'s' * (hours > 1)} and {minutes} minutes"
    return sampler.choose((f"{hours} h {minutes} min", named))


_WRITERS: dict[str, Callable[[PassageWriter, _WriteTime], _Draft]] = {
    "trip": _write_trip,
    "shop": _write_opening,
    "lap": _write_lap,
    "show": _write_show,
}

SCENE = Scene(_TEMPLATES, write_timetable)
