"""Addresses of answers on the page. Long passages are stored on the server under a short id."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from workings.errors import InputError
from workings.serve import limits

# Mail programs and proxies truncate longer addresses.
_MAX_ADDRESS_CHARS = 6_000
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
    """Converts queries to addresses and back; stores the most recent long passages in memory."""

    def __init__(self) -> None:
        self._passages: OrderedDict[str, str] = OrderedDict()

    def address(self, query: PageQuery) -> str:
        """Return the path and query string that lead to the answer of a query."""
        program = {"program": query.program} if query.program else {}
        fields = {"question": query.question, "passage": query.passage, **program}
        address = f"/?{urlencode(fields)}"
        if len(address) <= _MAX_ADDRESS_CHARS:
            return address
        passage_id = self._store(query.passage)
        short = {"question": query.question, "passage_id": passage_id, **program}
        return f"/?{urlencode(short)}"

    def parse(self, query_string: str) -> PageQuery:
        """Read a query from the query string of an address or from the body of a form.

        Raises:
            InputError: The text is malformed or too long, or its passage is no longer stored.
        """
        try:
            values = parse_qs(query_string, max_num_fields=16)
        except ValueError as error:
            raise InputError("The address has too many fields.", hint="Use the form.") from error
        fields = {name: texts[0].replace("\r\n", "\n") for name, texts in values.items()}
        if "passage_id" in fields:
            fields["passage"] = self._load(fields["passage_id"])
        names = ("question", "passage", "program")
        query = PageQuery(**{name: fields.get(name, "") for name in names})
        limits.check_lengths(question=query.question, passage=query.passage, program=query.program)
        return query

    def _store(self, passage: str) -> str:
        passage_id = hashlib.sha256(passage.encode()).hexdigest()[:16]
        self._passages[passage_id] = passage
        self._passages.move_to_end(passage_id)
        while len(self._passages) > _MAX_STORED_PASSAGES:
            self._passages.popitem(last=False)
        return passage_id

    def _load(self, passage_id: str) -> str:
        if passage_id not in self._passages:
            message = "The passage of this link is no longer stored."
            hint = "Enter the passage again. The server stores long passages until it stops."
            raise InputError(message, hint=hint)
        return self._passages[passage_id]
