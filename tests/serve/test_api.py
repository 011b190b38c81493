"""The service as programs meet it."""

import json
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tiny import PASSAGE, QUESTION
from workings.explain import Explanation
from workings.modules import REGISTRY
from workings.reader import Reader
from workings.serve import create_app, limits
from workings.serve.batching import BatchingLimits
from workings.serve.metrics import Metrics

PROGRAM = "sub(find-num(find), find-num(find))"


def test_answers_come_in_the_order_asked(client: TestClient, reader: Reader) -> None:
    questions = [QUESTION, "When was the club founded?"]
    told = client.post("/answer", json={"passage": PASSAGE, "questions": questions})
    assert told.status_code == 200
    found = [Explanation.from_json(tree) for tree in told.json()["answers"]]
    assert [one.question for one in found] == questions
    alone = reader.ask(QUESTION, PASSAGE)
    assert found[0].answer.texts == alone.answer.texts
    assert found[0].program == alone.program


def test_a_program_is_run(client: TestClient) -> None:
    asked = {"program": PROGRAM, "question": QUESTION, "passage": PASSAGE}
    told = client.post("/run", json=asked)
    assert Explanation.from_json(told.json()).program == PROGRAM


@pytest.mark.parametrize(
    ("path", "asked", "error"),
    [
        ("/answer", {"passage": " ", "questions": [QUESTION]}, "The passage is empty."),
        ("/answer", {"passage": PASSAGE, "questions": []}, "body.questions"),
        ("/answer", {"passage": PASSAGE, "questions": ["a"] * 65}, "body.questions"),
        ("/answer", {"passage": "a" * (limits.PASSAGE + 1), "questions": ["a"]}, "body.passage"),
        ("/answer", {"passage": PASSAGE, "question": "a"}, "body.questions"),
        ("/run", {"program": "cuont(find)", "question": "a", "passage": PASSAGE}, "no module"),
        ("/run", {"program": "count(", "question": "a", "passage": PASSAGE}, "At character 6"),
        ("/run", {"program": PROGRAM, "question": "a", "passage": "None."}, "needs numbers"),
    ],
)
def test_faults_end_with_a_hint(
    client: TestClient, path: str, asked: dict[str, object], error: str
) -> None:
    told = client.post(path, json=asked)
    assert told.status_code == 422
    assert error in told.json()["error"]
    assert told.json()["hint"]
    assert len(told.content) < 500


def test_one_bad_question_tells_which_fault(client: TestClient) -> None:
    told = client.post("/answer", json={"passage": PASSAGE, "questions": [QUESTION, ""]})
    assert told.json()["error"] == "The question is empty."


def test_large_bodies_are_refused_unread(client: TestClient) -> None:
    assert client.post("/answer", content=b"x" * (limits.BODY + 1)).status_code == 413
    unsized = client.post("/answer", content=iter([b"{}"]))
    assert unsized.status_code == 413
    assert "Content-Length" in unsized.json()["hint"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"passage": "\xff", "questions": ["a"]}', 400),
        (b"[" * 100_000, 400),
        (b'{"passage": "a \\ud800", "questions": ["a"]}', 422),
        (b'{"passage": "a", "questions": ["a"], "\\ud800": 1}', 422),
        (b'{"passage": "a", "questions": ["a"], "' + b"k" * 10_000 + b'": 1}', 422),
        (b'{"passage": NaN, "questions": Infinity}', 422),
        (b'{"passage": ' + b"9" * 5_000 + b"}", 400),
        (b"", 422),
    ],
    ids=["bytes", "deep", "surrogate", "key", "long key", "not numbers", "digits", "nothing"],
)
def test_bodies_that_are_no_requests(client: TestClient, body: bytes, status: int) -> None:
    told = client.post("/answer", content=body, headers={"Content-Type": "application/json"})
    assert told.status_code == status
    assert set(told.json()) == {"error", "hint"}
    assert len(told.content) < 500


