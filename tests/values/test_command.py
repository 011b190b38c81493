"""``workings values``: the table, the JSON output, and errors for bad files."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from workings.cli.values import values
from workings.errors import InputError

TEXT = "In July 1942 they lost [b]3.2[/b] km and two thirds of 34-21 towns.\n"


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(values)
    return app


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.txt"
    file.write_text(TEXT, "utf-8")
    return file


def test_table_shows_every_value(app: typer.Typer, page: Path) -> None:
    result = CliRunner().invoke(app, [str(page)])
    rows = [line.split() for line in result.stdout.splitlines()[3:] if line.strip()]
    assert rows == [
        ["date", "July", "1942", "3-12", "July", "1942"],
        ["year", "1942", "8-12", "1942"],
        ["number", "3.2", "26-29", "3.2"],
        ["fraction", "0.667", "41-51", "two", "thirds"],
        ["number", "34", "55-57", "34"],
        ["number", "21", "58-60", "21"],
    ]


def test_json_is_exact(app: typer.Typer, page: Path) -> None:
    found = json.loads(CliRunner().invoke(app, [str(page), "--json"]).stdout)
    assert [number["value"] for number in found["numbers"]] == ["1942", "3.2", "2/3", "34", "21"]
    assert found["dates"] == [
        {"year": 1942, "month": 7, "day": None, "start": 3, "end": 12, "text": "July 1942"}
    ]


def test_standard_input(app: typer.Typer) -> None:
    assert "34" in CliRunner().invoke(app, ["-"], input="won 34-21").stdout


def test_no_values(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["-"], input="Nothing is counted here.")
    assert result.stdout == "No values found.\n"


def test_table_shows_times_and_durations(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["-"], input="At 7:45 pm she had run for 2h30.")
    rows = [line.split() for line in result.stdout.splitlines()[3:] if line.strip()]
    assert rows == [
        ["time", "19:45", "3-10", "7:45", "pm"],
        ["duration", "2:30:00", "27-31", "2h30"],
    ]


def test_json_has_times_and_durations(app: typer.Typer) -> None:
    text = "At 7:45 pm she had run for 1:23.45."
    found = json.loads(CliRunner().invoke(app, ["-", "--json"], input=text).stdout)
    time = {"hour": 19, "minute": 45, "second": 0, "seconds": 71100}
    assert found["times"] == [time | {"start": 3, "end": 10, "text": "7:45 pm"}]
    assert found["durations"] == [{"seconds": "83.45", "start": 27, "end": 34, "text": "1:23.45"}]
    assert found["numbers"] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no text"),
        (b" \n", "no text"),
        (b"caf\xe9", "not UTF-8 text"),
        (b"a\0b", "binary, not text"),
        (None, "No such file or directory"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "bad.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        values(file)
    assert caught.value.message == f"{file}: {message}"


def test_rejects_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Is a directory"):
        values(tmp_path)
