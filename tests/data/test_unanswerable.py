"""Unanswerable questions made from answerable ones."""

from workings.data.content_words import content_words, words_in
from workings.data.records import GoldAnswer, Passage, Question
from workings.data.unanswerable import FOREIGN, SWAPPED_NAME, add_unanswerable

TOPICS = ("goats", "ships", "books", "bells", "horses", "lamps")
PLACES = ("Corl", "Vesk", "Tamm", "Orlin", "Aldo", "Quill")


def passages() -> list[Passage]:
    """Each passage names one place, and asks one question about it."""
    return [
        Passage(
            f"p{n}",
            f"In {place} there were {n + 3} {topic}.",
            (
                Question(
                    f"q{n}",
                    f"How many {topic} were in {place}?",
                    (GoldAnswer(number=str(n + 3)),),
                    type="number",
                ),
            ),
        )
        for n, (topic, place) in enumerate(zip(TOPICS, PLACES, strict=True))
    ]


def made(share: float = 0.99, seed: int = 1) -> list[tuple[Passage, Question]]:
    return [
        (passage, question)
        for passage in add_unanswerable(passages(), share, seed)
        for question in passage.questions
        if question.unanswerable
    ]


def test_no_share_changes_nothing() -> None:
    assert add_unanswerable(passages(), 0.0, 1) == passages()


def test_answerable_questions_stay() -> None:
    changed = add_unanswerable(passages(), 0.99, 1)
    assert [passage.questions[0] for passage in changed] == [p.questions[0] for p in passages()]


def test_made_questions_are_marked() -> None:
    questions = [question for _, question in made()]
    assert len(questions) >= 5
    for question in questions:
        assert (question.type, question.answers, question.augmented) == ("none", (), True)
    assert len({question.id for question in questions}) == len(questions)


def test_both_ways_are_used() -> None:
    ids = [question.id for seed in range(6) for _, question in made(seed=seed)]
    assert any(name.endswith(FOREIGN) for name in ids)
    assert any(name.endswith(SWAPPED_NAME) for name in ids)


def test_passage_does_not_say() -> None:
    for seed in range(6):
        for passage, question in made(seed=seed):
            missing = content_words(question.text) - set(words_in(passage.text))
            assert missing
            if question.id.endswith(FOREIGN):
                assert missing == content_words(question.text)
            else:
                assert len(missing) == 1  # the other name
                assert missing <= {place.lower() for place in PLACES}


def test_same_seed_gives_the_same_questions() -> None:
    assert made(seed=3) == made(seed=3)
    assert made(seed=3) != made(seed=4)


def test_share_is_a_number_of_questions() -> None:
    total = sum(len(made(0.5, seed)) for seed in range(20))
    assert 45 <= total <= 75  # half of 120
