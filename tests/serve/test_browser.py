"""Tests of the page in a browser: mouse, keyboard, phone, and without scripts."""

from typing import Any

import pytest
from browsing import OpenPage

from tiny import PASSAGE, QUESTION

PHONE = {"width": 390, "height": 800}


def ask(page: Any, address: str) -> Any:
    """OpenPage the page, ask a question and wait for the answer."""
    page.goto(address)
    page.fill("#question", QUESTION)
    page.fill("#passage", PASSAGE)
    page.click(".ask button")
    page.wait_for_selector(".workings .answer output")
    return page


def run(page: Any, program: str) -> None:
    """Run a program on the question and wait for its answer."""
    page.click(".edit summary")
    page.fill("#program", program)
    page.press("#program", "Enter")
    page.wait_for_function(
        "name => document.querySelector('.workings .program')?.innerText.startsWith(name)",
        arg=program.partition("(")[0],
    )


@pytest.fixture
def answered(open_page: OpenPage, address: str) -> Any:
    return ask(open_page(), address)


def test_shows_the_answer(answered: Any) -> None:
    assert answered.input_value("#question") == QUESTION
    assert answered.input_value("#passage") == PASSAGE
    assert answered.locator(".steps > li").count() > 1
    assert answered.locator(".passage").inner_text() == PASSAGE


def test_slider_removes_the_shade_of_light_words(answered: Any) -> None:
    answered.click(".steps summary >> nth=0")
    mark = answered.locator(".workings mark").first
    shade = "mark => getComputedStyle(mark).backgroundColor"
    before = mark.evaluate(shade)
    slider = answered.locator(".minimum input")
    slider.focus()
    slider.press("End")
    assert answered.locator(".minimum output").text_content() == "1"
    assert mark.evaluate(shade).endswith(", 0)")
    slider.press("Home")
    assert mark.evaluate(shade) == before


def test_steps_are_folded(answered: Any) -> None:
    assert answered.locator(".steps details[open]").count() == 0
    assert answered.locator(".minimum").is_hidden()


def test_long_passage_shows_the_evidence(open_page: OpenPage, address: str) -> None:
    page = open_page()
    page.goto(address)
    padding = "Nothing of note was said on that day. " * 60
    page.fill("#question", "When was the club founded?")
    page.fill("#passage", f"{padding}{PASSAGE} {padding}")
    page.click(".ask button")
    page.wait_for_selector(".workings .answer output")
    run(page, "spans(find)")  # its answer has a place in the passage
    mark = page.locator(".passage strong").first
    mark.wait_for()
    assert mark.is_visible()
    page.check(".text .whole")
    inside = """mark => {
        const [box, own] = [mark.closest(".passage"), mark].map(e => e.getBoundingClientRect());
        return box.top <= own.top && own.bottom <= box.bottom;
    }"""
    assert mark.evaluate(inside), "the evidence is not scrolled into view"


def test_corrects_and_runs_a_program(answered: Any) -> None:
    answered.click(".edit summary")
    answered.fill("#program", "count(fnid)")
    answered.click(".edit button")
    answered.wait_for_selector("[role=alert]")
    assert "Did you mean 'find'?" in answered.inner_text("[role=alert]")
    answered.fill("#program", "count(find)")
    answered.press("#program", "Enter")
    answered.wait_for_selector(".workings .answer output")
    assert answered.locator(".workings .program").inner_text().startswith("count")


def test_runs_an_alternative(answered: Any) -> None:
    answered.click(".alternatives summary")
    link = answered.locator(".alternatives a").first
    program = link.inner_text()
    link.click()
    answered.wait_for_selector(".edit[open]")
    assert answered.input_value("#program") == program


def test_permalink_shows_the_same_answer(answered: Any, open_page: OpenPage) -> None:
    link = answered.locator(".link a").evaluate("link => link.href")
    assert "/#question=" in link  # browsers do not send what follows the "#"
    other = open_page()
    other.goto(link)
    for part in (".answer", ".program", ".steps"):
        assert other.inner_text(part) == answered.inner_text(part)


def test_pointing_at_a_module_outlines_its_step(answered: Any) -> None:
    module = answered.locator(".program a").first
    step = module.get_attribute("href")
    module.hover()
    answered.wait_for_selector(f".steps > li.highlighted[id='{step[1:]}']")
    assert answered.locator(".steps > li.highlighted").count() == 1
    module.click()
    assert answered.locator(f".steps > li[id='{step[1:]}'] > details").get_attribute("open") == ""
    visible = "step => document.getElementById(step).getBoundingClientRect().top < innerHeight"
    answered.wait_for_function(visible, arg=step[1:])


def test_keyboard_only(open_page: OpenPage, address: str) -> None:
    page = open_page()
    page.goto(address)
    page.keyboard.type(QUESTION)  # the question has the focus
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSAGE)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".workings .answer output")
    page.keyboard.press("/")
    assert has_focus(page, "#question")
    tab_to(page, ".edit summary")
    page.keyboard.press("Enter")
    tab_to(page, "#program")
    page.keyboard.press("Control+A")
    page.keyboard.type("count(find)")
    page.keyboard.press("Enter")
    page.wait_for_selector(".workings .program >> text=count")
    tab_to(page, ".passage")
    tab_to(page, ".steps summary")
    page.keyboard.press("Enter")
    tab_to(page, ".exact summary")
    page.keyboard.press("Enter")
    assert page.locator(".steps .exact[open] table").first.is_visible()
    tab_to(page, ".minimum input")
    page.keyboard.press("End")
    assert page.inner_text(".minimum output") == "1"


def has_focus(page: Any, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the element has the focus; every stop on the way must show its focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
        if has_focus(page, selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


@pytest.mark.parametrize(
    "passage", [PASSAGE, f"{'A' * 300} {PASSAGE}\n" * 8], ids=["short", "long"]
)
def test_fits_the_width_of_a_phone(open_page: OpenPage, address: str, passage: str) -> None:
    page = open_page(**PHONE, is_mobile=True, has_touch=True)
    page.goto(address)
    page_width = "document.documentElement.scrollWidth"
    assert page.evaluate(page_width) <= PHONE["width"]
    page.fill("#question", QUESTION)
    page.fill("#passage", passage)
    page.tap(".ask button")
    page.wait_for_selector(".workings .answer output")
    page.tap(".edit summary")
    page.tap(".steps details summary >> nth=0")
    assert page.evaluate(page_width) <= PHONE["width"]
    top = page.evaluate(
        "document.querySelector('.answer').getBoundingClientRect().bottom + scrollY"
    )
    assert top < PHONE["height"], "the answer is not on the first screen"


def test_works_without_scripts(open_page: OpenPage, address: str) -> None:
    page = ask(open_page(java_script_enabled=False), address)
    assert page.locator(".minimum").is_hidden()
    assert page.locator(".link button").is_hidden()
    page.click(".edit summary")
    page.fill("#program", "count(find)")
    page.click(".edit button")
    page.wait_for_selector(".workings .program >> text=count")
    page.click(".link a")
    page.wait_for_selector(".workings .program >> text=count")
    page.click("nav a >> nth=1")
    page.wait_for_selector(".workings .answer output")
    page.click(".steps summary >> nth=0")
    page.click(".steps .exact summary >> nth=0")
    assert page.locator(".steps table").first.is_visible()
