"""Tests of Reader and PassageReader."""

import json
import multiprocessing
import pickle
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import torch

import workings
from tiny import PASSAGE, QUESTION, tiny_network
from unchecked import without_type_checks
from workings import reader as reader_module
from workings.checkpoint.model_folder import save
from workings.encoder.cache import PassageCache
from workings.errors import CheckpointError, InputError, ProgramError
from workings.explain import Explanation
from workings.inference import forking, pipeline
from workings.inference.excerpt import WholePassage
from workings.inference.ranking import AnswerPolicy
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.program import Program
from workings.reader import Reader
from workings.settings import Recipe

QUESTIONS = [QUESTION, "Who kicked a goal?", "When was the club founded?"]
OTHER_PASSAGE = "Ben moved 12 yards in 1936. Ada kicked 3 goals."
WITHOUT_VALUES = "Ada kicked a field goal after the break."


@pytest.fixture(scope="module")
def network() -> Network:
    return tiny_network()


@pytest.fixture(scope="module")
def reader(network: Network) -> Reader:
    return Reader(network)


@pytest.fixture(scope="module")
def split_reader() -> Reader:
    """A reader whose first layer encodes passage and question separately."""
    return Reader(tiny_network(Recipe.read({"encoder": {"split": 1}})))


def summary(explanation: Explanation) -> tuple[str, str, Any]:
    confidence = pytest.approx(explanation.confidence, rel=1e-3)
    return explanation.program, str(explanation.answer), confidence


@pytest.fixture(scope="module")
def unchecked_reader(network: Network) -> Reader:
    """A reader that can be called with arguments of a wrong type."""
    reader: Reader = without_type_checks(reader_module).Reader(network)
    return reader


def test_package_exports() -> None:
    assert workings.Reader is Reader
    assert workings.Explanation is Explanation
    for name in workings.__all__:
        assert getattr(workings, name) is not None
    assert workings.__version__ == version("workings")
    with pytest.raises(AttributeError):
        workings.nothing  # noqa: B018


def test_ask_many_agrees_with_ask(reader: Reader) -> None:
    pairs = [(question, text) for question in QUESTIONS for text in (PASSAGE, OTHER_PASSAGE)]
    for batch_size in (1, 4, 8):
        explanations = reader.ask_many(pairs, batch_size=batch_size)
        assert [(one.question, one.passage) for one in explanations] == pairs
        assert list(map(summary, explanations)) == [summary(reader.ask(*pair)) for pair in pairs]


def test_ask_many_accepts_any_iterable_of_pairs(unchecked_reader: Reader) -> None:
    assert unchecked_reader.ask_many([]) == []
    pair = [QUESTION, PASSAGE]  # a pair read from JSON is a list
    (explanation,) = unchecked_reader.ask_many(iter([pair]))  # type: ignore[arg-type]
    assert (explanation.question, explanation.passage) == (QUESTION, PASSAGE)


