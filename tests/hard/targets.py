"""What is fuzzed: for each target how many cases, and how to get ready for them."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TypeAlias
from urllib.parse import quote

import nasty
from nasty import json_bytes, mutate, mutate_text, program, text, tree

from tiny import PASSAGE, QUESTION, tiny_network
from workings.batch.answering import Asked, RejectedLine, read_questions
from workings.checkpoint.model_folder import load, save
from workings.data import files
from workings.data.build import write_drop
from workings.data.documents import read_bytes
from workings.data.download import unpack
from workings.data.kinds import with_kinds
from workings.data.records import read_passages
from workings.modules import REGISTRY
from workings.network.grammar import Grammar
from workings.program import Program
from workings.reader import Reader
from workings.score import evaluate, read_predictions
from workings.settings import Recipe
from workings.supervision.supervise import supervise_all
from workings.values import format_exact, read_values

Case: TypeAlias = Callable[[Random], object]
Open: TypeAlias = Callable[[Path, ExitStack], Case]

_FIELDS = """
    passage question qa_pairs answer validated_answers number spans date day month year kind
    evidence query_id id augmented source questions program
""".split()
_RECIPES = [
    path.read_text() for path in sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
]
_SETTINGS = [f"{name}.{key}" for name, one in Recipe.model_fields.items()
             for key in getattr(one.annotation, "model_fields", ())]  # fmt: skip


def values(_folder: Path, _stack: ExitStack) -> Case:
    def case(draw: Random) -> None:
        given = text(draw)
        found = read_values(given)
        for one in (*found.numbers, *found.dates):
            assert 0 <= one.start < one.end <= len(given)
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
        how = draw.randrange(4)
        if how == 0:
            raw = mutate_text(draw, raw)
        elif how == 1:
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
    _small_limit(stack)

    def case(draw: Random) -> None:
        path = folder / draw.choice(("a.json", "a.jsonl", "a.json.gz"))
        path.write_bytes(_records(draw))
        reading = read_passages(path)
        passages = list(with_kinds(reading.passages))
        supervise_all(passages)
        write_drop(folder / "out.json.gz", passages)
        assert len(read_passages(folder / "out.json.gz").passages) == len(passages)
        evaluate({}, passages)

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


def _small_limit(stack: ExitStack) -> None:
    whole = files.LIMIT
    stack.callback(lambda: setattr(files, "LIMIT", whole))
    files.LIMIT = 1 << 22


def questions(folder: Path, stack: ExitStack) -> Case:
    _small_limit(stack)

    def case(draw: Random) -> None:
        path = folder / draw.choice(("a.jsonl", "a.csv"))
        rows = [draw.choice(("id,question,passage", '"a"b,question,passage', text(draw)[:500]))]
        rows += [
            draw.choice((json.dumps(tree(draw, _FIELDS)), f"1,{text(draw)},b")) for _ in range(3)
        ]
        raw = "\n".join(rows).encode("utf-8", "surrogatepass")
        path.write_bytes(mutate(draw, raw) if draw.random() < 0.3 else raw)
        for line in read_questions(path):
            assert isinstance(line, Asked | RejectedLine)
        read_predictions(path)

    return case


def archives(folder: Path, _stack: ExitStack) -> Case:
    inside = folder / "deep" / "out"
    path = folder / "deep" / "a.zip"
    path.parent.mkdir()

    def case(draw: Random) -> None:
        path.write_bytes(nasty.archive(draw))
        try:
            unpack(path, inside, limit=1 << 20)
        finally:
            assert {one.name for one in folder.iterdir()} == {"deep"}
            assert {one.name for one in path.parent.iterdir()} <= {"a.zip", "out"}

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
    """The least that is a PDF with a line of text."""
    drawn = b"BT /F1 12 Tf 72 720 Td (Ada kicked 24 yards.) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 "
        b"/BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
    ]
    objects = [b"%d 0 obj\n%s\nendobj\n" % (n, part) for n, part in enumerate(parts, 1)]
    return b"%PDF-1.4\n" + b"".join(objects) + b"trailer << /Root 1 0 R /Size 5 >>\n%%EOF\n"


def checkpoints(folder: Path, _stack: ExitStack) -> Case:
    whole = {path.name: path.read_bytes() for path in save(tiny_network(), folder / "m").iterdir()}
    config = json.loads(whole["config.json"])

    def case(draw: Random) -> None:
        harmed = dict(whole)
        name = draw.choice(("config.json", "model.safetensors", "tokenizer.json"))
        harmed[name] = (
            _odd_config(draw, config) if draw.random() < 0.3 else mutate(draw, whole[name])
        )
        for path, content in harmed.items():
            (folder / "m" / path).write_bytes(content)
        Reader(load(folder / "m")).ask(QUESTION, PASSAGE)

    return case


def _odd_config(draw: Random, config: dict[str, object]) -> bytes:
    odd = (0, -1, 1.5, 10**9, 10**30, "x", None, [], {}, True, float("nan"), "llama", "gpt2")
    tree_: dict[str, object] = json.loads(json.dumps(config))
    part = tree_["encoder"] if draw.random() < 0.7 else tree_
    assert isinstance(part, dict)
    part[draw.choice((*part, "auto_map", "num_hidden_layers", "hidden_size"))] = draw.choice(odd)
    return json.dumps(tree_).encode()


def http(_folder: Path, stack: ExitStack) -> Case:
    from fastapi.testclient import TestClient

    from workings.serve import create_app
    from workings.serve.batching import BatchingLimits

    app = create_app(Reader(tiny_network()), BatchingLimits(timeout=3600, linger=0))
    client = stack.enter_context(
        TestClient(app, raise_server_exceptions=False, follow_redirects=True)
    )

    def case(draw: Random) -> None:
        path = draw.choice(("/answer", "/run", "/", "/modules", "/metrics", _address(draw)))
        method = draw.choice(("POST", "POST", "POST", "GET", "PUT", "DELETE"))
        body = _body(draw)
        asked = {
            name: _part(draw) for name in draw.sample(("question", "passage", "program", "kept"), 2)
        }
        query = {name: part.encode("utf-8", "replace")[:4_000] for name, part in asked.items()}
        given = (
            {"content": body}
            if draw.random() < 0.7
            else {"data": query}
            if draw.random() < 0.3
            else {"params": query}
        )
        if method in ("GET", "DELETE"):
            given = {"params": query}
        told = client.request(method, path, **given)
        assert told.status_code < 500, told.text
        assert "<script>alert" not in told.text or "json" in told.headers["Content-Type"]
        if told.status_code >= 400 and "json" in told.headers.get("Content-Type", ""):
            assert set(told.json()) == {"error", "hint"}, told.text

    return case


def _address(draw: Random) -> str:
    return "/" + quote(text(draw)[:50].encode("utf-8", "replace"))


def _part(draw: Random) -> str:
    return draw.choice((QUESTION, PASSAGE, "count(find)", text(draw)))


def _body(draw: Random) -> bytes:
    fields = {
        "passage": draw.choice((PASSAGE, text(draw)[:5_000])),
        "questions": [_part(draw)[:900] for _ in range(draw.randrange(3))],
    }
    run = {
        "passage": PASSAGE,
        "question": _part(draw)[:900],
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
            found = reader.run(program(draw, modules), question, passage)
        else:
            found = reader.ask(question, passage)
        assert 0 <= found.confidence <= 1
        json.dumps(found.to_json(), allow_nan=False)

    return case


TARGETS: dict[str, tuple[int, Open]] = {
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
