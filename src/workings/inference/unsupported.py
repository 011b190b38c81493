"""Questions that no program can answer."""

import re

_YES_NO = re.compile(
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|might)\b",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"\bor\b", re.IGNORECASE)
_REASON = re.compile(r"(?:why|how come|for what reason)\b", re.IGNORECASE)


def unsupported_reason(question: str) -> str:
    """Why a question cannot be answered by any program; empty if programs may answer it.

    Args:
        question: The question. A choice ("Did adults or children pay more?") is supported, although
            it begins like a question for yes or no.
    """
    text = question.strip()
    if _REASON.match(text):
        return "No program can give a reason. Ask for a number, a date, a name or a phrase."
    if _YES_NO.match(text) and not _ALTERNATIVES.search(text):
        return "No program can answer yes or no. Ask for a number, a date, a name or a phrase."
    return ""