def test_addresses_that_lead_nowhere(client: TestClient) -> None:
    for told in (client.get("/nothing"), client.delete("/answer"), client.get("/../../etc/passwd")):
        assert told.status_code in (404, 405)
        assert set(told.json()) == {"error", "hint"}
        assert "default-src 'none'" in told.headers["Content-Security-Policy"]


@pytest.mark.parametrize("length", ["9" * 5_000, "-1", "1e3", "\u00b2", ""])
def test_lengths_that_are_none(client: TestClient, length: str) -> None:
    told = client.post(
        "/answer", content=b"{}", headers={"Content-Length": length.encode("latin-1")}
    )
    assert told.status_code == 413


def test_hosts_that_are_none(client: TestClient) -> None:
    assert client.get("/?question=a&passage=b", headers={"Host": "["}).status_code == 200


def test_a_fault_of_ours_is_told_without_its_traceback(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(Reader, "ask_many", broken)
    with TestClient(create_app(reader), raise_server_exceptions=False) as client:
        told = client.post("/answer", json={"passage": PASSAGE, "questions": [QUESTION]})
    assert told.status_code == 500
    assert "secret" not in told.text
    assert told.json()["hint"]


def test_a_full_queue_says_when_to_come_back(reader: Reader) -> None:
    with TestClient(create_app(reader, BatchingLimits(waiting=1))) as client:
        told = client.post("/answer", json={"passage": PASSAGE, "questions": ["a", "b"]})
    assert told.status_code == 503
    assert told.headers["Retry-After"] == "1"


def test_an_answer_that_takes_too_long(reader: Reader) -> None:
    with TestClient(create_app(reader, BatchingLimits(timeout=0.0))) as client:
        told = client.post("/answer", json={"passage": PASSAGE, "questions": ["a"]})
    assert told.status_code == 504


def test_modules_and_health(client: TestClient) -> None:
    assert [one["name"] for one in client.get("/modules").json()] == sorted(REGISTRY)
    assert client.get("/health").json() == {"status": "ok"}


def test_the_description(client: TestClient) -> None:
    tree = client.get("/openapi.json").json()
    assert set(tree["paths"]) == {"/answer", "/run", "/modules", "/health", "/metrics"}
    told = set(tree["paths"]["/answer"]["post"]["responses"])
    assert told == {"200", "400", "408", "413", "422", "503", "504"}
    assert "Explanation" in tree["components"]["schemas"]


def test_metrics_count(client: TestClient) -> None:
    client.get("/health")
    client.get("/nothing/of/the/kind")
    told = client.get("/metrics")
    assert told.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert re.search(
        r'^workings_requests_total\{path="/health",status="200"\} \d+$', told.text, re.M
    )
    assert 'path="other",status="404"' in told.text
    assert "nothing/of" not in told.text


def test_metrics_by_hand() -> None:
    metrics = Metrics()
    metrics.count_request("/answer", 200, 0.02)
    metrics.count_request("/answer", 200, 40.0)
    metrics.count_batch(3)
    lines = metrics.render(waiting=2).splitlines()
    assert 'workings_requests_total{path="/answer",status="200"} 2' in lines
    assert 'workings_request_seconds_bucket{le="0.01"} 0' in lines
    assert 'workings_request_seconds_bucket{le="0.03"} 1' in lines
    assert 'workings_request_seconds_bucket{le="30"} 1' in lines
    assert 'workings_request_seconds_bucket{le="+Inf"} 2' in lines
    assert "workings_request_seconds_sum 40.020000" in lines
    assert "workings_questions_total 3" in lines
    assert "workings_waiting 2" in lines


def test_the_documented_requests(client: TestClient) -> None:
    text = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    requests = re.findall(r"localhost:8000(/\w+) .*? -d '(.*?)'$", text, re.DOTALL | re.MULTILINE)
    assert [path for path, _ in requests] == ["/answer", "/run"]
    for path, body in requests:
        assert client.post(path, json=json.loads(body)).status_code == 200
