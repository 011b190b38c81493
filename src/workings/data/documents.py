"""Reads the text of plain-text, Markdown, HTML and PDF files."""

import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from workings.errors import InputError

# The largest file, in bytes. It bounds the memory for devices, pipes and other endless files.
MAX_BYTES = 1 << 27

# Elements whose content is not shown to readers.
_HIDDEN = frozenset("head script style template noscript svg math select".split())
# Blocks start a new line; cells are separated by a space, so that their numbers stay apart.
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol p pre section summary table tr "
    "ul".split()
)
_CELLS = frozenset("td th".split())


def read_file(file: Path) -> str:
    """Read the text of a file; the suffix determines the format, plain text by default.

    Raises:
        InputError: The file cannot be read, or contains no text.
    """
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except OSError as error:
        hint = "Give the path of a text, HTML or PDF file, or - to read from standard input."
        raise InputError(f"{file}: {error.strerror}", hint=hint) from error
    return read_bytes(raw, str(file))


def read_bytes(raw: bytes, name: str) -> str:
    """Read the text of a file's content.

    Args:
        raw: The content.
        name: The name of the file; its suffix determines the format, and errors mention it.

    Raises:
        InputError: The content is larger than ``MAX_BYTES``, damaged, binary, or contains no text.
    """
    if len(raw) > MAX_BYTES:
        hint = "Give a smaller file, such as one chapter."
        raise InputError(f"{name}: more than {MAX_BYTES:,} bytes", hint=hint)
    readers: dict[str, Callable[[bytes, str], str]] = {
        ".htm": _read_html,
        ".html": _read_html,
        ".xhtml": _read_html,
        ".pdf": _read_pdf,
    }
    text = readers.get(Path(name).suffix.lower(), _decode)(raw, name)
    if "\0" in text:
        raise InputError(f"{name}: binary, not text", hint="Give a text, HTML or PDF file.")
    if not text.strip():
        raise InputError(f"{name}: no text", hint="Give a file with a passage in it.")
    return text


def _decode(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = f"Save the file as UTF-8 (byte {error.start} is not valid)."
        raise InputError(f"{name}: not UTF-8 text", hint=hint) from error


def _read_html(raw: bytes, name: str) -> str:
    page = _Page()
    page.feed(_decode(raw, name))
    page.close()
    return page.text()


class _Page(HTMLParser):
    """Collects the visible text of a web page, one block a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open_hidden: list[str] = []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":  # the head may lack its end tag
            self.open_hidden.clear()
        elif tag in _HIDDEN:
            self.open_hidden.append(tag)
        self._separate(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open_hidden:
            del self.open_hidden[self.open_hidden.index(tag) :]
        self._separate(tag)

    def handle_data(self, data: str) -> None:
        if not self.open_hidden:
            self.parts.append(re.sub(r"\s+", " ", data))

    def _separate(self, tag: str) -> None:
        if tag in _BLOCKS or tag in _CELLS:
            self.parts.append("\n" if tag in _BLOCKS else " ")

    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        return "\n".join(line for line in lines if line)


def _read_pdf(raw: bytes, name: str) -> str:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        hint = "Run: pip install 'workings[files]'."
        raise InputError(f"{name}: reading PDF needs the package pypdf", hint=hint) from error
    try:
        pages = [page.extract_text() for page in PdfReader(io.BytesIO(raw)).pages]
    # A damaged file may also raise errors that are not the library's own.
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "Open it in a viewer and save it again without a password, or save it as text."
        raise InputError(f"{name}: not a readable PDF ({error})", hint=hint) from error
    if not "".join(pages).strip():
        hint = "Run text recognition (OCR) on it first, or give its text."
        raise InputError(f"{name}: the PDF contains images but no text", hint=hint)
    return "\n".join(pages)
