"""``workings tables --page`` does not replace a result."""

from pathlib import Path

from typer.testing import CliRunner

from workings.cli import app


def test_page_is_not_a_result(tmp_path: Path) -> None:
    result_file = tmp_path / "results" / "dev" / "row.json"
    result_file.parent.mkdir(parents=True)
    result_file.write_text("{}")
    arguments = ["tables", str(tmp_path / "results"), "--page", str(result_file)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "is the input file" in result.stderr
    assert result_file.read_text() == "{}"
