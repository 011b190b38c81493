"""The page in a real browser: with a mouse, by keyboard alone, on a phone, without scripts."""

from typing import Any

import pytest
from browsing import Open

from tiny import PASSAGE, QUESTION

PHONE = {"width": 390, "height": 800}


def ask(page: Any, address: str) -> Any:
    """The page with an answer."""
    page.goto(address)
    page.fill("#question", QUESTION)
    page.fill("#passage", PASSAGE)
    page.click(".ask button")
    page.wait_for_selector(".workings .answer output")
    return page


@pytest.fixture
def answered(open_page: Open, address: str) -> Any:
    return ask(open_page(), address)


def test_asking(answered: Any) -> None:
    assert answered.input_value("#question") == QUESTION
    assert answered.input_value("#passage") == PASSAGE
    assert answered.locator(".steps > li").count() > 1
    assert answered.locator(".passage").inner_text() == PASSAGE


def test_the_slider_takes_the_shade_from_light_words(answered: Any) -> None:
    mark = answered.locator(".workings mark").first
    shade = "it => getComputedStyle(it).backgroundColor"
    before = mark.evaluate(shade)
    slider = answered.locator(".least input")
    slider.focus()
    slider.press("End")
    assert answered.locator(".least output").text_content() == "1"
    assert mark.evaluate(shade).endswith(", 0)")
    slider.press("Home")
    assert mark.evaluate(shade) == before


def test_a_program_is_mended_and_run(answered: Any) -> None:
    answered.click(".edit summary")
    answered.fill("#program", "count(fnid)")
    answered.click(".edit button")
    answered.wait_for_selector("[role=alert]")
    assert "Did you mean 'find'?" in answered.inner_text("[role=alert]")
    answered.fill("#program", "count(find)")
    answered.press("#program", "Enter")
    answered.wait_for_selector(".workings .answer output")
    assert answered.locator(".workings .program").inner_text().startswith("count")


def test_a_next_best_program_is_run(answered: Any) -> None:
    link = answered.locator(".alternatives a").first
    program = link.inner_text()
    link.click()
    answered.wait_for_selector(".edit[open]")
    assert answered.input_value("#program") == program


def test_a_permalink_shows_the_same(answered: Any, open_page: Open) -> None:
    link = answered.locator(".link a").evaluate("it => it.href")
    other = open_page()
    other.goto(link)
    for part in (".answer", ".program", ".steps"):
        assert other.inner_text(part) == answered.inner_text(part)


def test_pointing_at_a_module_outlines_its_step(answered: Any) -> None:
    module = answered.locator(".program a").first
    step = module.get_attribute("href")
    module.hover()
    answered.wait_for_selector(f".steps > li.lit[id='{step[1:]}']")
    assert answered.locator(".steps > li.lit").count() == 1
    module.click()
    seen = "step => document.getElementById(step).getBoundingClientRect().top < innerHeight"
    answered.wait_for_function(seen, arg=step[1:])


def test_by_keyboard_alone(open_page: Open, address: str) -> None:
    page = open_page()
    page.goto(address)
    page.keyboard.type(QUESTION)  # the question has the focus
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSAGE)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".workings .answer output")
    page.keyboard.press("/")
    assert focused(page, "#question")
    tab_to(page, ".edit summary")
    page.keyboard.press("Enter")
    tab_to(page, "#program")
    page.keyboard.press("Control+A")
    page.keyboard.type("count(find)")
    page.keyboard.press("Enter")
    page.wait_for_selector(".workings .program >> text=count")
    tab_to(page, ".passage")
    tab_to(page, ".least input")
    page.keyboard.press("End")
    assert page.inner_text(".least output") == "1"
    tab_to(page, ".steps details summary")
    page.keyboard.press("Enter")
    assert page.locator(".steps details[open] table").first.is_visible()


def focused(page: Any, selector: str) -> bool:
    return bool(page.evaluate("them => document.activeElement.matches(them)", selector))


def tab_to(page: Any, selector: str) -> None:
    """Tab until there; every stop on the way must be seen to have the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
        if focused(page, selector):
            return
    raise AssertionError(f"no way by Tab to {selector}")


@pytest.mark.parametrize(
    "passage", [PASSAGE, f"{'A' * 300} {PASSAGE}\n" * 8], ids=["short", "long"]
)
def test_nothing_hangs_over_the_edge_of_a_phone(
    open_page: Open, address: str, passage: str
) -> None:
    page = open_page(**PHONE, is_mobile=True, has_touch=True)
    page.goto(address)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= PHONE["width"]
    page.fill("#question", QUESTION)
    page.fill("#passage", passage)
    page.tap(".ask button")
    page.wait_for_selector(".workings .answer output")
    page.tap(".edit summary")
    page.tap(".steps details summary >> nth=0")
    assert page.evaluate(wide) <= PHONE["width"]
    top = page.evaluate(
        "document.querySelector('.answer').getBoundingClientRect().bottom + scrollY"
    )
    assert top < PHONE["height"], "the answer is on the first screen"


def test_without_scripts(open_page: Open, address: str) -> None:
    page = ask(open_page(java_script_enabled=False), address)
    assert page.locator(".least").is_hidden()
    assert page.locator(".link button").is_hidden()
    page.click(".edit summary")
    page.fill("#program", "count(find)")
    page.click(".edit button")
    page.wait_for_selector(".workings .program >> text=count")
    page.click(".link a")
    page.wait_for_selector(".workings .program >> text=count")
    page.click("nav a >> nth=1")
    page.wait_for_selector(".workings .answer output")
    page.click(".steps details summary >> nth=0")
    assert page.locator(".steps table").first.is_visible()
