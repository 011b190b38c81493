"""Questions that no program can answer."""

import pytest

from workings.inference.unsupported import unsupported_reason


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Is the library open on Monday?", "yes or no"),
        ("did the rent rise", "yes or no"),
        (" Why did the mill close?", "reason"),
        ("How come nobody paid?", "reason"),
    ],
)
def test_unsupported(question: str, words: str) -> None:
    assert words in unsupported_reason(question)


@pytest.mark.parametrize(
    "question",
    [
        "Were there more cats or dogs?",
        "Did adults or children pay more?",
        "How many people came?",
        "Which island is larger?",
        "Whyalla has how many inhabitants?",
        "Isabel bought how many apples?",
    ],
)
def test_supported(question: str) -> None:
    assert unsupported_reason(question) == ""
