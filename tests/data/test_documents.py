"""Reading passages from plain text, HTML and PDF files, and rejecting other files."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.data import documents
from workings.data.documents import read_bytes, read_file
from workings.errors import InputError

PAGE = """<!doctype html><html><head><title>Not read</title><style>p { color: red }</style>
<body><h1>The match</h1><p>Marden kicked a <b>24</b>-yard
   goal &amp; a 41-yard one.<br>Then it rained.</p>
<script>var hidden = 7;</script>
<table><tr><td>12</td><td>34</td></tr><tr><td>56</td></tr></table><p>caf&eacute;</html>"""


def pdf(*lines: str) -> bytes:
    """The smallest PDF with these lines on one page."""
    shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    content = f"BT /F1 12 Tf 50 700 Td {shown} ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    source, offsets = "%PDF-1.4\n", []
    for number, inside in enumerate(objects, 1):
        offsets.append(len(source))
        source += f"{number} 0 obj\n{inside}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\n"
    source += f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}"
    start = source.index("xref")
    return f"{source}startxref\n{start}\n%%EOF\n".encode("latin-1")


@pytest.mark.parametrize("name", ["game.txt", "game.md", "game", "GAME.TXT"])
def test_plain_text_is_unchanged(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes("\ufeff# Über\n\n24 – 7\n".encode())
    assert read_file(tmp_path / name) == "# Über\n\n24 – 7\n"


@pytest.mark.parametrize("name", ["a.html", "a.HTM"])
def test_html_gives_its_visible_text(name: str) -> None:
    assert read_bytes(PAGE.encode(), name).split("\n") == [
        "The match",
        "Marden kicked a 24-yard goal & a 41-yard one.",
        "Then it rained.",
        "12 34",
        "56",
        "café",
    ]


@given(st.text(alphabet="<>/&;!-ab1 \"'=p\n"))
def test_any_html_is_read_or_rejected(page: str) -> None:
    try:
        assert "\0" not in read_bytes(page.encode(), "a.html")
    except InputError as error:
        assert "no text" in error.message


def test_pdf_gives_its_lines() -> None:
    pytest.importorskip("pypdf", reason="needs the extra [files]")
    lines = ["Marden kicked a 24-yard goal.", "Quill ran 18 yards."]
    assert read_bytes(pdf(*lines), "a.pdf").split("\n")[:2] == lines


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("raw", [b"no PDF", b"", pdf("cut")[:120], b"%PDF-1.4\n" + b"\0\xff" * 99])
def test_rejects_damaged_pdf(raw: bytes) -> None:
    pytest.importorskip("pypdf", reason="needs the extra [files]")
    with pytest.raises(InputError, match="PDF"):
        read_bytes(raw, "a.pdf")


def test_rejects_pdf_without_text() -> None:
    pytest.importorskip("pypdf", reason="needs the extra [files]")
    with pytest.raises(InputError, match="images") as caught:
        read_bytes(pdf(), "a.pdf")
    assert "OCR" in caught.value.hint


def test_missing_pdf_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(InputError, match="pypdf") as caught:
        read_bytes(pdf("words"), "a.pdf")
    assert "workings[files]" in caught.value.hint


@pytest.mark.parametrize(
    ("raw", "reason"),
    [(b"", "no text"), (b" \n", "no text"), (b"a\0b", "binary"), (b"\xff", "UTF-8")],
)
def test_rejects_files_without_text(tmp_path: Path, raw: bytes, reason: str) -> None:
    (tmp_path / "game.txt").write_bytes(raw)
    with pytest.raises(InputError, match=reason):
        read_file(tmp_path / "game.txt")


def test_rejects_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_file(tmp_path / "none.pdf")


def test_rejects_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 1_000)
    file = tmp_path / "book.txt"
    file.write_text("x" * 1_000)
    assert read_file(file) == "x" * 1_000
    file.write_text("x" * 1_001)
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        read_file(file)


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are those of Linux")
def test_reads_pipes_and_rejects_endless_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 1_000)
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        read_file(Path("/dev/zero"))
    reading, writing = os.pipe()
    os.write(writing, b"Marden kicked.")
    os.close(writing)
    assert read_file(Path(f"/dev/fd/{reading}")) == "Marden kicked."
    os.close(reading)
