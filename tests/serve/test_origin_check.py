"""Tests of the checks of host and site, and of what logs and addresses reveal."""

import logging
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from stub_reader import StubReader

from tiny import PASSAGE, QUESTION
from workings.reader import Reader
from workings.serve import create_app
from workings.serve.origin_check import host_name, is_cross_site, is_served

NAMES = frozenset({"localhost", "answers.example"})


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("answers.example.", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.7", True),
        ("[::1]:8000", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("evil.example:8000", False),
        ("localhost@evil.example", False),
        ("evil.example#localhost", False),
        ("localhost/", False),
        ("localhost:", False),
        ("localhost:99999", False),
        ("[", False),
        ("", False),
    ],
)
def test_hosts(host: str, served: bool) -> None:
    assert is_served(host, NAMES) == served


@given(st.text())
def test_any_host_is_read_without_an_error(host: str) -> None:
    name = host_name(host)
    assert name is None or name


@pytest.mark.parametrize(
    ("headers", "cross_site"),
    [
        ({}, False),
        ({"sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "same-site"}, True),  # another port of this machine
        ({"origin": "http://localhost:8000"}, False),
        ({"origin": "http://evil.example"}, True),
        ({"origin": "http://localhost:9000"}, True),
        ({"origin": "null"}, False),  # sent by our own form, whose referrer policy hides it
        ({"origin": "null", "sec-fetch-site": "cross-site"}, True),
        ({"origin": "http://evil.example", "sec-fetch-site": "same-origin"}, False),
    ],
)
def test_sites(headers: dict[str, str], cross_site: bool) -> None:
    assert is_cross_site(Headers({"host": "localhost:8000", **headers})) == cross_site


def test_other_hosts_are_refused(client: TestClient) -> None:
    for path in ("/", "/health", "/answer"):
        response = client.get(path, headers={"Host": "evil.example"})
        assert response.status_code == 421
        assert "--allow-host" in response.json()["hint"]


def test_named_hosts_are_served() -> None:
    app = create_app(StubReader(), hosts=["Answers.Example"])
    with TestClient(app, "http://answers.example:8000") as client:
        assert client.get("/health").status_code == 200


def test_no_redirect_is_built_from_the_host(client: TestClient) -> None:
    for path in ("/health/", "/answer/", "/modules/"):
        response = client.get(path, follow_redirects=False)
        assert response.status_code == 404, path
        assert "Location" not in response.headers


CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}


def test_posts_of_other_sites_are_refused(client: TestClient) -> None:
    body = {"passage": PASSAGE, "questions": [QUESTION]}
    assert client.post("/answer", json=body, headers=CROSS_SITE).status_code == 403
    form = {"question": QUESTION, "passage": PASSAGE}
    response = client.post("/", data=form, headers=CROSS_SITE)
    assert response.status_code == 403
    assert "another site" in response.json()["error"]


def test_links_on_other_sites_are_shown_but_not_answered() -> None:
    reader = StubReader()
    with TestClient(create_app(reader), "http://localhost") as client:
        form = {"question": QUESTION, "passage": PASSAGE}
        address = client.post("/", data=form, follow_redirects=False).headers["Location"]
        response = client.get(address, headers=CROSS_SITE)
        assert client.head(address).status_code == 200
    assert response.status_code == 403
    assert PASSAGE in response.text
    assert "Press Ask" in response.text
    assert reader.batches == []


def test_start_page_opens_from_other_sites(client: TestClient) -> None:
    assert client.get("/", headers=CROSS_SITE).status_code == 200


def test_passages_are_neither_in_addresses_nor_in_logs(
    reader: Reader, caplog: pytest.LogCaptureFixture
) -> None:
    form = {"question": "Which secret?", "passage": "The secret number is 4711."}
    with (
        caplog.at_level(logging.INFO, "workings.serve"),
        TestClient(create_app(reader), "http://localhost") as client,
    ):
        address = client.post("/", data=form, follow_redirects=False).headers["Location"]
        assert "4711" not in address
        assert "4711" in client.get(address).text
        client.get(f"/?{urlencode(form)}")
        client.get("/4711")
    records = {id(record): record for record in caplog.records}.values()  # each one once
    own = [record.getMessage() for record in records if record.name == "workings.serve"]
    assert [line.rsplit(" ", 2)[0] for line in own] == [
        "POST / 303",
        "GET / 200",
        "GET / 200",
        "GET other 404",
    ]
