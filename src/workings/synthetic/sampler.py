"""The material of the made world: names made of syllables, plain nouns, numbers and dates."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from workings.values import Date

T = TypeVar("T")

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


class Pool:
    """Words of one sort, every fourth of them kept aside as unseen."""

    def __init__(self, words: Iterable[str]) -> None:
        every = tuple(words)
        self.unseen = every[::4]
        self.seen = tuple(word for place, word in enumerate(every) if place % 4)


def _joined(heads: str, tails: str) -> Iterable[str]:
    """All heads with all tails, turned so that both halves of a pool hold every syllable."""
    ends = tails.split()
    for turn, head in enumerate(heads.split()):
        yield from (head + ends[(place + turn) % len(ends)] for place in range(len(ends)))


GIVEN = Pool(
    _joined("Al Bre Cor Da El Fen Gar Hol Is Jor Ked Lu", "vin sa mek dora ric lin bo nath")
)
SURNAMES = Pool(
    _joined(
        "Ash Bol Cra Dre Elk Far Gri Hav Ing Kes Lor Mos Nar Ost Pel Quin Rav Sel Tor Wex",
        "bury den ler mond nick over pitt stad tane velt wick zey",
    )
)
PLACES = Pool(
    _joined(
        "Ambel Brack Cald Dun Eski Fal Grim Hollo Ith Karn Lam Mer Nor Orl Pen Sker Tarn Vol",
        "abbey bridge combe dale fleet gate haven holm mere moor port stead",
    )
)
PEOPLES = Pool(_joined("Arv Besk Dorr Emb Gol Hest Jal Kov Lim Ozr Tesk Ulv", "ani ish ek ari"))
MASCOTS = Pool(
    "Herons Lanterns Badgers Anvils Otters Comets Foxes Kestrels Millers Wolves Ravens Sailors "
    "Beavers Hornets Stags Magpies Bisons Lynxes Owls Swans Boars Drummers Pilots Storks".split()
)
ITEMS = Pool(
    "lanterns candles ropes kettles blankets hammers mirrors baskets saddles clocks bottles "
    "ladders pillows buckets spades combs brushes needles umbrellas lamps stools carpets violins "
    "globes plates spoons boots gloves hats belts drums flutes pencils inkwells maps trunks "
    "shovels rakes wheels barrels curtains teapots vases whistles sieves tongs anchors "
    "bells".split()
)
TRADES = Pool(
    "weaving|fishing|glass making|sheep farming|salt mining|boat building|paper making|pottery|"
    "cheese making|leather work|timber|bee keeping".split("|")
)


class Sampler:
    """What one passage draws from: no name and no number twice, seen and unseen never mixed."""

    def __init__(self, rng: Random, *, unseen: bool) -> None:
        self.rng = rng
        self.unseen = unseen
        self._used: set[object] = set()

    def draw(self, pool: Pool) -> str:
        """A word of ``pool`` not yet drawn."""
        words = pool.unseen if self.unseen else pool.seen
        word = self.choose([word for word in words if word not in self._used])
        self._used.add(word)
        return word

    def person(self) -> str:
        return f"{self.draw(GIVEN)} {self.draw(SURNAMES)}"

    def number(self, low: int, high: int) -> int:
        """A whole number in [low, high] not yet drawn; those unseen leave 1 when divided by 3."""
        while True:
            number = self.rng.randint(low, high)
            if (number % 3 == 1) == self.unseen and number not in self._used:
                self._used.add(number)
                return number

    def small(self, low: int, high: int) -> int:
        """A small whole number that both halves of the world share, such as a day or a count."""
        return self.rng.randint(low, high)

    def date(self, year: int | None = None) -> Date:
        """A date of ``year`` or, without one, a day of the year."""
        known = self.small(0, 2) if year else 2
        month = self.small(1, 12) if known else None
        return Date(year, month, self.small(1, 28) if known == 2 else None)

    def choose(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def shuffled(self, options: Sequence[T]) -> list[T]:
        return self.rng.sample(options, len(options))

    def sample(self, options: Sequence[T], size: int) -> list[T]:
        return self.rng.sample(options, size)

    def say(self, options: Sequence[str], **slots: object) -> str:
        """One of several ways to put the same thing."""
        return self.choose(options).format(**slots)

    def said(self, number: int) -> str:
        """A whole number in digits, or at times, below a hundred, in words."""
        return in_words(number) if number < 100 and self.chance(0.3) else f"{number:,}"

    def when(self, date: Date) -> str:
        """A date with the word that goes before it."""
        return f"{'on' if date.day else 'in'} {self.dated(date)}"

    def dated(self, date: Date) -> str:
        """A date as people write it."""
        if date.month is None:
            return str(date.year)
        month = MONTHS[date.month - 1]
        if date.day is None:
            return f"{month} {date.year}"
        if date.year is None:
            return self.say(("{month} {day}", "{day} {month}"), month=month, day=date.day)
        forms = ("{month} {day}, {year}", "{day} {month} {year}")
        return self.say(forms, month=month, day=date.day, year=date.year)


def in_words(number: int) -> str:
    """A whole number below a hundred as words."""
    if number < len(SMALL):
        return SMALL[number]
    tens, rest = divmod(number, 10)
    return TENS[tens - 2] + (f"-{SMALL[rest]}" if rest else "")


def article(number: int) -> str:
    """``an`` before eight, eleven, eighteen and the eighties, ``a`` before all other numbers."""
    return "an" if number in (8, 11, 18) or 80 <= number < 90 else "a"
