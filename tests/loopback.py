"""A local server of one file, which can break off or refuse to resume."""

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
    """Serves ``content``, and records the ranges that were requested."""

    ranges = True
    breaks_at: int | None = None

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.requested_ranges: list[str | None] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/drop_dataset.zip"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, requested = self.server, self.headers.get("Range")
        server.requested_ranges.append(requested)
        start = int(re.findall(r"\d+", requested)[0]) if requested and server.ranges else 0
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
