"""Addresses of answers on the page. Passages are stored on the server under a short id."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import parse_qs, urlencode

from workings.errors import InputError
from workings.serve import limits

_MAX_STORED_PASSAGES = 256


@dataclass(frozen=True)
class PageQuery:
    """A question about a passage, with an optional program to run instead of a predicted one."""

    question: str = ""
    passage: str = ""
    program: str = ""

    def __bool__(self) -> bool:
        return bool(self.question or self.passage)


class Permalinks:
    """Converts queries to addresses and back; stores the most recent passages in memory.

    Addresses end up in logs and histories, so they have the id of a passage instead of its text.
    """

    def __init__(self) -> None:
        self._passages: OrderedDict[str, str] = OrderedDict()
        # The key keeps others from testing whether an id belongs to a given passage.
        self._key = secrets.token_bytes(32)

    def address(self, query: PageQuery) -> str:
        """Return the path and query string that lead to the answer of a query."""
        program = {"program": query.program} if query.program else {}
        fields = {"question": query.question, **program, "passage_id": self._store(query.passage)}
        return f"/?{urlencode(fields)}"

    def parse_form(self, body: str) -> PageQuery:
        """Read a query from the body of a form.

        Raises:
            InputError: The text is malformed or too long.
        """
        return _query(_fields(body))

    def parse_address(self, query_string: str) -> PageQuery:
        """Read a query from the query string of an address.

        Raises:
            InputError: The text is malformed or too long, or its passage is no longer stored.
        """
        fields = _fields(query_string)
        passage_id = fields.get("passage_id")
        passage = "" if passage_id is None else self._load(passage_id)
        return _query(fields | {"passage": passage})

    def _store(self, passage: str) -> str:
        text = passage.encode("utf-8", "surrogatepass")
        passage_id = blake2b(text, key=self._key, digest_size=12).hexdigest()
        self._passages[passage_id] = passage
        self._passages.move_to_end(passage_id)
        while len(self._passages) > _MAX_STORED_PASSAGES:
            self._passages.popitem(last=False)
        return passage_id

    def _load(self, passage_id: str) -> str:
        if passage_id not in self._passages:
            message = "The passage of this link is no longer stored."
            hint = "Enter the passage again. The server stores the latest ones until it stops."
            raise InputError(message, hint=hint)
        self._passages.move_to_end(passage_id)
        return self._passages[passage_id]


def _fields(text: str) -> dict[str, str]:
    try:
        values = parse_qs(text, max_num_fields=16)
    except ValueError as error:
        raise InputError("The address has too many fields.", hint="Use the form.") from error
    return {name: texts[0].replace("\r\n", "\n") for name, texts in values.items()}


def _query(fields: dict[str, str]) -> PageQuery:
    names = ("question", "passage", "program")
    query = PageQuery(**{name: fields.get(name, "") for name in names})
    limits.check_lengths(question=query.question, passage=query.passage, program=query.program)
    return query
