"""Random names, nouns, numbers and dates for synthetic passages."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

from workings.values import Date
from workings.values.lexicon import MONTH_NAMES, SMALL, TENS

T = TypeVar("T")


class WordPool:
    """Words of one type. Every fourth word is unseen: training never uses it."""

    def __init__(self, words: Iterable[str]) -> None:
        every = tuple(words)
        self.unseen = every[::4]
        self.seen = tuple(word for index, word in enumerate(every) if index % 4)


def _combine(heads: str, tails: str) -> Iterable[str]:
    """All heads with all tails, rotated so that seen and unseen words share every syllable."""
    ends = tails.split()
    for turn, head in enumerate(heads.split()):
        yield from (head + ends[(index + turn) % len(ends)] for index in range(len(ends)))


GIVEN_NAMES = WordPool(
    _combine("Al Bre Cor Da El Fen Gar Hol Is Jor Ked Lu", "vin sa mek dora ric lin bo nath")
)
SURNAMES = WordPool(
    _combine(
        "Ash Bol Cra Dre Elk Far Gri Hav Ing Kes Lor Mos Nar Ost Pel Quin Rav Sel Tor Wex",
        "bury den ler mond nick over pitt stad tane velt wick zey",
    )
)
PLACES = WordPool(
    _combine(
        "Ambel Brack Cald Dun Eski Fal Grim Hollo Ith Karn Lam Mer Nor Orl Pen Sker Tarn Vol",
        "abbey bridge combe dale fleet gate haven holm mere moor port stead",
    )
)
PEOPLES = WordPool(
    _combine("Arv Besk Dorr Emb Gol Hest Jal Kov Lim Ozr Tesk Ulv", "ani ish ek ari")
)
MASCOTS = WordPool(
    "Herons Lanterns Badgers Anvils Otters Comets Foxes Kestrels Millers Wolves Ravens Sailors "
    "Beavers Hornets Stags Magpies Bisons Lynxes Owls Swans Boars Drummers Pilots Storks".split()
)
ITEMS = WordPool(
    "lanterns candles ropes kettles blankets hammers mirrors baskets saddles clocks bottles "
    "ladders pillows buckets spades combs brushes needles umbrellas lamps stools carpets violins "
    "globes plates spoons boots gloves hats belts drums flutes pencils inkwells maps trunks "
    "shovels rakes wheels barrels curtains teapots vases whistles sieves tongs anchors "
    "bells".split()
)
TRADES = WordPool(
    "weaving|fishing|glass making|sheep farming|salt mining|boat building|paper making|pottery|"
    "cheese making|leather work|timber|bee keeping".split("|")
)


class Sampler:
    """The random choices of one passage. No name and no number is drawn twice.

    Args:
        rng: The random number generator.
        unseen: Whether to draw the names and numbers that training never uses, or only others.
    """

    def __init__(self, rng: Random, *, unseen: bool) -> None:
        self.rng = rng
        self.unseen = unseen
        self._used: set[object] = set()

    def draw(self, pool: WordPool) -> str:
        """Draw a word that was not drawn before."""
        words = pool.unseen if self.unseen else pool.seen
        word = self.choose([word for word in words if word not in self._used])
        self._used.add(word)
        return word

    def person(self) -> str:
        """Draw a full name."""
        return f"{self.draw(GIVEN_NAMES)} {self.draw(SURNAMES)}"

    def draw_number(self, low: int, high: int) -> int:
        """Draw a whole number from [low, high] that was not drawn before.

        Unseen numbers have the remainder 1 when divided by 3.
        """
        while True:
            number = self.rng.randint(low, high)
            if (number % 3 == 1) == self.unseen and number not in self._used:
                self._used.add(number)
                return number

    def draw_pair(self, low: int, high: int, fits: Callable[[int, int], bool]) -> tuple[int, int]:
        """Draw two whole numbers from [low, high] that fit together, the smaller first."""
        while True:
            pair = sorted(self.sample(range(low, high + 1), 2))
            allowed = ((n % 3 == 1) == self.unseen and n not in self._used for n in pair)
            if all(allowed) and fits(*pair):
                self._used.update(pair)
                return pair[0], pair[1]

    def integer(self, low: int, high: int) -> int:
        """A whole number from [low, high], seen or unseen, such as a day or a count."""
        return self.rng.randint(low, high)

    def date(self, year: int | None = None) -> Date:
        """A date of a year, with or without month and day; a day of any year by default."""
        parts = self.integer(0, 2) if year else 2
        month = self.integer(1, 12) if parts else None
        return Date(year, month, self.integer(1, 28) if parts == 2 else None)

    def choose(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def shuffled(self, options: Sequence[T]) -> list[T]:
        return self.rng.sample(options, len(options))

    def sample(self, options: Sequence[T], size: int) -> list[T]:
        return self.rng.sample(options, size)

    def fill(self, templates: Sequence[str], **slots: object) -> str:
        """Choose one of several templates and fill its slots."""
        return self.choose(templates).format(**slots)

    def number_text(self, number: int) -> str:
        """Write a whole number in digits, or sometimes, below a hundred, in words."""
        return in_words(number) if number < 100 and self.chance(0.3) else f"{number:,}"

    def date_phrase(self, date: Date) -> str:
        """Write a date with its preposition: "on 3 May 1645", "in 1645"."""
        return f"{'on' if date.day else 'in'} {self.date_text(date)}"

    def date_text(self, date: Date) -> str:
        """Write a date; if it has a day, with the month or the day first."""
        if date.month is None or date.day is None:
            return str(date)
        year = "" if date.year is None else f", {date.year}"
        return self.choose(
            (f"{MONTH_NAMES[date.month - 1].capitalize()} {date.day}{year}", str(date))
        )


def in_words(number: int) -> str:
    """Write a whole number below a hundred in words."""
    small, tens = tuple(SMALL), tuple(TENS)
    if number < len(small):
        return small[number]
    ten, rest = divmod(number, 10)
    return tens[ten - 2] + (f"-{small[rest]}" if rest else "")


def article(number: int) -> str:
    """The indefinite article before a number below a hundred: "an" before 8, 11, 18 and 80-89."""
    return "an" if number in (8, 11, 18) or 80 <= number < 90 else "a"
