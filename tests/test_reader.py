"""The reader answers one question or many alike, runs programs by hand, and refuses clearly."""

from pathlib import Path

import pytest
import torch

import workings
from tiny import PASSAGE, QUESTION, tiny_network
from workings import reader as reading
from workings.encoder.cache import PassageMemory
from workings.errors import CheckpointError, InputError, ProgramError
from workings.explain import Explanation
from workings.network.network import Network
from workings.program import Program
from workings.reader import Reader
from workings.settings import Recipe

QUESTIONS = [QUESTION, "Who kicked a goal?", "When was the club founded?"]
OTHER = "Ben moved 12 yards in 1936. Ada kicked 3 goals."
WORDS_ONLY = "Ada kicked a field goal after the break."


@pytest.fixture(scope="module")
def network() -> Network:
    return tiny_network()


@pytest.fixture(scope="module")
def reader(network: Network) -> Reader:
    return Reader(network)


@pytest.fixture(scope="module")
def apart() -> Reader:
    """A reader whose first layer reads passage and question apart."""
    return Reader(tiny_network(Recipe.read({"encoder": {"split": 1}})))


def told(found: Explanation) -> tuple[str, str, float]:
    return found.program, str(found.answer), pytest.approx(found.confidence, rel=1e-3)


def test_it_is_what_the_package_offers() -> None:
    assert workings.Reader is Reader
    assert workings.Explanation is Explanation


def test_many_questions_give_the_answers_of_one_by_one(reader: Reader) -> None:
    pairs = [(question, text) for question in QUESTIONS for text in (PASSAGE, OTHER)]
    for size in (1, 4, 8):
        found = reader.ask_many(pairs, batch_size=size)
        assert [(one.question, one.passage) for one in found] == pairs
        assert list(map(told, found)) == [told(reader.ask(*pair)) for pair in pairs]


def test_no_questions_have_no_answers(reader: Reader) -> None:
    assert reader.ask_many([]) == []


def test_a_passage_read_once_gives_the_same(reader: Reader, apart: Reader) -> None:
    for one in (reader, apart):
        read = one.read(PASSAGE)
        expected = [told(one.ask(question, PASSAGE)) for question in QUESTIONS]
        assert [told(read.ask(question)) for question in QUESTIONS] == expected
        assert list(map(told, read.ask_many(QUESTIONS, batch_size=2))) == expected


