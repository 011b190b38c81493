"""The page's view: whole, escaped, without help from elsewhere, and true to the numbers."""

import re
from html.parser import HTMLParser

import pytest

from tiny import PASSAGE, QUESTION
from workings.explain import Explanation
from workings.explain.html import script, style, to_fragment, to_page
from workings.explain.wording import percent
from workings.reader import Reader

VOID = {"meta", "input", "br", "link"}


class Outline(HTMLParser):
    """The tags, the attributes and the visible text of a page; fails on tags out of order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_a_page_is_well_formed_and_whole(explanation: Explanation) -> None:
    page = Outline(to_page(explanation))
    assert {"answer", "program", "steps"} <= {one.get("class") for _, one in page.tags}
    for step in explanation.steps:
        assert step.sentence in page.text
        assert step.signature in page.text


def test_nothing_comes_from_elsewhere(explanation: Explanation) -> None:
    page = to_page(explanation)
    assert not re.search(r"https?:|//\w|@import|url\(|<link|src=", page.replace("// The", ""))


def test_links_lead_to_steps(explanation: Explanation) -> None:
    page = Outline(to_page(explanation))
    ids = {one["id"] for _, one in page.tags if "id" in one}
    links = {str(one["href"]) for one in page.all("a")}
    assert len(ids) == len(explanation.steps)
    assert links == {f"#{one}" for one in ids}


def test_without_a_script_all_but_the_slider_is_there(explanation: Explanation) -> None:
    page = Outline(to_page(explanation))
    hidden = [one for _, one in page.tags if "hidden" in one]
    assert [one["class"] for one in hidden] == ["least"]


def test_bars_and_shades_are_the_numbers(explanation: Explanation) -> None:
    page = to_fragment(explanation)
    for step in explanation.steps:
        if step.output.kind == "attention":
            for share in step.output.shares:
                assert f'<mark style="--w:{share.weight};' in page
        if step.output.kind in ("numbers", "dates"):
            best = step.output.shares[0]
            assert f"width:{round(100 * best.weight, 1)}%" in page


@pytest.mark.parametrize("program", ["span(find)", "count(find)"])
def test_what_people_write_is_escaped(reader: Reader, program: str) -> None:
    evil = '<script>alert("1")</script> & <b>24</b> goals\n</style>\'"'
    found = reader.run(program, f"{QUESTION} {evil}", f"{evil} {PASSAGE}")
    safe = Outline(to_page(found))
    assert len(safe.all("script")) == 1
    assert safe.all("b") == []
    assert evil in safe.text


def test_the_passage_is_shown_as_written(reader: Reader) -> None:
    text = "One line.\n\nAnother\twith 24   goals on 3 May 1901."
    page = Outline(to_page(reader.run("count(find)", QUESTION, text)))
    assert text in page.text
    assert {"read as 24", "read as 3; 3 May 1901"} <= {one.get("title") for one in page.all("span")}


def test_alternatives_are_listed(asked: Explanation) -> None:
    text = Outline(to_page(asked)).text
    assert asked.alternatives
    assert all(other.program in text for other in asked.alternatives)


def test_every_step_says_what_it_gave(explanation: Explanation) -> None:
    page = Outline(to_page(explanation))
    assert sum(one.get("class") == "gist" for one in page.all("span")) == len(explanation.steps)
    last = explanation.steps[-1].output
    if last.kind in ("numbers", "dates", "span"):
        assert f"{last.top[0].text} {percent(last.top[0].weight)}" in page.text


def test_a_page_can_add_actions_and_links(asked: Explanation) -> None:
    page = to_fragment(asked, actions="<b>now</b>", link=lambda program: f"/?{len(program)}")
    assert "<b>now</b>\n</header>" in page
    for other in asked.alternatives:
        assert f'<a href="/?{len(other.program)}"><code>{other.program}</code>' in page


def test_a_fragment_can_leave_its_assets_to_the_page(explanation: Explanation) -> None:
    bare = to_fragment(explanation, assets=False)
    assert "<style>" not in bare
    assert "<script>" not in bare
    whole = explanation._repr_html_()
    assert style() in whole
    assert script() in whole
