"""The English words of numbers, scales, months and money."""

_UNITS = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_IRREGULAR = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def _ordinal(word: str) -> str:
    stem = f"{word[:-1]}ie" if word.endswith("y") else word
    return _IRREGULAR.get(word, f"{stem}th")


UNITS = {word: value for value, word in enumerate(_UNITS)}
TENS = {word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)}
SMALL = UNITS | {word: value for value, word in enumerate(_TEENS, start=10)}
UNIT_ORDINALS = {_ordinal(word): value for word, value in UNITS.items() if value}

SCALES = {
    "dozen": 12,
    "thousand": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
    "milliard": 10**9,
    "mn": 10**6,
    "bn": 10**9,
    "tn": 10**12,
    "mio": 10**6,
    "mln": 10**6,
    "mrd": 10**9,
    "bln": 10**9,
}
SCALES |= {f"{word}s": SCALES[word] for word in ("thousand", "million", "billion", "trillion")}
SCALE_ORDINALS = {_ordinal(word): SCALES[word] for word in ("thousand", "million", "billion")}
# Letters that are a scale only after a currency sign: "$5m" is money, "5m" is a length.
MONEY_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}
# Letters right after digits that are a scale as written: "2M" is a count, "2m" is a length.
LETTER_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6}

# Words that say how many without being an amount.
MULTIPLES = {"twice": 2, "thrice": 3, "both": 2}
# Words that are multiples only before an article: "double the price", not "a double play".
FACTORS = {"double": 2, "triple": 3, "quadruple": 4}
PAIRS = frozenset({"pair", "couple"})

ORDINALS = {_ordinal(word): value for word, value in (SMALL | TENS).items() if value}
ORDINALS |= {"hundredth": 100} | SCALE_ORDINALS
STARTERS = frozenset({"a", "another", "half", *MULTIPLES, *FACTORS, *SMALL, *TENS, *ORDINALS})
SUFFIXES = frozenset({"st", "nd", "rd", "th"})

DENOMINATORS = {word: value for word, value in ORDINALS.items() if 3 <= value <= 12}
DENOMINATORS |= {"half": 2, "quarter": 4}
PLURAL_DENOMINATORS = {f"{word}s": value for word, value in DENOMINATORS.items()}

# Nouns after which a number of four digits is a count, not a year.
COUNTED = (
    "men women people persons troops soldiers cavalry infantry horsemen sailors volunteers slaves "
    "prisoners casualties inhabitants residents households families males females students "
    "yard yards foot feet ft mile miles metre metres meter meters kilometre kilometres kilometer "
    "kilometers km acre acres hectare hectares ton tons tonne tonnes pounds dollars euros years "
    "days hours minutes seconds points times ships guns tanks aircraft elephants horses houses "
    "homes hp mph kg percent per units copies employees jobs"
).split()

# Words that are followed by a number of their own: "page 12 345 times" is 12 and 345.
NUMBERED = frozenset(
    "chapter day figure game grade group item level line no number page phase question room round "
    "row section stage step table verse volume week".split()
)

MONTH_NAMES = (
    "january february march april may june july august september october november december"
).split()
MONTHS = {name[:3]: value for value, name in enumerate(MONTH_NAMES, start=1)}

MONEY = frozenset(
    "dollar dollars cent cents pound pounds euro euros franc francs mark marks yen rupee rupees "
    "ruble rubles rouble roubles peso pesos crown crowns florin florins ducat ducats guilder "
    "guilders livre livres shilling shillings usd eur gbp".split()
)
