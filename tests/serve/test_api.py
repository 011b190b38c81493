"""Tests of the JSON API."""

import json
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from stub_reader import StubReader, work_until_stopped

from tiny import PASSAGE, QUESTION
from workings.explain import Explanation
from workings.modules import REGISTRY
from workings.reader import Reader
from workings.serve import create_app, limits
from workings.serve.batching import BatchingLimits
from workings.serve.metrics import Metrics

URL = "http://localhost"
PROGRAM = "sub(find-num(find), find-num(find))"


def test_answers_in_the_order_of_the_questions(client: TestClient, reader: Reader) -> None:
    questions = [QUESTION, "When was the club founded?"]
    response = client.post("/answer", json={"passage": PASSAGE, "questions": questions})
    assert response.status_code == 200
    answers = [Explanation.from_json(answer) for answer in response.json()["answers"]]
    assert [answer.question for answer in answers] == questions
    expected = reader.ask(QUESTION, PASSAGE)
    assert answers[0].answer.texts == expected.answer.texts
    assert answers[0].program == expected.program


def test_runs_a_program(client: TestClient) -> None:
    request = {"program": PROGRAM, "question": QUESTION, "passage": PASSAGE}
    response = client.post("/run", json=request)
    assert Explanation.from_json(response.json()).program == PROGRAM


TOO_LONG = "a" * (limits.PASSAGE_CHARS + 1)


@pytest.mark.parametrize(
    ("path", "request_body", "error"),
    [
        ("/answer", {"passage": " ", "questions": [QUESTION]}, "The passage is empty."),
        ("/answer", {"passage": PASSAGE, "questions": []}, "body.questions"),
        ("/answer", {"passage": PASSAGE, "questions": ["a"] * 65}, "body.questions"),
        ("/answer", {"passage": TOO_LONG, "questions": ["a"]}, "body.passage"),
        ("/answer", {"passage": PASSAGE, "question": "a"}, "body.questions"),
        ("/run", {"program": "cuont(find)", "question": "a", "passage": PASSAGE}, "no module"),
        ("/run", {"program": "count(", "question": "a", "passage": PASSAGE}, "At character 6"),
        ("/run", {"program": PROGRAM, "question": "a", "passage": "None."}, "needs numbers"),
    ],
)
def test_errors_have_a_hint(
    client: TestClient, path: str, request_body: dict[str, object], error: str
) -> None:
    response = client.post(path, json=request_body)
    assert response.status_code == 422
    assert error in response.json()["error"]
    assert response.json()["hint"]
    assert len(response.content) < 500


def test_reports_the_error_of_the_bad_question(client: TestClient) -> None:
    response = client.post("/answer", json={"passage": PASSAGE, "questions": [QUESTION, ""]})
    assert response.json()["error"] == "The question is empty."


def test_rejects_large_bodies(client: TestClient) -> None:
    large = client.post("/answer", content=b"x" * (limits.BODY_BYTES + 1))
    assert large.status_code == 413
    chunks = (b"x" * (1 << 16) for _ in range(17))  # without a Content-Length
    assert client.post("/answer", content=chunks).status_code == 413


def test_rejects_two_lengths(client: TestClient) -> None:
    headers = {"Transfer-Encoding": "chunked", "Content-Length": "2"}
    response = client.post("/answer", content=b"{}", headers=headers)
    assert response.status_code == 400
    assert response.json()["error"] == "The request has two lengths."


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
    ids=["not UTF-8", "deep", "surrogate", "key", "long key", "not numbers", "digits", "empty"],
)
def test_rejects_malformed_bodies(client: TestClient, body: bytes, status: int) -> None:
    response = client.post("/answer", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == status
    assert set(response.json()) == {"error", "hint"}
    assert len(response.content) < 500


def test_unknown_paths_and_methods(client: TestClient) -> None:
    responses = (client.get("/nothing"), client.delete("/answer"), client.get("/../../etc/passwd"))
    for response in responses:
        assert response.status_code in (404, 405)
        assert set(response.json()) == {"error", "hint"}
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("length", "status"),
    [("9" * 5_000, 413), ("-1", 400), ("1e3", 400), ("\u00b2", 400), ("", 400)],
)
def test_rejects_invalid_content_length(client: TestClient, length: str, status: int) -> None:
    headers = {b"Content-Length": length.encode("latin-1")}
    response = client.post("/answer", content=b"{}", headers=headers)
    assert response.status_code == status


def test_head_has_the_headers_of_get(client: TestClient) -> None:
    for path in ("/", "/health", "/modules", "/style.css"):
        head, get = client.head(path), client.get(path)
        assert head.status_code == 200
        assert head.content == b""
        assert head.headers["Content-Length"] == str(len(get.content))
    assert client.head("/answer").status_code == 405


