"""A server on loopback that gives one archive away, as well or as badly as it is told to."""

import io
import re
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


class Server(ThreadingHTTPServer):
    """Serves ``content`` to all who ask."""

    ranges = True
    breaks_at: int | None = None

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.question_attention: list[str | None] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/drop_dataset.zip"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, wanted = self.server, self.headers.get("Range")
        server.question_attention.append(wanted)
        start = int(re.findall(r"\d+", wanted)[0]) if wanted and server.ranges else 0
        total = len(server.content)
        if self.path != "/drop_dataset.zip":
            self.send_error(404)
        elif start >= total:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{total}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
            self.send_header("Content-Length", str(total - start))
            self.end_headers()
            self.wfile.write(server.content[start : server.breaks_at])

    def log_message(self, *_: object) -> None:
        pass
