"""Tests of the web page, as a browser without scripts sees it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from tiny import PASSAGE, QUESTION
from workings.errors import InputError
from workings.reader import Reader
from workings.serve import limits
from workings.serve.permalinks import PageQuery, Permalinks
from workings.serve.sample_questions import EXAMPLES

MARKUP = "<script>alert(1)</script> \"'&lt; 7 </textarea>"


def ask(client: TestClient, **fields: str) -> str:
    return client.post("/", data=fields).text


def test_start_page_has_a_form_and_examples(client: TestClient) -> None:
    page = client.get("/").text
    assert '<form class="ask" method="post"' in page
    assert 'class="edit"' not in page
    for example in EXAMPLES:
        assert example.question in unescape(page)
    assert "What it can do" in page
    assert "What it cannot do" in page


def test_form_redirects_to_a_permalink(client: TestClient, reader: Reader) -> None:
    fields = {"question": QUESTION, "passage": PASSAGE}
    response = client.post("/", data=fields, follow_redirects=False)
    assert response.status_code == 303
    address = response.headers["Location"]
    assert parse_qs(urlsplit(address).query)["question"] == [QUESTION]
    assert len(address) < 200
    page = client.get(address).text
    expected = reader.ask(QUESTION, PASSAGE)
    assert f">{expected.answer}</output>" in unescape(page)
    assert (
        f'name="program" aria-label="Program" required maxlength="2000" value="{expected.program}"'
        in page
    )
    assert all(other.program in page for other in expected.alternatives)
    assert 'class="minimum" hidden' in page


def test_alternatives_can_be_run(client: TestClient) -> None:
    page = ask(client, question=QUESTION, passage=PASSAGE)
    address = unescape(re.findall(r'<a href="(/\?[^"]+)"', page[page.index("Other programs") :])[0])
    (program,) = parse_qs(urlsplit(address).query)["program"]
    assert f'value="{program}"' in client.get(address).text


def test_runs_an_edited_program(client: TestClient) -> None:
    page = ask(client, question=QUESTION, passage=PASSAGE, program="count(filter(find))")
    assert "<code>count(attention) → numbers</code>" in page
    assert 'value="count(filter(find))"' in page


@pytest.mark.parametrize(
    ("program", "message", "hint", "place"),
    [
        ("count(fnid)", "There is no module 'fnid'.", "Did you mean 'find'?", "fnid"),
        ("count(find", "At character 10", "Write a program such as", " "),
        ("count(find-num(find))", "input 1 of count must be attention", "", "find-num"),
    ],
)
def test_invalid_program_stays_in_the_form(
    client: TestClient, reader: Reader, program: str, message: str, hint: str, place: str
) -> None:
    fields = {"question": QUESTION, "passage": PASSAGE, "program": program}
    response = client.post("/", data=fields)
    assert response.status_code == 422
    page = unescape(response.text)
    assert message in page
    assert hint in page
    assert f'value="{program}"' in page
    assert 'role="alert"' in page
    assert f"<mark>{place}</mark>" in page
    assert f">{reader.ask(QUESTION, PASSAGE).answer}</output>" in page, "the answer is gone"


def test_link_has_the_id_of_the_passage(client: TestClient) -> None:
    passage = f"{PASSAGE}\nIt rained."
    page = ask(client, question=QUESTION, passage=passage.replace("\n", "\r\n"))
    address = unescape(re.findall(r'class="link"><a href="([^"]+)"', page)[0])
    assert len(address) < 200
    assert PASSAGE in unescape(client.get(address).text)


def test_link_to_a_passage_that_is_no_longer_stored(client: TestClient) -> None:
    response = client.get("/?question=Who%3F&passage_id=0123456789abcdef")
    assert response.status_code == 422
    assert "no longer stored" in response.text


def test_address_without_a_passage_fills_the_form(client: TestClient) -> None:
    response = client.get("/", params={"question": QUESTION, "passage": PASSAGE})
    assert response.status_code == 200
    assert f'value="{QUESTION}"' in unescape(response.text)
    assert PASSAGE not in unescape(response.text)


def test_permalinks_round_trip_and_forget_old_passages() -> None:
    permalinks = Permalinks()
    queries = [PageQuery("Who?", f"{i} words", "count(find)") for i in range(257)]
    addresses = [permalinks.address(query) for query in queries]
    assert permalinks.parse_address(addresses[-1][2:]) == queries[-1]
    short = PageQuery("ä?", "a & b\n<c>")
    assert permalinks.parse_address(permalinks.address(short)[2:]) == short
    with pytest.raises(InputError, match="no longer stored"):
        permalinks.parse_address(addresses[0][2:])


@given(st.text(min_size=1), st.text(), st.text())
def test_any_query_round_trips(question: str, passage: str, program: str) -> None:
    query = PageQuery(*(text.replace("\r\n", "\n") for text in (question, passage, program)))
    permalinks = Permalinks()
    assert permalinks.parse_address(permalinks.address(query)[2:]) == query


def test_ids_of_passages_cannot_be_guessed() -> None:
    query = PageQuery("Who?", PASSAGE)
    assert Permalinks().address(query) != Permalinks().address(query)


def test_escapes_all_fields(client: TestClient) -> None:
    for program in ("", "count(find)", MARKUP):
        page = ask(client, question=MARKUP, passage=MARKUP, program=program)
        assert "<script>alert" not in page
        assert page.count("</textarea>") == 2


@pytest.mark.parametrize("name", ["question", "passage", "program"])
def test_rejects_long_fields(client: TestClient, name: str) -> None:
    fields = {"question": "Who?", "passage": PASSAGE, name: "a" * (limits.PASSAGE_CHARS + 1)}
    response = client.post("/", data=fields)
    assert response.status_code == 422
    assert f"The {name} has 60,001 characters" in response.text


def test_rejects_empty_passage(client: TestClient) -> None:
    assert "The passage is empty." in ask(client, question="Who?", passage="")


def test_rejects_too_many_fields(client: TestClient) -> None:
    assert client.get(f"/?{'&'.join('a=1' for _ in range(20))}").status_code == 422


def test_loads_only_its_own_script_and_style(client: TestClient) -> None:
    response = client.post("/", data={"question": QUESTION, "passage": PASSAGE})
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    page = response.text
    assert re.findall(r"<script[^>]*>", page) == re.findall(r'<script src="/[^>]*>', page)
    assert "<style" not in page
    assert not re.search(r"\son[a-z]+=", re.sub(r">[^<]*<", "><", page))
    assert "//" not in " ".join(re.findall(r'(?:src|href)="([^"?]*)', page))


def test_style_and_script(client: TestClient) -> None:
    assert ".workings" in client.get("/style.css").text
    response = client.get("/script.js")
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in response.headers["Cache-Control"]
    assert response.text.count("\n") < 150