def test_hides_the_details_of_a_bug(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(Reader, "ask_many", broken)
    with TestClient(create_app(reader), URL, raise_server_exceptions=False) as client:
        response = client.post("/answer", json={"passage": PASSAGE, "questions": [QUESTION]})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["hint"]


def test_full_queue_says_when_to_retry(reader: Reader) -> None:
    with TestClient(create_app(reader, BatchingLimits(queue_size=1)), URL) as client:
        response = client.post("/answer", json={"passage": PASSAGE, "questions": ["a", "b"]})
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "1"


def test_answer_timeout() -> None:
    stub = StubReader(work_until_stopped)
    with TestClient(create_app(stub, BatchingLimits(timeout=1)), URL) as client:
        response = client.post("/answer", json={"passage": PASSAGE, "questions": ["a"]})
    assert response.status_code == 504
    assert "shorter passage" in response.json()["hint"]


def test_long_programs_end_before_they_fill_memory(reader: Reader) -> None:
    program = "find-num(find)"
    for _ in range(60):
        program = f"add({program}, find-num(find))"
    assert len(program) < limits.PROGRAM_CHARS
    passage = " ".join(f"{number * number}.{number} metres." for number in range(300))
    limited = BatchingLimits(timeout=3600, pairs=1 << 18)
    with TestClient(create_app(reader, limited), URL) as client:
        body = {"program": program, "question": QUESTION, "passage": passage}
        response = client.post("/run", json=body)
    assert response.status_code == 422
    assert response.json()["error"] == "The program combines too many pairs of numbers."


def test_modules_and_health(client: TestClient) -> None:
    names = [module["name"] for module in client.get("/modules").json()]
    assert names == sorted(REGISTRY)
    assert client.get("/health").json() == {"status": "ok", "worker_restarts": 0}


class Panic(BaseException):
    """What native libraries raise when they panic: not an Exception."""


def test_health_reports_a_worker_that_dies() -> None:
    def panic(_questions: list[str]) -> None:
        raise Panic

    with TestClient(create_app(StubReader(panic)), URL) as client:
        for restarts, status in ((1, "ok"), (2, "ok"), (3, "failing")):
            response = client.post("/answer", json={"passage": PASSAGE, "questions": ["a"]})
            assert response.status_code == 500
            assert response.json()["error"] == "The worker died while it answered."
            health = client.get("/health")
            assert health.json() == {"status": status, "worker_restarts": restarts}
        assert health.status_code == 503
        assert "workings_worker_restarts 3.0" in client.get("/metrics").text


def test_openapi_description(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    assert set(description["paths"]) == {"/answer", "/run", "/modules", "/health", "/metrics"}
    responses = set(description["paths"]["/answer"]["post"]["responses"])
    errors = {"400", "403", "408", "413", "421", "422", "500", "503", "504"}
    assert responses == {"200"} | errors
    assert "Explanation" in description["components"]["schemas"]


def test_metrics_count_requests(client: TestClient) -> None:
    client.get("/health")
    client.get("/nothing/of/the/kind")
    response = client.get("/metrics")
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert re.search(
        r'^workings_requests_total\{path="/health",status="200"\} \d+\.0$', response.text, re.M
    )
    assert 'path="other",status="404"' in response.text
    assert "nothing/of" not in response.text


def test_metrics_by_hand() -> None:
    metrics = Metrics()
    metrics.count_request("/answer", 200, 0.02)
    metrics.count_request("/answer", 200, 40.0)
    metrics.count_batch(3)
    metrics.add_gauge("queue_length", "Questions in the queue.", lambda: 2)
    lines = metrics.render().decode().splitlines()
    assert 'workings_requests_total{path="/answer",status="200"} 2.0' in lines
    assert 'workings_request_seconds_bucket{le="0.01"} 0.0' in lines
    assert 'workings_request_seconds_bucket{le="0.03"} 1.0' in lines
    assert 'workings_request_seconds_bucket{le="30.0"} 1.0' in lines
    assert 'workings_request_seconds_bucket{le="+Inf"} 2.0' in lines
    assert "workings_request_seconds_sum 40.02" in lines
    assert "workings_questions_total 3.0" in lines
    assert "workings_batches_total 1.0" in lines
    assert "workings_queue_length 2.0" in lines


def test_documented_requests_work(client: TestClient) -> None:
    text = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    requests = re.findall(r"localhost:8000(/\w+) .*? -d '(.*?)'$", text, re.DOTALL | re.MULTILINE)
    assert [path for path, _ in requests] == ["/answer", "/run"]
    for path, body in requests:
        assert client.post(path, json=json.loads(body)).status_code == 200