def test_layers_below_the_split_read_a_passage_once(
    apart: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    encoder = apart.network.encoder
    plain = encoder._apart

    def counted(texts: list[tuple[int, ...]], segment: int, position: int) -> object:
        seen.append(segment)
        return plain(texts, segment, position)

    monkeypatch.setattr(encoder, "_apart", counted)
    read = apart.read("Ben kicked 31 goals.")
    first = told(read.ask(QUESTION))
    assert told(read.ask(QUESTION)) == first
    assert seen.count(1) == 1


def test_only_the_passages_lately_read_are_remembered(
    apart: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = PassageMemory(2)
    monkeypatch.setattr(apart.network.encoder, "memory", memory)
    for passage in ("Ada.", "Ben.", "Ada.", "Okafor."):
        apart.ask("Who?", passage)
    kept = [apart.network.tokenizer.decode(text) for text in memory.states]
    assert [text.split()[0] for text in kept] == ["ada", "okafo"]


def test_training_forgets(apart: Reader) -> None:
    encoder = apart.network.encoder
    assert Reader(apart.network).network.encoder.memory is not None
    encoder.eval()
    assert encoder.memory is not None
    encoder.train()
    assert encoder.memory is None
    Reader(apart.network)


def test_long_passages_share_a_batch_with_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_BATCH_PIECES", 100)
    lengths = [30, 90, 30, 40, 30, 300]

    class Long:
        def __init__(self, length: int) -> None:
            self.length = length

        def __len__(self) -> int:
            return self.length

    batches = list(reading._batches([Long(n) for n in lengths], 8))  # type: ignore[arg-type]
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    assert [sorted(lengths[i] for i in batch) for batch in batches] == [
        [30, 30, 30], [40], [90], [300]
    ]  # fmt: skip


def test_a_long_passage_with_many_numbers(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> None:
    monkeypatch.setattr("workings.ops.results.MOST_PAIRS", 400)
    monkeypatch.setattr("workings.modules.relocate.MOST_PAIRS", 4000)
    counts = (f"Ada kicked {number} goals on 3 May {1000 + number}." for number in range(60))
    read = reader.read(" ".join(counts))
    assert len(read.passage) > 500
    for program in (
        "add(add(find-num(find), find-num(find)), find-num(find))",
        "time-diff(find, find)",
        "span(relocate(compare-date-lt(find, find-max-num(find))))",
    ):
        found = read.run(program, QUESTION)
        assert found.answer.texts, program
        assert 0 <= found.steps[-1].output.nothing < 1


def test_modules_of_the_paper_read_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MAX_PIECES_BY_TOKEN", 20)
    paper = Reader(tiny_network(Recipe.read({"modules": {"grounding": "tokens"}})))
    assert paper.ask("Who?", WORDS_ONLY)
    with pytest.raises(InputError, match="word-pieces, more than 20"):
        paper.ask("Who?", PASSAGE)


def test_top_k_programs_are_told_of(network: Network) -> None:
    for top_k in (1, 2, 6):
        found = Reader(network, top_k=top_k).ask(QUESTION, PASSAGE)
        assert len(found.alternatives) == top_k - 1
    chances = [found.probability, *(other.probability for other in found.alternatives)]
    assert chances == sorted(chances, reverse=True)


def test_below_the_threshold_it_abstains(network: Network) -> None:
    found = Reader(network, threshold=1.0).ask(QUESTION, PASSAGE)
    assert found.abstained
    assert found.alternatives[0].program == found.program


def test_a_program_by_hand(reader: Reader) -> None:
    text = "sub(find-num(find), find-num(find))"
    found = reader.run(text, QUESTION, PASSAGE)
    assert found.program == text
    assert found.confidence == found.answer.probability
    again = reader.read(PASSAGE).run(Program.parse(text), QUESTION)
    assert again == found


def test_by_hand_and_by_itself_are_the_same_run(reader: Reader) -> None:
    found = reader.ask(QUESTION, PASSAGE)
    by_hand = reader.run(found.program, QUESTION, PASSAGE)
    assert str(by_hand.answer) == str(found.answer)
    assert by_hand.answer.probability == pytest.approx(found.answer.probability, rel=1e-3)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("find-num(find)", "find-num needs numbers"),
        ("count(compare-num-lt(find, find))", "compare-num-lt needs numbers"),
        ("span(find-max-num(find))", "find-max-num needs numbers"),
        ("time-diff(find, find)", "time-diff needs dates"),
        ("span(compare-date-gt(find, find))", "compare-date-gt needs dates"),
        ("sub(find-num(find), find)", "input 2 of sub must be numbers"),
        ("sub(find-num(find)", "expected"),
    ],
)
def test_programs_that_cannot_run_here(reader: Reader, program: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message) as caught:
        reader.run(program, QUESTION, WORDS_ONLY)
    assert caught.value.hint


def test_programs_that_need_nothing_run_on_words(reader: Reader) -> None:
    for program in ("count(find)", "span(find)", "spans(relocate(find))"):
        assert reader.run(program, QUESTION, WORDS_ONLY).answer.texts


def test_programs_without_their_values_go_last(reader: Reader) -> None:
    wanting, able = (reader.run(p, QUESTION, PASSAGE) for p in ("find-num(find)", "count(find)"))
    assert wanting.answer.texts
    assert able.answer.texts
    found = reader.ask(QUESTION, WORDS_ONLY)
    needs = [reading.REGISTRY[step.module].needs for step in found.steps]
    assert found.abstained or not any(needs)


@pytest.mark.parametrize(
    ("question", "passage", "message"),
    [
        ("", PASSAGE, "question is empty"),
        (" \n", PASSAGE, "question is empty"),
        (QUESTION, "", "passage is empty"),
        (QUESTION, "24\0 yards", "passage is binary"),
        (QUESTION, b"24 yards", "of type bytes"),
        (QUESTION, "half a \ud83d pair", "passage is binary"),
        ("goal " * 200, PASSAGE, "shorter question"),
        (QUESTION, "a" * 1_000_001, "shorter part"),
    ],
)
def test_bad_input_is_refused(reader: Reader, question: str, passage: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        reader.ask(question, passage)


def test_odd_but_readable_text_is_answered(reader: Reader) -> None:
    for passage in ("!", "日本は24ヤード", "e\u0301 24 — “x”\r\n", "24 " * 600):
        found = reader.ask(QUESTION, passage)
        assert found.passage == passage


def test_saved_and_loaded_it_answers_alike(network: Network, tmp_path: Path) -> None:
    folder = Reader(network, temperature=2.0).save_pretrained(tmp_path / "model")
    loaded = Reader.from_pretrained(folder, top_k=2, threshold=0.0)
    assert loaded.judgement.temperature == 2.0
    again = Reader.from_pretrained(str(loaded.save_pretrained(tmp_path / "again")), top_k=2)
    assert again.ask(QUESTION, PASSAGE) == loaded.ask(QUESTION, PASSAGE)


def test_without_shipped_weights_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "workings.checkpoint.model_folder.files", lambda package: tmp_path / package
    )
    with pytest.raises(CheckpointError, match="workings train"):
        Reader.from_pretrained()


def test_reading_keeps_no_gradients(reader: Reader) -> None:
    reader.ask(QUESTION, PASSAGE)
    assert torch.is_grad_enabled()
    assert all(weight.grad is None for weight in reader.network.parameters())


def test_a_model_that_writes_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "answer_candidates", lambda *_: [[]])
    with pytest.raises(CheckpointError, match="no program"):
        Reader(tiny_network()).ask(QUESTION, PASSAGE)
