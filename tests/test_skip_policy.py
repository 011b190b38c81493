"""In CI, a skipped test fails the run unless its reason is allowed."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).with_name("conftest.py").read_text("utf-8")
SKIPS_ONE_TEST = """
import pytest

def test_runs(): ...

@pytest.mark.skip(reason="needs Chromium")
def test_skips(): ...

@pytest.mark.xfail(strict=True)
def test_fails_as_expected(): assert False
"""
SKIPS_A_FILE = "import pytest; pytest.importorskip('no_such_package', reason='needs Chromium')"


@pytest.fixture(autouse=True)
def clean(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeconftest(CONFTEST)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("WORKINGS_ALLOWED_SKIPS", raising=False)


def outcomes(pytester: pytest.Pytester, source: str) -> dict[str, int]:
    pytester.makepyfile(source)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider").parseoutcomes()


def test_outside_ci_a_skip_is_fine(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, SKIPS_ONE_TEST) == {"passed": 1, "skipped": 1, "xfailed": 1}
    assert outcomes(pytester, SKIPS_A_FILE) == {"skipped": 1}


def test_in_ci_a_skip_is_a_failure(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = outcomes(pytester, SKIPS_ONE_TEST)
    assert result.pop("errors", 0) + result.pop("failed", 0) == 1
    assert result == {"passed": 1, "xfailed": 1}
    assert outcomes(pytester, SKIPS_A_FILE) == {"errors": 1}


def test_in_ci_reasons_can_be_allowed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("WORKINGS_ALLOWED_SKIPS", "needs a GPU;needs Chromium")
    assert outcomes(pytester, SKIPS_ONE_TEST) == {"passed": 1, "skipped": 1, "xfailed": 1}
    assert outcomes(pytester, SKIPS_A_FILE) == {"skipped": 1}
