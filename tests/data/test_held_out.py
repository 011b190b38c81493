"""Held-out passages, by their titles."""

from workings.data.held_out import is_held_out
from workings.data.records import Passage


def held_out(share: float, *, count: int = 2000) -> list[str]:
    passages = [Passage(f"p{n}", "text", (), title=f"Title {n}") for n in range(count)]
    return [passage.title for passage in passages if is_held_out(passage, share)]


def test_share_of_titles() -> None:
    assert held_out(0.0) == []
    assert 70 < len(held_out(0.05)) < 130
    assert set(held_out(0.05)) < set(held_out(0.2))


def test_passages_of_a_title_stay_together() -> None:
    passages = [Passage(f"p{n}", "text", (), title="One") for n in range(50)]
    assert len({is_held_out(passage, 0.5) for passage in passages}) == 1


def test_passages_without_a_title_go_by_their_id() -> None:
    passages = [Passage(f"p{n}", "text", ()) for n in range(50)]
    assert len({is_held_out(passage, 0.5) for passage in passages}) == 2
