"""Random hostile inputs: texts, programs, JSON, damaged files and archives."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from functools import partial
from random import Random

PAYLOADS = (
    "<script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% for x in y %}",
    "<!--<script>-->",
    "&lt;script&gt;&#60;script&#62;",
    "]]><x/>",
    "\x1b[2J\x1b]0;title\x07",
    "[bold red]markup[/]",
    "../../../../etc/passwd",
    "${jndi:ldap://a}",
    "'; DROP TABLE passages; --",
)
_WORDS = """
    twenty-one million half a dozen third May 1942 BC AD 34-21 $3.2 million 18% 1/2 ½ 10,000
    and of the a point per cent until between to or 3.5.7 1e400 NaN inf -0 0x1f ٣٤ 二十 Ⅻ ²
    quarter yards touchdown percent hundred thousand billion zero 0 00 .5 5. ,5 1, 1,,000
""".split()
# Repeated, these make careless regular expressions backtrack.
_REPEATABLE = (
    "1,",
    "1,000,",
    "1-",
    "1 and ",
    "May 1, ",
    "1/",
    "a ",
    "$",
    ".",
    "1.",
    "(1",
    "\n",
    " ",
    "99",
)
_BLOCKS = """
    0-20 20-7f 7f-a0 300-370 600-700 660-66a 200b-2070 2150-2190 4e00-4f00 d800-e000 e000-e100
    fff0-10000 1f300-1f700 10ff00-110000
""".split()
_RANGES = [tuple(int(end, 16) for end in block.split("-")) for block in _BLOCKS]


def text(draw: Random) -> str:
    """Draw a text; rarely a very long one."""
    makers: tuple[Callable[[Random], str], ...] = (
        _unicode,
        _wordy,
        _wordy,
        _repeated,
        _payload,
        _mixed,
    )
    return _huge(draw) if draw.random() < 0.001 else draw.choice(makers)(draw)


def _unicode(draw: Random) -> str:
    low, high = draw.choice(_RANGES)
    return "".join(chr(draw.randrange(low, high)) for _ in range(draw.randrange(40)))


def _wordy(draw: Random) -> str:
    return draw.choice((" ", " ", "-", "")).join(draw.choices(_WORDS, k=draw.randrange(30)))


def _repeated(draw: Random) -> str:
    return draw.choice(_REPEATABLE) * draw.randrange(200)


def _payload(draw: Random) -> str:
    return draw.choice(PAYLOADS)


def _mixed(draw: Random) -> str:
    return draw.choice((" ", "\n", "\u202e", "\0", "")).join(
        maker(draw) for maker in draw.choices((_unicode, _wordy, _payload), k=4)
    )


def _huge(draw: Random) -> str:
    return draw.choice(
        (
            "a" * 1_000_000,
            "9" * 1_000_000,
            " ".join(map(str, range(10_000))),
            "1" + "0" * 400,
            "\u202e" * 100_000,
            draw.choice(_REPEATABLE) * 20_000,
            " ".join(f"{day} May {year}" for year in range(1000, 1100) for day in range(1, 28)),
        )
    )


def program(draw: Random, modules: list[str]) -> str:
    """Draw a program: valid or invalid, wide or thousands of levels deep."""
    shape = draw.random()
    if shape < 0.1:
        return text(draw)
    if shape < 0.2:
        levels = draw.choice((10, 63, 64, 65, 1_000, 10_000))
        return "add(" * levels + "find" + ")" * draw.choice((0, 1, levels))
    make = _sum if draw.random() < 0.3 else partial(_tree, modules=modules)
    drawn = make(draw, depth=draw.randrange(1, 8))
    return mutate_text(draw, drawn) if shape < 0.5 else drawn


def _sum(draw: Random, depth: int) -> str:
    """Draw a well-typed program."""
    if not depth or draw.random() < 0.3:
        return draw.choice(("find-num(find)", "count(filter(find))", "time-diff(find, find)"))
    return f"{draw.choice(('add', 'sub'))}({_sum(draw, depth - 1)}, {_sum(draw, depth - 1)})"


def _tree(draw: Random, modules: list[str], depth: int) -> str:
    name = draw.choice(modules)
    count = draw.randrange(4) if depth else 0
    inside = ", ".join(
        _tree(draw, modules, depth - 1 - draw.randrange(3 if depth > 2 else 1))
        for _ in range(count)
    )
    return f"{name}({inside})" if inside else name


def mutate_text(draw: Random, original: str) -> str:
    """Delete, insert or replace a few characters."""
    chars = list(original)
    for _ in range(draw.randrange(1, 4)):
        position = draw.randrange(len(chars) + 1)
        chars[position : position + draw.randrange(3)] = draw.choice(
            ("", "(", ")", ",", "\0", "é", '"', "\ud800", "[", "=")
        )
    return "".join(chars)


def mutate(draw: Random, original: bytes) -> bytes:
    """Truncate bytes, flip bits, delete a range or insert random bytes."""
    raw = bytearray(original)
    damage = draw.randrange(4)
    if damage == 0:
        return bytes(raw[: draw.randrange(len(raw) + 1)])
    for _ in range(draw.randrange(1, 4)):
        position = draw.randrange(max(len(raw), 1))
        if damage == 1 and raw:
            raw[position] ^= 1 << draw.randrange(8)
        elif damage == 2:
            raw[position : position + draw.randrange(64)] = b""
        elif damage == 3:
            raw[position:position] = draw.randbytes(draw.randrange(16))
    return bytes(raw)


def tree(draw: Random, names: list[str], depth: int = 4) -> object:
    """Draw any JSON value, with keys from ``names``."""
    if depth and draw.random() < 0.5:
        inner = [tree(draw, names, depth - 1) for _ in range(draw.randrange(4))]
        return (
            inner
            if draw.random() < 0.4
            else dict(zip(draw.sample(names, len(inner)), inner, strict=True))
        )
    leaves = (None, True, 0, -1, 1.5, 10**400, float("nan"), float("inf"), "", " ", "34", "1/0")
    return draw.choice((*leaves, text(draw), text(draw)))


def json_bytes(draw: Random, value: object) -> bytes:
    """Encode JSON: plain, gzipped, damaged, or nested very deeply."""
    raw = json.dumps(value).encode()
    form = draw.randrange(12)
    if form == 0:
        return mutate(draw, raw)
    if form == 1:
        return mutate(draw, gzip.compress(raw, mtime=0))
    if form == 2:
        return draw.choice((b"[", b'{"a":', b"9")) * draw.choice((10, 5_000, 100_000))
    if form == 3:
        return gzip.compress(b" " * (1 << 23), mtime=0)
    return gzip.compress(raw, mtime=0) if form < 6 else raw


def archive(draw: Random) -> bytes:
    """Draw a zip file, often with names that leave the folder, large contents, or damage."""
    packed = io.BytesIO()
    plain = ["dev.json", "a/train.json"]
    hostile = [
        "../up.json",
        "/etc/up.json",
        "a\\..\\up.json",
        "..",
        "C:\\x.json",
        ".json",
        "é.json",
    ]
    hostile += ["a/../../up.json", "x" * 300 + ".json", "\u202ejson.exe", "n\0.json"]
    names = plain if draw.random() < 0.5 else plain + hostile
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(packed, "w", draw.choice(methods)) as file:
        for name in draw.sample(names, draw.randrange(3)):
            file.writestr(
                name, draw.choice((b"{}", b"0" * 100, b"0" * (1 << 21), draw.randbytes(64)))
            )
    return mutate(draw, packed.getvalue()) if draw.random() < 0.6 else packed.getvalue()