@pytest.mark.parametrize(
    ("pairs", "message", "hint"),
    [
        ([{"question": QUESTION, "passage": PASSAGE}], "Item 0 is a dict", 'item["question"]'),
        ({"question": QUESTION, "passage": PASSAGE}, "A single dict", "pairs"),
        ([QUESTION, PASSAGE], "Item 0 is a str", "pairs"),
        (["ab", "cd"], "Item 0 is a str", "pairs"),
        (QUESTION, "A single str", "pairs"),
        (None, "A single NoneType", "pairs"),
        ([(QUESTION, PASSAGE), (QUESTION, PASSAGE, "more")], "Item 1 is a tuple", "pairs"),
        ([(QUESTION, [PASSAGE])], "passage is of type list", "string"),
        ([(None, PASSAGE)], "question is of type NoneType", "string"),
    ],
)
def test_ask_many_rejects_other_input(
    unchecked_reader: Reader, pairs: Any, message: str, hint: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        unchecked_reader.ask_many(pairs)
    assert hint in caught.value.hint


def test_ask_many_about_one_passage_rejects_a_string(reader: Reader) -> None:
    with pytest.raises(InputError, match="A single str"):
        reader.read(PASSAGE).ask_many(QUESTION)


@pytest.mark.parametrize("batch_size", [0, -1, 1.5, True, None])
def test_rejects_bad_batch_size(unchecked_reader: Reader, batch_size: Any) -> None:
    passage_reader = unchecked_reader.read(PASSAGE)
    with pytest.raises(InputError, match="batch_size"):
        unchecked_reader.ask_many([(QUESTION, PASSAGE)], batch_size=batch_size)
    with pytest.raises(InputError, match="batch_size"):
        unchecked_reader.ask_many([], batch_size=batch_size)
    with pytest.raises(InputError, match="batch_size"):
        passage_reader.ask_many(QUESTIONS, batch_size=batch_size)


def test_passage_reader_agrees_with_ask(reader: Reader, split_reader: Reader) -> None:
    for each in (reader, split_reader):
        passage_reader = each.read(PASSAGE)
        expected = [summary(each.ask(question, PASSAGE)) for question in QUESTIONS]
        assert [summary(passage_reader.ask(question)) for question in QUESTIONS] == expected
        explanations = passage_reader.ask_many(QUESTIONS, batch_size=2)
        assert list(map(summary, explanations)) == expected


def test_layers_below_the_split_encode_a_passage_once(
    split_reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []
    original = PassageCache.put

    def counted(cache: PassageCache, states: Any) -> None:
        encoded.append(len(states))
        original(cache, states)

    monkeypatch.setattr(PassageCache, "put", counted)
    passage_reader = split_reader.read("Ben kicked 31 goals.")
    first = summary(passage_reader.ask(QUESTION))
    assert summary(passage_reader.ask(QUESTION)) == first
    assert encoded == [1]


class FakePassage:
    """A passage of a given length."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length


def batches(passages: list[FakePassage], batch_size: int) -> list[list[int]]:
    return list(reader_module._batches(passages, batch_size))


def test_long_passages_are_answered_in_smaller_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "_MAX_BATCH_TOKENS", 100)
    lengths = [30, 90, 30, 40, 30, 300]
    found = batches([FakePassage(length) for length in lengths], 8)
    assert found == [[0, 2, 4], [3], [1], [5]]


def test_order_of_batches_does_not_depend_on_memory_addresses() -> None:
    # Allocated in advance and sorted by address, so that an order by id() would reverse them.
    by_address = sorted((FakePassage(10) for _ in range(6)), key=id, reverse=True)
    assert batches(by_address, 4) == [[0, 1, 2, 3], [4, 5]]
    first, second, *_ = by_address
    assert batches([first, second, first, second], 2) == [[0, 2], [1, 3]]


def test_long_passage_with_many_numbers(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> None:
    monkeypatch.setattr("workings.ops.results.MAX_EXACT_PAIRS", 400)
    monkeypatch.setattr("workings.ops.results.MAX_LIKELY_PAIRS", 400)
    monkeypatch.setattr("workings.ops.distinct.MAX_MENTIONS", 20)
    monkeypatch.setattr("workings.modules.relocate.MAX_PAIRS", 4000)
    sentences = (f"Ada kicked {number} goals on 3 May {1000 + number}." for number in range(60))
    passage_reader = reader.read(" ".join(sentences))
    assert isinstance(passage_reader.passage, WholePassage)
    assert len(passage_reader.passage.input) > 500
    for program in (
        "add(add(find-num(find), find-num(find)), find-num(find))",
        "time-diff(find, find)",
        "span(relocate(compare-date-lt(find, find-max-num(find))))",
    ):
        explanation = passage_reader.run(program, QUESTION)
        assert explanation.answer.texts, program
        assert 0 <= explanation.steps[-1].output.nothing < 1


FILLER = "Ben moved after the break. " * 1000
LONG_PASSAGE = f"{FILLER}{PASSAGE} {FILLER}"


def all_texts(explanation: Explanation) -> list[tuple[str, str]]:
    """The text of each share and operand, beside the characters at its place."""
    weights = [step.output for step in explanation.steps]
    weights += [weights for step in explanation.steps for weights in step.notes.values()]
    shares = [share for each in weights for share in each.shares if share.place]
    return [(share.text, explanation.text_at(share.place)) for share in shares if share.place]


@pytest.mark.parametrize("grounding", ["pooled", "tokens"])
def test_long_passage_is_read_in_parts(grounding: str) -> None:
    reader = Reader(tiny_network(Recipe.read({"modules": {"grounding": grounding}})))
    explanation = reader.ask(QUESTION, LONG_PASSAGE)
    assert explanation.passage == LONG_PASSAGE
    assert explanation.parts_read is not None
    read = "\n\n\n\n".join(map(explanation.text_at, explanation.parts_read))
    assert PASSAGE in read
    assert len(read) < 4000
    alone = reader.ask(QUESTION, read)
    assert summary(alone) == summary(explanation)
    assert alone.parts_read is None
    texts = all_texts(explanation)
    assert texts
    assert all(text == at_place for text, at_place in texts)


def test_operands_of_a_long_passage_have_their_places(reader: Reader) -> None:
    program = "sub(find-num(find), find-num(find))"
    explanation = reader.run(program, QUESTION, LONG_PASSAGE)
    assert explanation.parts_read is not None
    assert explanation.equation is not None
    stated = [operand for operand in explanation.equation.operands if operand.place]
    for operand in stated:
        assert operand.place is not None
        assert explanation.text_at(operand.place) in (
            "24",
            "31",
            "47",
            "first",
            "3",
            "1901",
            "1936",
        )
    values = {explanation.text_at(value.place) for value in explanation.values}
    assert {"24", "31", "47", "3 May 1901"} <= values


def test_each_question_reads_its_own_parts(reader: Reader) -> None:
    text = f"{PASSAGE} {FILLER} The longest quarter shortest yards was 12. {FILLER}"
    questions = ["Who kicked a 24-yard field goal?", "Was the longest quarter shortest?"]
    together = reader.read(text).ask_many(questions)
    pairs = reader.ask_many([(question, text) for question in questions])
    assert [each.parts_read for each in together] == [each.parts_read for each in pairs]
    assert together[0].parts_read != together[1].parts_read
    assert [summary(each) for each in together] == [summary(reader.ask(q, text)) for q in questions]


def test_top_k_is_the_number_of_programs(network: Network) -> None:
    for top_k in (1, 2, 6):
        explanation = Reader(network, AnswerPolicy(top_k=top_k)).ask(QUESTION, PASSAGE)
        assert len(explanation.alternatives) == top_k - 1
    answered = [each for each in explanation.alternatives if each.answer.texts]
    confidences = [explanation.confidence, *(alternative.confidence for alternative in answered)]
    assert confidences == sorted(confidences, reverse=True)


def test_abstains_below_the_threshold(network: Network) -> None:
    explanation = Reader(network, AnswerPolicy(threshold=1.0)).ask(QUESTION, PASSAGE)
    assert explanation.abstained
    assert explanation.alternatives[0].program == explanation.program


NAN = float("nan")


@pytest.mark.parametrize(
    "options",
    [{"top_k": 0}, {"top_k": -1}, {"threshold": 2}, {"threshold": -0.1}, {"threshold": NAN}],
    ids=str,
)
def test_rejects_bad_options_before_loading(options: dict[str, Any], tmp_path: Path) -> None:
    folder = save(tiny_network(), tmp_path)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=next(iter(options))):
        Reader.from_pretrained(folder, **options)


def test_run_given_program(reader: Reader) -> None:
    text = "sub(find-num(find), find-num(find))"
    explanation = reader.run(text, QUESTION, PASSAGE)
    assert explanation.program == text
    assert explanation.confidence == explanation.answer.probability
    assert reader.read(PASSAGE).run(Program.parse(text), QUESTION) == explanation


def test_run_agrees_with_ask(reader: Reader) -> None:
    asked = reader.ask(QUESTION, PASSAGE)
    ran = reader.run(asked.program, QUESTION, PASSAGE)
    assert str(ran.answer) == str(asked.answer)
    assert ran.answer.probability == pytest.approx(asked.answer.probability, rel=1e-3)


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
def test_rejects_program_that_cannot_run(reader: Reader, program: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message) as caught:
        reader.run(program, QUESTION, WITHOUT_VALUES)
    assert caught.value.hint


def test_programs_without_values_run_on_any_passage(reader: Reader) -> None:
    for program in ("count(find)", "span(find)", "spans(relocate(find))"):
        assert reader.run(program, QUESTION, WITHOUT_VALUES).answer.texts


def test_prefers_programs_whose_values_the_passage_has(reader: Reader) -> None:
    explanation = reader.ask(QUESTION, WITHOUT_VALUES)
    needs = [REGISTRY[step.module].needs for step in explanation.steps]
    assert explanation.abstained or not any(needs)


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
def test_rejects_bad_text(
    unchecked_reader: Reader, question: str, passage: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        unchecked_reader.ask(question, passage)


def test_rejects_program_that_is_not_text(unchecked_reader: Reader) -> None:
    program: Any = ["count", "find"]
    with pytest.raises(InputError, match="program is of type list"):
        unchecked_reader.run(program, QUESTION, PASSAGE)


def test_answers_about_unusual_text(reader: Reader) -> None:
    for passage in ("!", "日本は24ヤード", "e\u0301 24 — “x”\r\n", "24 " * 600):
        assert reader.ask(QUESTION, passage).passage == passage


def test_saved_reader_answers_alike(network: Network, tmp_path: Path) -> None:
    folder = Reader(network, AnswerPolicy(temperature=2.0)).save_pretrained(tmp_path / "model")
    loaded = Reader.from_pretrained(folder, top_k=2, threshold=0.0)
    assert loaded.policy == AnswerPolicy(top_k=2, threshold=0.0, temperature=2.0)
    again = Reader.from_pretrained(str(loaded.save_pretrained(tmp_path / "again")), top_k=2)
    assert again.ask(QUESTION, PASSAGE) == loaded.ask(QUESTION, PASSAGE)


def test_installation_without_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        "workings.checkpoint.model_folder.files", lambda package: tmp_path / package
    )
    with pytest.raises(CheckpointError, match="workings train"):
        Reader.from_pretrained()


def test_answering_builds_no_gradients(reader: Reader) -> None:
    reader.ask(QUESTION, PASSAGE)
    assert torch.is_grad_enabled()
    assert all(weight.grad is None for weight in reader.network.parameters())


def test_model_that_writes_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "answer_candidates", lambda *_: [[]])
    with pytest.raises(CheckpointError, match="no program"):
        Reader(tiny_network()).ask(QUESTION, PASSAGE)


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")  # raised inside torch
@pytest.mark.parametrize("fast", [False, True])
def test_reader_can_be_pickled(tmp_path: Path, fast: bool) -> None:
    folder = save(tiny_network(), tmp_path)
    reader = Reader.from_pretrained(folder, top_k=2, threshold=0.25, fast=fast)
    expected = reader.ask(QUESTION, PASSAGE)  # fills the caches, which must not be in the way
    again = pickle.loads(pickle.dumps(reader))
    assert again.policy == reader.policy
    assert again.ask(QUESTION, PASSAGE) == expected


Ask = Callable[[], Explanation]


def ask_in_child(ask: Ask, results: Any) -> None:
    results.put(json.dumps(ask().to_json()))


def result_of_forked_child(ask: Ask) -> Explanation:
    """Call a function in a forked child; fail if it does not end in time."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=ask_in_child, args=(ask, results))
    child.start()
    try:
        return Explanation.from_json(results.get(timeout=60))
    finally:
        child.kill()
        child.join()


@pytest.fixture
def two_threads() -> Any:
    """Two torch threads that have already worked, as in a process that has answered."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    torch.ones(1000, 1000).exp().sum()
    yield
    torch.set_num_threads(before)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork"
)
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.usefixtures("two_threads")
def test_forked_child_answers(tmp_path: Path) -> None:
    folder = save(tiny_network(), tmp_path)
    reader = Reader.from_pretrained(folder)
    passage = f"{PASSAGE} " * 20  # long enough for torch to use its threads
    expected = reader.ask(QUESTION, passage)

    def ask_again() -> Explanation:
        return reader.ask(QUESTION, passage)

    def load_and_ask() -> Explanation:
        return Reader.from_pretrained(folder).ask(QUESTION, passage)

    for ask in (ask_again, load_and_ask):
        assert summary(result_of_forked_child(ask)) == summary(expected)
    assert torch.get_num_threads() == 2


def test_threads_are_kept_in_the_process_that_first_ran_torch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    monkeypatch.setattr(forking, "_torch_process", None)
    monkeypatch.setattr("os.getpid", lambda: 1)
    forking.use_one_thread_after_fork()
    forking.use_one_thread_after_fork()
    assert threads == []
    monkeypatch.setattr("os.getpid", lambda: 2)
    forking.use_one_thread_after_fork()
    forking.use_one_thread_after_fork()
    assert threads == [1]
