"""Fuzz targets: the number of cases of each, and a function that prepares it."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TypeAlias
from urllib.parse import quote

import hostile_inputs
from hostile_inputs import json_bytes, mutate, mutate_text, program, text, tree

from tiny import PASSAGE, QUESTION, tiny_network
from workings import files
from workings.batch.questions import RejectedLine, Request, read_questions
from workings.checkpoint.model_folder import load, save
from workings.data.build import write_drop
from workings.data.documents import read_bytes
from workings.data.download import unpack_archive
from workings.data.kinds import with_kinds
from workings.data.records import read_passages
from workings.modules import REGISTRY
from workings.network.grammar import Grammar
from workings.program import Program
from workings.reader import Reader
from workings.score import read_predictions, score_predictions
from workings.settings import Recipe
from workings.supervision.supervise import supervise_all
from workings.values import format_exact, read_values

Case: TypeAlias = Callable[[Random], object]
Prepare: TypeAlias = Callable[[Path, ExitStack], Case]

_FIELDS = """
    passage question qa_pairs answer validated_answers number spans date day month year kind
    evidence query_id id augmented source questions program
""".split()
_RECIPES = [
    path.read_text() for path in sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
]
_SETTINGS = [f"{name}.{key}" for name, field in Recipe.model_fields.items()
             for key in getattr(field.annotation, "model_fields", ())]  # fmt: skip


def values(_folder: Path, _stack: ExitStack) -> Case:
    def case(draw: Random) -> None:
        source = text(draw)
        found = read_values(source)
        spans = [(number.start, number.end) for number in found.numbers]
        spans += [(date.start, date.end) for date in found.dates]
        spans += [(time.start, time.end) for time in found.times]
        spans += [(duration.start, duration.end) for duration in found.durations]
        assert all(0 <= start < end <= len(source) for start, end in spans)
        for number in found.numbers:
            assert Fraction(format_exact(number.value)) == number.value

    return case


def programs(_folder: Path, _stack: ExitStack) -> Case:
    grammar, modules = Grammar.of(REGISTRY), sorted(REGISTRY)

    def case(draw: Random) -> None:
        parsed = Program.parse(program(draw, modules))
        assert Program.parse(str(parsed)) == parsed
        assert len(grammar.derive(parsed)) == sum(1 for _ in parsed.walk())

    return case


def recipes(folder: Path, _stack: ExitStack) -> Case:
    path = folder / "recipe.toml"

    def case(draw: Random) -> None:
        raw = draw.choice(_RECIPES)
        damage = draw.randrange(4)
        if damage == 0:
            raw = mutate_text(draw, raw)
        elif damage == 1:
            raw += "\n" + draw.choice(
                ("a = " + "[" * 5_000, "b = " + "9" * 5_000, "[train]", text(draw))
            )
        path.write_bytes(raw.encode("utf-8", "surrogatepass"))
        odd = (
            "nan",
            "inf",
            "-1",
            "0",
            "1e400",
            "9" * 30,
            "9" * 5_000,
            "[]",
            "{}",
            "'x'",
            "true",
            "",
            text(draw),
        )
        names = (*_SETTINGS, "encoder", "nmae", "encoder.width.more", text(draw))
        overrides = [f"{draw.choice(names)}={draw.choice(odd)}" for _ in range(draw.randrange(4))]
        source = path if draw.random() < 0.9 else draw.choice((text(draw), "x" * 5_000, folder))
        recipe = Recipe.load(source, overrides)
        assert Recipe.read(json.loads(recipe.model_dump_json())) == recipe

    return case


def data(folder: Path, stack: ExitStack) -> Case:
    _lower_file_limit(stack)

    def case(draw: Random) -> None:
        path = folder / draw.choice(("a.json", "a.jsonl", "a.json.gz"))
        path.write_bytes(_records(draw))
        passages = list(with_kinds(read_passages(path).passages))
        supervise_all(passages)
        write_drop(folder / "out.json.gz", passages)
        assert len(read_passages(folder / "out.json.gz").passages) == len(passages)
        score_predictions({}, passages)

    return case


def _records(draw: Random) -> bytes:
    pair = {"question": draw.choice((QUESTION, text(draw))), "answer": tree(draw, _FIELDS)}
    pair |= {name: tree(draw, _FIELDS) for name in draw.sample(_FIELDS, draw.randrange(3))}
    passage = draw.choice((PASSAGE, text(draw)[:5_000]))
    record = draw.choice(({"passage": passage, "qa_pairs": [pair, pair]}, tree(draw, _FIELDS)))
    if draw.random() < 0.3:
        lines = [{"passage": passage, **pair}, tree(draw, _FIELDS), pair]
        return "\n".join(map(json.dumps, lines)).encode()
    return json_bytes(draw, {text(draw)[:50]: record, "b": record})


def _lower_file_limit(stack: ExitStack) -> None:
    limit = files.LIMIT
    stack.callback(lambda: setattr(files, "LIMIT", limit))
    files.LIMIT = 1 << 22


def questions(folder: Path, stack: ExitStack) -> Case:
    _lower_file_limit(stack)

    def case(draw: Random) -> None:
        path = folder / draw.choice(("a.jsonl", "a.csv"))
        rows = [draw.choice(("id,question,passage", '"a"b,question,passage', text(draw)[:500]))]
        rows += [
            draw.choice((json.dumps(tree(draw, _FIELDS)), f"1,{text(draw)},b")) for _ in range(3)
        ]
        raw = "\n".join(rows).encode("utf-8", "surrogatepass")
        path.write_bytes(mutate(draw, raw) if draw.random() < 0.3 else raw)
        for line in read_questions(path):
            assert isinstance(line, Request | RejectedLine)
        read_predictions(path)

    return case


def archives(folder: Path, _stack: ExitStack) -> Case:
    inside = folder / "deep" / "out"
    path = folder / "deep" / "a.zip"
    path.parent.mkdir()

    def case(draw: Random) -> None:
        path.write_bytes(hostile_inputs.archive(draw))
        try:
            unpack_archive(path, inside, limit=1 << 20)
        finally:
            assert {entry.name for entry in folder.iterdir()} == {"deep"}
            assert {entry.name for entry in path.parent.iterdir()} <= {"a.zip", "out"}

    return case


def texts(_folder: Path, _stack: ExitStack) -> Case:
    pdf = _pdf()

    def case(draw: Random) -> None:
        name = draw.choice(("a.txt", "a.html", "a.pdf", "a.md"))
        raw = text(draw).encode("utf-8", draw.choice(("surrogatepass", "replace")))
        whole = pdf if name == "a.pdf" else b"<p>" + raw + b"</p>" if name == "a.html" else raw
        assert read_bytes(mutate(draw, whole) if draw.random() < 0.7 else whole, name).strip()

    return case


def _pdf() -> bytes:
    """Return a minimal PDF with one line of text."""
    content = b"BT /F1 12 Tf 72 720 Td (Ada kicked 24 yards.) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 "
        b"/BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    objects = [b"%d 0 obj\n%s\nendobj\n" % (n, part) for n, part in enumerate(parts, 1)]
    return b"%PDF-1.4\n" + b"".join(objects) + b"trailer << /Root 1 0 R /Size 5 >>\n%%EOF\n"


def checkpoints(folder: Path, _stack: ExitStack) -> Case:
    intact = {path.name: path.read_bytes() for path in save(tiny_network(), folder / "m").iterdir()}
    config = json.loads(intact["config.json"])

    def case(draw: Random) -> None:
        damaged = dict(intact)
        name = draw.choice(("config.json", "model.safetensors", "tokenizer.json"))
        damaged[name] = (
            _odd_config(draw, config) if draw.random() < 0.3 else mutate(draw, intact[name])
        )
        for path, content in damaged.items():
            (folder / "m" / path).write_bytes(content)
        Reader(load(folder / "m")).ask(QUESTION, PASSAGE)

    return case


def _odd_config(draw: Random, config: dict[str, object]) -> bytes:
    odd: tuple[object, ...] = (
        0,
        -1,
        1.5,
        10**9,
        10**30,
        "x",
        None,
        [],
        {},
        True,
        float("nan"),
        "llama",
        "gpt2",
    )
    tree_: dict[str, object] = json.loads(json.dumps(config))
    part = tree_["encoder"] if draw.random() < 0.7 else tree_
    assert isinstance(part, dict)
    part[draw.choice((*part, "auto_map", "num_hidden_layers", "hidden_size"))] = draw.choice(odd)
    return json.dumps(tree_).encode()


def http(_folder: Path, stack: ExitStack) -> Case:
    from fastapi.testclient import TestClient

    from workings.serve import create_app
    from workings.serve.batching import BatchingLimits

    app = create_app(Reader(tiny_network()), BatchingLimits(timeout=3600, max_wait=0))
    client = stack.enter_context(
        TestClient(app, "http://localhost", raise_server_exceptions=False, follow_redirects=True)
    )

    def case(draw: Random) -> None:
        path = draw.choice(("/answer", "/run", "/", "/modules", "/metrics", _address(draw)))
        method = draw.choice(("POST", "POST", "POST", "GET", "PUT", "DELETE"))
        body = _body(draw)
        names = draw.sample(("question", "passage", "program", "passage_id"), 2)
        fields = {name: _field(draw) for name in names}
        query = {name: value.encode("utf-8", "replace")[:4_000] for name, value in fields.items()}
        content = (
            {"content": body}
            if draw.random() < 0.7
            else {"data": query}
            if draw.random() < 0.3
            else {"params": query}
        )
        if method in ("GET", "DELETE"):
            content = {"params": query}
        response = client.request(method, path, **content)
        is_json = "json" in response.headers.get("Content-Type", "")
        assert response.status_code < 500, response.text
        assert "<script>alert" not in response.text or is_json
        if response.status_code >= 400 and is_json:
            assert set(response.json()) == {"error", "hint"}, response.text

    return case


def _address(draw: Random) -> str:
    return "/" + quote(text(draw)[:50].encode("utf-8", "replace"))


def _field(draw: Random) -> str:
    return draw.choice((QUESTION, PASSAGE, "count(find)", text(draw)))


def _body(draw: Random) -> bytes:
    fields = {
        "passage": draw.choice((PASSAGE, text(draw)[:5_000])),
        "questions": [_field(draw)[:900] for _ in range(draw.randrange(3))],
    }
    run = {
        "passage": PASSAGE,
        "question": _field(draw)[:900],
        "program": program(draw, sorted(REGISTRY)),
    }
    value = draw.choice((fields, run, tree(draw, _FIELDS)))
    return json_bytes(draw, value) if draw.random() < 0.4 else json.dumps(value).encode()


def ask(_folder: Path, _stack: ExitStack) -> Case:
    reader, modules = Reader(tiny_network()), sorted(REGISTRY)

    def case(draw: Random) -> None:
        question = draw.choice((QUESTION, text(draw)))
        passage = draw.choice((PASSAGE, text(draw), f"{PASSAGE} {text(draw)}"))
        if draw.random() < 0.3:
            explanation = reader.run(program(draw, modules), question, passage)
        else:
            explanation = reader.ask(question, passage)
        assert 0 <= explanation.confidence <= 1
        json.dumps(explanation.to_json(), allow_nan=False)

    return case


TARGETS: dict[str, tuple[int, Prepare]] = {
    "values": (24_000, values),
    "programs": (14_000, programs),
    "recipes": (4_000, recipes),
    "data": (3_000, data),
    "questions": (2_000, questions),
    "archives": (2_000, archives),
    "texts": (2_000, texts),
    "checkpoints": (300, checkpoints),
    "http": (500, http),
    "ask": (400, ask),
}
