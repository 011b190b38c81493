"""Words that every view of an explanation uses alike."""


def percent(share: float) -> str:
    """Whole percents, but never 0 % of something nor 100 % of less than all."""
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
