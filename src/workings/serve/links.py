"""Links to answers: all of a question in the address, or a short name for a long passage."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from workings.errors import InputError
from workings.serve import limits

# Longer addresses are cut by mail programs, proxies and people.
_LONGEST = 6_000
_KEPT = 256


@dataclass(frozen=True)
class PageQuery:
    """What a person asks: a question about a passage, maybe with a program of their own."""

    question: str = ""
    passage: str = ""
    program: str = ""

    def __bool__(self) -> bool:
        return bool(self.question or self.passage)


class Links:
    """Makes and reads addresses; the latest long passages are kept in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, str] = OrderedDict()

    def write(self, asking: PageQuery) -> str:
        """The address of an answer."""
        program = {"program": asking.program} if asking.program else {}
        whole = {"question": asking.question, "passage": asking.passage, **program}
        address = f"/?{urlencode(whole)}"
        if len(address) <= _LONGEST:
            return address
        kept = self._keep(asking.passage)
        return f"/?{urlencode({'question': asking.question, 'kept': kept, **program})}"

    def read(self, query: str) -> PageQuery:
        """What an address, or a form's body, asks."""
        try:
            given = parse_qs(query, max_num_fields=16)
        except ValueError as error:
            raise InputError("That is no question.", hint="Use the form.") from error
        text = {name: values[0].replace("\r\n", "\n") for name, values in given.items()}
        question, program = text.get("question", ""), text.get("program", "")
        passage = self._find(text["kept"]) if "kept" in text else text.get("passage", "")
        limits.check(question=question, passage=passage, program=program)
        return PageQuery(question, passage, program)

    def _keep(self, passage: str) -> str:
        name = hashlib.sha256(passage.encode()).hexdigest()[:16]
        self._kept[name] = passage
        self._kept.move_to_end(name)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return name

    def _find(self, name: str) -> str:
        if name not in self._kept:
            hint = "Put the passage in again; links to long ones last as long as the server."
            raise InputError("The passage of this link is no longer kept.", hint=hint)
        return self._kept[name]
