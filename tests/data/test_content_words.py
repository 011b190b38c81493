"""Words and stop words."""

from workings.data.content_words import STOP_WORDS, content_words, words_in


def test_words_are_lower_case_and_numbers_stay_whole() -> None:
    assert words_in("The 1,250-yard Run: 3.5 yards, isn't it_all?") == [
        *("the", "1,250", "yard", "run", "3.5", "yards", "isn", "t", "it", "all"),
    ]


def test_content_words_leave_out_stop_words() -> None:
    assert content_words("How many yards was the longest run of the game?") == {
        "longest",
        "run",
        "game",
    }


def test_stop_words_are_words() -> None:
    assert all(words_in(word) == [word] for word in STOP_WORDS)
