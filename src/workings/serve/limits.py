"""Limits of the service on texts, requests and connections."""

from workings.errors import InputError

PASSAGE_CHARS = 60_000
QUESTION_CHARS = 1_000
PROGRAM_CHARS = 2_000
QUESTIONS_PER_REQUEST = 64
BODY_BYTES = 1 << 20
REQUEST_SECONDS = 20.0  # until a request must have arrived, and a response must have been read
CONNECTIONS = 512  # beyond these, idle connections are closed
MAX_CONNECTIONS = 768  # beyond these, new connections are closed
STOP_SECONDS = 6.0  # that a stop gives to answers that have begun


def check_lengths(*, question: str, passage: str, program: str) -> None:
    """Check the texts of a request.

    Raises:
        InputError: A text has too many characters.
    """
    texts = {
        "question": (question, QUESTION_CHARS),
        "passage": (passage, PASSAGE_CHARS),
        "program": (program, PROGRAM_CHARS),
    }
    for name, (text, limit) in texts.items():
        if len(text) > limit:
            message = f"The {name} has {len(text):,} characters, more than {limit:,}."
            raise InputError(message, hint=f"Shorten the {name}.")
