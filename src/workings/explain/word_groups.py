"""Words of an attention gathered to phrases, for those who read and do not measure."""

from collections.abc import Iterator

from workings.explain.explanation import Explanation, Place, Share, Weights

# A word belongs to a phrase from this share of the heaviest word's weight on.
_NOTABLE = 0.25


def phrases(weights: Weights, explanation: Explanation) -> list[Share]:
    """What stands out, heaviest first: notable words, neighbours joined and their weights added."""
    found = weights.shares if weights.separate else _joined(weights.shares, explanation)
    return sorted(found, key=lambda share: -share.weight)


def _joined(shares: tuple[Share, ...], explanation: Explanation) -> Iterator[Share]:
    least = _NOTABLE * max((share.weight for share in shares), default=0.0)
    held: tuple[Place, float] | None = None
    for share in shares:
        place = share.place
        if place is None or share.weight < least or not any(map(str.isalnum, share.text)):
            continue
        if held is not None and _neighbours(held[0], place):
            held = (held[0].model_copy(update={"end": place.end}), held[1] + share.weight)
        else:
            if held is not None:
                yield _share(*held, explanation)
            held = (place, share.weight)
    if held is not None:
        yield _share(*held, explanation)


def _share(place: Place, weight: float, explanation: Explanation) -> Share:
    return Share(text=explanation.text_at(place), weight=weight, place=place)


def _neighbours(one: Place, other: Place) -> bool:
    """Whether at most a space, a hyphen or a point parts them."""
    return one.source == other.source and other.start <= one.end + 1
