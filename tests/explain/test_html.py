"""Tests of the HTML view: well-formed, escaped, self-contained, and true to the weights."""

import re
from html.parser import HTMLParser

import pytest

from tiny import PASSAGE, QUESTION
from workings.explain import Explanation
from workings.explain.explanation import Alternative, Answer
from workings.explain.html import script, style, to_fragment, to_page
from workings.explain.wording import format_percent
from workings.program import Program
from workings.reader import Reader

VOID_TAGS = {"meta", "input", "br", "link"}


class ParsedPage(HTMLParser):
    """Tags, attributes and visible text of a page; fails on tags that are not nested properly."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_page_is_well_formed_and_complete(explanation: Explanation) -> None:
    page = ParsedPage(to_page(explanation))
    classes = {attributes.get("class") for _, attributes in page.tags}
    assert {"answer", "program", "steps"} <= classes
    for step in explanation.steps:
        assert step.sentence in page.text
        assert step.signature in page.text


def test_page_loads_nothing_from_other_addresses(explanation: Explanation) -> None:
    assert not re.search(r"https?:|//\w|@import|url\(|<link|src=", to_page(explanation))


def test_links_lead_to_steps(explanation: Explanation) -> None:
    page = ParsedPage(to_page(explanation))
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = {str(attributes["href"]) for attributes in page.all("a")}
    assert len(ids) == len(explanation.steps)
    assert links == {f"#{step_id}" for step_id in ids}


def test_only_the_slider_needs_the_script(explanation: Explanation) -> None:
    page = ParsedPage(to_page(explanation))
    hidden = [attributes for _, attributes in page.tags if "hidden" in attributes]
    assert [attributes["class"] for attributes in hidden] == ["minimum"]


def test_bars_and_shades_have_the_weights(explanation: Explanation) -> None:
    page = to_fragment(explanation)
    for step in explanation.steps:
        if step.output.kind == "attention":
            for share in step.output.shares:
                assert f'<mark style="--w:{share.weight};' in page
        if step.output.kind in ("numbers", "dates"):
            best = step.output.shares[0]
            assert f"width:{round(100 * best.weight, 1)}%" in page


@pytest.mark.parametrize("program", ["span(find)", "count(find)"])
def test_escapes_question_and_passage(reader: Reader, program: str) -> None:
    markup = '<script>alert("1")</script> & <b>24</b> goals\n</style>\'"'
    explanation = reader.run(program, f"{QUESTION} {markup}", f"{markup} {PASSAGE}")
    page = ParsedPage(to_page(explanation))
    assert len(page.all("script")) == 1
    assert page.all("b") == []
    assert markup in page.text


def test_shows_the_passage_as_written(reader: Reader) -> None:
    text = "One line.\n\nAnother\twith 24   goals on 3 May 1901."
    page = ParsedPage(to_page(reader.run("count(find)", QUESTION, text)))
    assert text in page.text
    titles = {attributes.get("title") for attributes in page.all("span")}
    assert {"value: 24", "value: 3; 3 May 1901"} <= titles


def test_shows_labels_and_confidence(predicted: Explanation) -> None:
    text = ParsedPage(to_page(predicted)).text
    assert f"{format_percent(predicted.confidence)} confidence" in text
    assert "looked for" in text
    assert "result" in text


def test_lists_alternatives(predicted: Explanation) -> None:
    text = ParsedPage(to_page(predicted)).text
    assert predicted.alternatives
    assert all(other.program in text for other in predicted.alternatives)


def test_every_step_has_a_summary_of_its_result(explanation: Explanation) -> None:
    page = ParsedPage(to_page(explanation))
    summaries = [span for span in page.all("span") if span.get("class") == "result"]
    assert len(summaries) == len(explanation.steps)
    root = explanation.steps[-1].output
    if root.kind in ("numbers", "dates", "span"):
        assert f"{explanation.answer} {format_percent(root.top[0].weight)}" in page.text


def test_a_page_can_add_actions_and_links(predicted: Explanation) -> None:
    page = to_fragment(predicted, actions="<b>now</b>", link=lambda program: f"/?{len(program)}")
    assert page.index('class="program"') < page.index("<b>now</b>") < page.index('class="steps"')
    for other in predicted.alternatives:
        assert f'<a href="/?{len(other.program)}"><code>{other.program}</code>' in page


def test_answer_sentence_passage_program_steps_in_this_order(explanation: Explanation) -> None:
    page = to_fragment(explanation, assets=False)
    classes = ("answer", "reason", "passage", "program", "steps")
    places = [page.index(f'class="{name}"') for name in classes]
    assert places == sorted(places)


def test_steps_are_folded_and_begin_with_the_last_one(explanation: Explanation) -> None:
    page = to_fragment(explanation, assets=False)
    assert "<details open" not in page
    numbers = [int(number) for number in re.findall(r'class="number">(\d+)<', page)]
    walked = [step.name for step in Program.parse(explanation.program).walk()]
    assert [explanation.step(number).module for number in numbers] == walked
    assert numbers[0] == len(explanation.steps)


def test_first_screen_has_no_jargon(explanation: Explanation) -> None:
    page = to_fragment(explanation, assets=False)
    first = ParsedPage(page.partition('<section class="how">')[0] + "</article>").text
    assert "find" not in first.removeprefix(explanation.question)
    assert "→" not in first


def test_operands_are_marked_in_the_passage(explanation: Explanation) -> None:
    page = to_fragment(explanation, assets=False)
    marked = re.findall(r"<strong>(.*?)</strong>", page)
    plain = [re.sub("<.*?>", "", text) for text in marked]
    operands = explanation.equation.operands if explanation.equation else ()
    for operand in operands:
        if operand.place is not None:
            assert explanation.text_at(operand.place) in "".join(plain)


def test_no_bar_below_one_percent(explanation: Explanation) -> None:
    page = ParsedPage(to_page(explanation))
    widths = [str(span["style"]) for span in page.all("span") if span.get("class") == "fill"]
    assert widths
    assert all(float(width[len("width:") : -1]) >= 1 for width in widths[1:])


def test_both_percentages_are_labelled(predicted: Explanation) -> None:
    text = ParsedPage(to_page(predicted)).text
    assert f"{format_percent(predicted.probability)} program probability" in text
    assert f"{format_percent(predicted.confidence)} confidence" in text


def test_long_passage_shows_the_evidence(reader: Reader) -> None:
    padding = "Nothing of note was said on that day. " * 60
    explanation = reader.run("find-date(find)", QUESTION, f"{padding}{PASSAGE} {padding}")
    page = to_fragment(explanation, assets=False)
    passage = page[page.index('class="passage"') : page.index("</section>")]
    shown = re.sub(r'<span class="gap"><span>.*?</span></span>', "", passage)
    (place,) = explanation.answer.places
    assert explanation.text_at(place) in re.sub("<.*?>", "", shown)
    assert len(shown) < len(passage) / 2
    assert "Show the whole passage</label>" in page


def test_says_why_there_is_no_answer(predicted: Explanation) -> None:
    guess = Alternative(
        program=predicted.program, probability=0.3, answer=predicted.answer, confidence=0.3
    )
    changes = {"answer": Answer(), "abstained": True, "alternatives": (guess,), "sentence": ""}
    text = ParsedPage(to_page(predicted.model_copy(update=changes))).text
    assert f"The best guess is {predicted.answer} (30 % confidence)." in text
    nothing = predicted.model_copy(update={**changes, "alternatives": ()})
    assert "No answer was found in the passage." in ParsedPage(to_page(nothing)).text


def test_assets_can_be_left_out(explanation: Explanation) -> None:
    bare = to_fragment(explanation, assets=False)
    assert "<style>" not in bare
    assert "<script>" not in bare
    notebook = explanation._repr_html_()
    assert style() in notebook
    assert script() in notebook


def test_page_of_a_long_passage_shows_the_parts_read(reader: Reader) -> None:
    passage = f"{PASSAGE} {'Unread text. ' * 50_000}"
    page = to_page(reader.ask(QUESTION, passage))
    text = ParsedPage(page).text
    assert "Read <1 % of the passage: the parts that match the question." in text
    assert "Ada kicked a" in text
    assert len(page) < len(passage)
    assert "of the passage: the parts" not in to_page(reader.ask(QUESTION, PASSAGE))
