"""Notes: passages of one to three sentences, each with numbers that belong together."""

from collections.abc import Callable
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import ITEMS, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

# Containers in the plural and in the singular.
_CONTAINERS = (("boxes", "box"), ("crates", "crate"), ("sacks", "sack"), ("carts", "cart"))

# The share of notes with nothing but stated numbers and dates.
_STATED_ONLY = 0.2

_TEMPLATES = SceneTemplates("notes")


def write_note(writer: PassageWriter) -> list[Topic]:
    """Write one to three sentences of different types, at least one with two numbers to combine."""
    sampler = writer.sampler
    first = sampler.choose(_COMBINED)
    others = [write for write in (*_COMBINED, *_STATED) if write is not first]
    chosen = sampler.shuffled([first, *sampler.sample(others, sampler.integer(0, 2))])
    if sampler.chance(_STATED_ONLY):
        chosen = sampler.sample(_STATED, sampler.integer(1, 2))
    return [topic for write in chosen for topic in write(writer)]


def _write_stock(writer: PassageWriter) -> list[Topic]:
    """Two numbers that are only stated."""
    sampler = writer.sampler
    items = {"one": sampler.draw(ITEMS), "other": sampler.draw(ITEMS)}
    numbers = {slot: sampler.draw_number(2, 90) for slot in items}
    texts = {f"n_{slot}": sampler.number_text(number) for slot, number in numbers.items()}
    spans = writer.write("stocks", place=sampler.draw(PLACES), **items, **texts)
    facts = [
        Fact(item, Mention(spans[f"n_{slot}"], Fraction(numbers[slot])), spans[slot])
        for slot, item in items.items()
    ]
    return [_TEMPLATES.topic("stock", facts)]


def _write_single(writer: PassageWriter) -> list[Topic]:
    """One number that is only stated."""
    sampler = writer.sampler
    item, number = sampler.draw(ITEMS), sampler.draw_number(2, 300)
    spans = writer.write("singles", item=item, n=sampler.number_text(number))
    return [_TEMPLATES.topic("single", [Fact(item, Mention(spans["n"], Fraction(number)))])]


def _write_packing(writer: PassageWriter) -> list[Topic]:
    """A number of containers, and the number of things in each."""
    sampler = writer.sampler
    containers, container = sampler.choose(_CONTAINERS)
    item = sampler.draw(ITEMS)
    numbers = {"count": sampler.draw_number(2, 40), "each": sampler.draw_number(2, 60)}
    words = {"containers": containers, "container": container, "item": item}
    texts = {slot: sampler.number_text(number) for slot, number in numbers.items()}
    spans = writer.write("packings", person=sampler.person(), **words, **texts)
    facts = [Fact(slot, Mention(spans[slot], Fraction(n))) for slot, n in numbers.items()]
    return [_TEMPLATES.topic("packing", facts, **words)]


def _write_sharing(writer: PassageWriter) -> list[Topic]:
    """A number of things, shared evenly by a number of containers."""
    sampler = writer.sampler
    containers, container = sampler.choose(_CONTAINERS)
    words = {"containers": containers, "container": container, "item": sampler.draw(ITEMS)}
    count, everything = sampler.draw_pair(2, 400, lambda few, many: many % few == 0)
    numbers = {"all": everything, "count": count}
    spans = writer.write("sharings", place=sampler.draw(PLACES), **words, **numbers)
    facts = [Fact(slot, Mention(spans[slot], Fraction(n))) for slot, n in numbers.items()]
    return [_TEMPLATES.topic("sharing", facts, **words)]


def _write_share(writer: PassageWriter) -> list[Topic]:
    """A part of a number of things; the percentage has at most one decimal."""
    sampler = writer.sampler
    part, whole = sampler.draw_pair(4, 400, lambda some, all_: 1000 * some % all_ == 0)
    numbers = {"part": part, "whole": whole}
    item = sampler.draw(ITEMS)
    spans = writer.write("shares", place=sampler.draw(PLACES), item=item, **numbers)
    facts = [Fact(slot, Mention(spans[slot], Fraction(n))) for slot, n in numbers.items()]
    return [
        _TEMPLATES.topic("share", facts, item=item),
        _TEMPLATES.topic("rest", reversed(facts), item=item),
    ]


def _write_change(writer: PassageWriter) -> list[Topic]:
    """A price before and after a change; the percentage has at most one decimal."""
    sampler = writer.sampler
    rises, item = sampler.chance(0.5), sampler.draw(ITEMS)
    low, high = sampler.draw_pair(
        5, 300, lambda low, high: 1000 * (high - low) % (low if rises else high) == 0
    )
    numbers = {"after": high if rises else low, "before": low if rises else high}
    kind, words = ("rises", ("rise", "increase")) if rises else ("falls", ("fall", "drop"))
    spans = writer.write(kind, item=item, **numbers)
    facts = [Fact(slot, Mention(spans[slot], Fraction(n))) for slot, n in numbers.items()]
    larger_first = facts if rises else facts[::-1]
    slots = {"item": item, "move": sampler.choose(words)}
    return [
        _TEMPLATES.topic("change", facts, **slots),
        _TEMPLATES.topic("step", larger_first, **slots),
    ]


def _write_fair(writer: PassageWriter) -> list[Topic]:
    """An event with the dates of its first and last day, in one year."""
    sampler = writer.sampler
    year, place = sampler.draw_number(1700, 1990), sampler.draw(PLACES)
    first, last = sorted(sampler.sample(range(1, 13), 2))
    start = Date(year, first, sampler.integer(1, 28))
    end = Date(year, last, sampler.integer(1, 28))
    slots = {"start": sampler.date_phrase(start), "end": sampler.date_phrase(end)}
    fair = f"fair of {place}"
    spans = writer.write("fairs", fair=fair, **slots)
    # As in the program, the end comes first.
    mention = Mention(spans["fair"], dates=(end, start))
    return [_TEMPLATES.topic("fair", [Fact(f"the {fair}", mention)])]


_Writer = Callable[[PassageWriter], list[Topic]]
_COMBINED: tuple[_Writer, ...] = (_write_packing, _write_sharing, _write_share, _write_change)
_STATED: tuple[_Writer, ...] = (_write_stock, _write_single, _write_fair)

SCENE = Scene(_TEMPLATES, write_note)
