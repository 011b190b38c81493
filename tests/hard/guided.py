"""Coverage-guided fuzzing of the parsers with atheris: ``python guided.py values``."""

import sys
from random import Random

import atheris

with atheris.instrument_imports(
    include=["workings.values", "workings.program", "workings.data.documents"]
):
    from workings.data.documents import read_bytes
    from workings.errors import WorkingsError
    from workings.program import Program
    from workings.values import read_values


def values(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    for number in read_values(text).numbers:
        assert 0 <= number.start < number.end <= len(text)


def programs(raw: bytes) -> None:
    parsed = Program.parse(raw.decode("utf-8", "replace"))
    assert Program.parse(str(parsed)) == parsed


def texts(raw: bytes) -> None:
    read_bytes(raw, Random(len(raw)).choice(("a.txt", "a.html")))


PARSERS = {"values": values, "programs": programs, "texts": texts}


def main() -> None:
    parse = PARSERS[sys.argv.pop(1)]

    def test_one(raw: bytes) -> None:
        try:
            parse(raw)
        except WorkingsError as error:
            assert error.hint

    atheris.Setup(sys.argv, test_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
