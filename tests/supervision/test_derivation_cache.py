"""Saving supervision, and the name of the cache file."""

import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import workings
from workings.data.records import Passage, Question
from workings.modules import REGISTRY, Module
from workings.supervision import derivation_cache
from workings.supervision.derivation import Derivation, StepTarget, Supervision
from workings.values import Date, Timing

PACKAGE = Path(workings.__file__).parent
PASSAGE = Passage("p", "Three goats.", (Question("q", "How many goats?", ()),))
SUPERVISION = Supervision(
    derivations=(
        Derivation(
            "time-diff(find)",
            (
                StepTarget(1, (Fraction(1, 3),), (Date(-44, 3, None),), ((2, 5),)),
                StepTarget(2, timings=(Timing(Fraction(2136, 10), is_duration=True),)),
                StepTarget(3, timings=(Timing(Fraction(60), is_half_day=True, is_bare=True),)),
            ),
            from_evidence=True,
        ),
    ),
    count=70,
    spans=((0, 4),),
    question_spans=((1, 2), (5, 6)),
    numbers=(Fraction(5),),
    dates=(Date(1900, None, None),),
)


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def test_saved_supervision_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "supervision.json.gz"
    derivation_cache.save(path, {"q": SUPERVISION, "empty": Supervision()})
    assert derivation_cache.load(path) == {"q": SUPERVISION, "empty": Supervision()}


@pytest.mark.parametrize("raw", [b"", b"\x1f\x8bbroken", b"[]", b'{"q": [1]}', b'{"q": null}'])
def test_damaged_file_is_ignored(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "supervision.json.gz"
    path.write_bytes(raw)
    assert derivation_cache.load(path) is None


def test_name_depends_on_the_passages() -> None:
    other = Passage("p", "Four goats.", PASSAGE.questions)
    name = derivation_cache.cache_name([PASSAGE])
    assert name == derivation_cache.cache_name([PASSAGE])
    assert name != derivation_cache.cache_name([other])


@pytest.mark.parametrize("pattern", derivation_cache.SOURCES)
def test_name_depends_on_the_source_files(tmp_path: Path, pattern: str) -> None:
    copy = tmp_path / "workings"
    sources = shutil.ignore_patterns("weights", "*.html", "*.js")
    shutil.copytree(PACKAGE, copy, ignore=sources)
    before = derivation_cache.cache_name([PASSAGE], copy)
    assert before == derivation_cache.cache_name([PASSAGE])
    changed = sorted(copy.glob(pattern))[0]
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert derivation_cache.cache_name([PASSAGE], copy) != before


def test_source_files_cover_the_code_that_derives() -> None:
    folders = {path.parent.name for path in derivation_cache.source_files()}
    assert folders == {"workings", "values", "arithmetic", "data", "modules", "supervision"}
    names = {path.name for path in derivation_cache.source_files()}
    assert {"alternatives.py", "from_search.py", "signed_sums.py", "add.py", "dates.py"} <= names


@pytest.mark.usefixtures("registry")
def test_name_depends_on_the_declarations_of_added_modules() -> None:
    name = derivation_cache.cache_name([PASSAGE])

    class Added(Module, name="added"):
        """A module outside the package."""

        example = "How many goats?"

    with_module = derivation_cache.cache_name([PASSAGE])
    Added.cues = frozenset(("goats",))
    assert len({name, with_module, derivation_cache.cache_name([PASSAGE])}) == 3
