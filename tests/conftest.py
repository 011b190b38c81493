"""Shared set-up of the tests: Hypothesis, threads, the examples folder, and skips in CI."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine must not fail a property test, and a failure must be repeatable.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

# Small tensors gain nothing from threads, and tests that run in parallel compete for them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Where CI=true, a skip for any other reason is a failure. WORKINGS_ALLOWED_SKIPS adds reasons,
# separated by semicolons: `.ci/run` sets it where there is no browser and none can be installed.
ALLOWED_SKIPS = [
    "WORKINGS_DATA names no data folder",  # DROP is not part of this repository
]


@pytest.fixture
def examples() -> Path:
    """Return the folder of examples."""
    return Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="package")
def few_dev_passages() -> Iterator[None]:
    """Score training on two synthetic passages: scoring takes most of the time of a short run."""
    from workings.training import training_data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_data, "_DEV_PASSAGES", 2)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Apply the rule about skips to a test."""
    report = yield
    _fail_skip_in_ci(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Apply the rule about skips to a file that skips as a whole."""
    report = yield
    _fail_skip_in_ci(report)
    return report


def _fail_skip_in_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    expected_failure = hasattr(report, "wasxfail")  # pytest reports those as skipped, too
    if os.environ.get("CI") != "true" or not report.skipped or expected_failure:
        return
    assert isinstance(report.longrepr, tuple)
    path, line, reason = report.longrepr
    added = os.environ.get("WORKINGS_ALLOWED_SKIPS", "").split(";")
    if not any(allowed in reason for allowed in [*ALLOWED_SKIPS, *filter(None, added)]):
        report.outcome = "failed"
        report.longrepr = (
            f"{path}:{line}: {reason}\nIn CI a skipped test is a failure. Install what the test "
            "needs, or add the reason to ALLOWED_SKIPS in tests/conftest.py."
        )
