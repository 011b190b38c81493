"""The text of a file that people have: plain text, Markdown, a web page, a PDF."""

import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from workings.errors import InputError

# What stands between these is never read by people.
_UNREAD = frozenset("head script style template noscript svg math select".split())
# These stand apart from what is around them; cells apart by a space, so that numbers stay two.
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol p pre section summary table tr "
    "ul".split()
)
_CELLS = frozenset("td th".split())


def read_file(file: Path) -> str:
    """The text of a file, by the ending of its name; what is not known is plain text."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        hint = "Give the path of a text, HTML or PDF file, or - to read from standard input."
        raise InputError(f"{file}: {error.strerror}", hint=hint) from error
    return read_bytes(raw, str(file))


def read_bytes(raw: bytes, name: str) -> str:
    """The text of a file's content; ``name`` tells the kind and is named in errors."""
    kinds: dict[str, Callable[[bytes, str], str]] = {
        ".htm": _read_html,
        ".html": _read_html,
        ".xhtml": _read_html,
        ".pdf": _read_pdf,
    }
    text = kinds.get(Path(name).suffix.lower(), _decode)(raw, name)
    if "\0" in text:
        raise InputError(f"{name}: binary, not text", hint="Give a text, HTML or PDF file.")
    if not text.strip():
        raise InputError(f"{name}: no text", hint="Give a file with a passage in it.")
    return text


def _decode(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = f"Save it as UTF-8 (byte {error.start} is not)."
        raise InputError(f"{name}: not UTF-8 text", hint=hint) from error


def _read_html(raw: bytes, name: str) -> str:
    page = _Page()
    page.feed(_decode(raw, name))
    page.close()
    return page.text()


class _Page(HTMLParser):
    """The words of a web page, each block on a line of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.unread: list[str] = []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":  # a head may be left open
            self.unread.clear()
        elif tag in _UNREAD:
            self.unread.append(tag)
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unread:
            del self.unread[self.unread.index(tag) :]
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.words.append(re.sub(r"\s+", " ", data))

    def _part(self, tag: str) -> None:
        if tag in _BLOCKS or tag in _CELLS:
            self.words.append("\n" if tag in _BLOCKS else " ")

    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self.words).split("\n"))
        return "\n".join(line for line in lines if line)


def _read_pdf(raw: bytes, name: str) -> str:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        hint = "Run: pip install 'workings[files]'."
        raise InputError(f"{name}: PDF needs the package pypdf", hint=hint) from error
    try:
        pages = [page.extract_text() for page in PdfReader(io.BytesIO(raw)).pages]
    # A damaged file may fail anywhere inside the library, and not only with its own errors.
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "Open it in a viewer, and save it anew without a password, or as text."
        raise InputError(f"{name}: not a readable PDF ({error})", hint=hint) from error
    if not "".join(pages).strip():
        hint = "Recognise its letters (OCR) first, or give its text."
        raise InputError(f"{name}: the PDF holds pictures, no text", hint=hint)
    return "\n".join(pages)
