"""Groups neighbouring words of an attention into phrases."""

from collections.abc import Iterator

from workings.explain.explanation import Explanation, Place, Share, Weights

# Words below this share of the largest weight are left out of phrases.
_MIN_RELATIVE_WEIGHT = 0.25


def phrases(weights: Weights, explanation: Explanation) -> list[Share]:
    """Return the heaviest words by falling weight, neighbours joined and their weights added.

    Words with a probability of their own (``weights.separate``) are not joined.
    """
    words = tuple(share for share in weights.shares if any(map(str.isalnum, share.text)))
    groups = words if weights.separate else _joined(words, explanation)
    return sorted(groups, key=lambda share: -share.weight)


def _joined(shares: tuple[Share, ...], explanation: Explanation) -> Iterator[Share]:
    minimum = _MIN_RELATIVE_WEIGHT * max((share.weight for share in shares), default=0.0)
    group: tuple[Place, float] | None = None
    for share in shares:
        place = share.place
        if place is None or share.weight < minimum:
            continue
        if group is not None and _adjacent(group[0], place):
            group = (group[0].model_copy(update={"end": place.end}), group[1] + share.weight)
        else:
            if group is not None:
                yield _phrase(*group, explanation)
            group = (place, share.weight)
    if group is not None:
        yield _phrase(*group, explanation)


def _phrase(place: Place, weight: float, explanation: Explanation) -> Share:
    return Share(text=explanation.text_at(place), weight=weight, place=place)


def _adjacent(left: Place, right: Place) -> bool:
    """Whether at most one character, such as a space or a hyphen, separates two places."""
    return left.source == right.source and right.start <= left.end + 1
