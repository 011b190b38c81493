"""How long a request's parts may be, in characters, the whole of it, in bytes, and take."""

from workings.errors import InputError

PASSAGE = 60_000
QUESTION = 1_000
PROGRAM = 2_000
QUESTIONS = 64  # about one passage in one request
BODY = 1 << 20
SECONDS = 20.0  # until a request must have arrived
CONNECTIONS = 512


def check(**texts: str) -> None:
    """Refuse a text that is longer than the limit of its name."""
    most = {"passage": PASSAGE, "question": QUESTION, "program": PROGRAM}
    for name, text in texts.items():
        if len(text) > most[name]:
            message = f"The {name} has {len(text):,} characters, more than {most[name]:,}."
            raise InputError(message, hint=f"Give a shorter {name}.")
