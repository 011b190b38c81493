"""The page as a browser without scripts meets it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from tiny import PASSAGE, QUESTION
from workings.reader import Reader
from workings.serve import limits
from workings.serve.links import Links, PageQuery
from workings.serve.sample_questions import EXAMPLES

HOSTILE = "<script>alert(1)</script> \"'&lt; 7 </textarea>"


def ask(client: TestClient, **fields: str) -> str:
    return client.post("/", data=fields).text


def test_the_start_has_a_form_and_examples(client: TestClient) -> None:
    page = client.get("/").text
    assert '<form class="ask" method="post"' in page
    assert 'class="edit"' not in page
    for example in EXAMPLES:
        assert example.question in unescape(page)


def test_asking_leads_to_a_permalink(client: TestClient, reader: Reader) -> None:
    told = client.post("/", data={"question": QUESTION, "passage": PASSAGE}, follow_redirects=False)
    assert told.status_code == 303
    assert parse_qs(urlsplit(told.headers["Location"]).query)["passage"] == [PASSAGE]
    page = client.get(told.headers["Location"]).text
    found = reader.ask(QUESTION, PASSAGE)
    assert f">{found.answer}</output>" in unescape(page)
    assert (
        f'name="program" aria-label="Program" required maxlength="2000" value="{found.program}"'
        in page
    )
    assert all(other.program in page for other in found.alternatives)
    assert 'class="least" hidden' in page


def test_next_best_programs_can_be_run(client: TestClient) -> None:
    page = ask(client, question=QUESTION, passage=PASSAGE)
    address = unescape(re.findall(r'<a href="(/\?[^"]+)"', page[page.index("Other programs") :])[0])
    (program,) = parse_qs(urlsplit(address).query)["program"]
    assert f'value="{program}"' in client.get(address).text


def test_an_edited_program_is_run(client: TestClient) -> None:
    page = ask(client, question=QUESTION, passage=PASSAGE, program="count(filter(find))")
    assert "count<span>(attention) → numbers</span>" in page
    assert 'value="count(filter(find))"' in page


@pytest.mark.parametrize(
    ("program", "message", "hint"),
    [
        ("count(fnid)", "There is no module 'fnid'.", "Did you mean 'find'?"),
        ("count(find", "At character 10", "Write a program such as"),
        ("count(find-num(find))", "input 1 of count must be attention", ""),
    ],
)
def test_a_refused_program_stays_to_be_mended(
    client: TestClient, program: str, message: str, hint: str
) -> None:
    told = client.post("/", data={"question": QUESTION, "passage": PASSAGE, "program": program})
    assert told.status_code == 422
    page = unescape(told.text)
    assert message in page
    assert hint in page
    assert f'value="{program}"' in page
    assert 'role="alert"' in page


def test_long_passages_get_a_short_link(client: TestClient) -> None:
    passage = f"{PASSAGE}\n" * 40
    page = ask(client, question=QUESTION, passage=passage.replace("\n", "\r\n"))
    address = unescape(re.findall(r'class="link"><a href="([^"]+)"', page)[0])
    assert len(address) < 200
    assert PASSAGE in unescape(client.get(address).text)


def test_a_link_whose_passage_is_gone(client: TestClient) -> None:
    told = client.get("/?question=Who%3F&kept=0123456789abcdef")
    assert told.status_code == 422
    assert "no longer kept" in told.text


def test_links_are_read_as_written_and_few_are_kept() -> None:
    links = Links()
    long = [PageQuery("Who?", f"{number} {'word ' * 2000}", "count(find)") for number in range(257)]
    addresses = [links.write(asking) for asking in long]
    assert links.read(addresses[-1][2:]) == long[-1]
    assert links.read(links.write(PageQuery("ä?", "a & b\n<c>"))[2:]) == PageQuery(
        "ä?", "a & b\n<c>"
    )
    with pytest.raises(Exception, match="no longer kept"):
        links.read(addresses[0][2:])


def test_everything_typed_is_escaped(client: TestClient) -> None:
    for program in ("", "count(find)", HOSTILE):
        page = ask(client, question=HOSTILE, passage=HOSTILE, program=program)
        assert "<script>alert" not in page
        assert page.count("</textarea>") == 2


@pytest.mark.parametrize("name", ["question", "passage", "program"])
def test_long_fields_are_refused(client: TestClient, name: str) -> None:
    fields = {"question": "Who?", "passage": PASSAGE, name: "a" * (limits.PASSAGE + 1)}
    told = client.post("/", data=fields)
    assert told.status_code == 422
    assert f"The {name} has 60,001 characters" in told.text


def test_an_empty_passage_is_told(client: TestClient) -> None:
    assert "The passage is empty." in ask(client, question="Who?", passage="")


def test_too_many_fields(client: TestClient) -> None:
    assert client.get(f"/?{'&'.join('a=1' for _ in range(20))}").status_code == 422


def test_no_script_but_ours(client: TestClient) -> None:
    told = client.get("/", params={"question": QUESTION, "passage": PASSAGE})
    policy = told.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert told.headers["X-Content-Type-Options"] == "nosniff"
    assert re.findall(r"<script[^>]*>", told.text) == re.findall(r'<script src="/[^>]*>', told.text)
    assert "<style" not in told.text
    assert not re.search(r"\son[a-z]+=", re.sub(r">[^<]*<", "><", told.text))
    assert "//" not in " ".join(re.findall(r'(?:src|href)="([^"?]*)', told.text))


def test_style_and_script(client: TestClient) -> None:
    assert ".workings" in client.get("/style.css").text
    told = client.get("/script.js")
    assert told.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in told.headers["Cache-Control"]
    assert told.text.count("\n") < 150
