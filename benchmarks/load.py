"""A server under load on loopback: how fast, how full, how steady, and how it stops."""

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from tiny import PASSAGE, QUESTION, tiny_network
from workings.checkpoint.model_folder import save

_PAGE = os.sysconf("SC_PAGE_SIZE")
# Questions that together are more than may wait.
_FLOOD, _EACH = 10, 64


@dataclass
class Load:
    """What a number of clients met."""

    clients: int
    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    took: float = 0.0

    def row(self) -> list[str]:
        cuts = statistics.quantiles(self.seconds, n=100)
        shares = (f"{1000 * cuts[place - 1]:.0f} ms" for place in (50, 95, 99))
        rate = f"{len(self.seconds) / self.took:.1f}/s"
        return [str(self.clients), f"{len(self.seconds):,}", *shares, rate, str(self.statuses)]


class Client:
    """One connection, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def __aenter__(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def post(self, body: bytes) -> tuple[int, dict[str, str]]:
        head = (
            "POST /answer HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        told = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in told[1:] if line)
        await self.reader.readexactly(int(headers["content-length"]))
        return int(told[0].split()[1]), headers


def question(draw: Random) -> bytes:
    """A passage of one to eight paragraphs, and one to three questions."""
    passage = " ".join([PASSAGE] * draw.choice((1, 1, 1, 2, 4, 8)))
    asked = [f"{QUESTION} {draw.randrange(100)}" for _ in range(draw.choice((1, 1, 2, 3)))]
    return json.dumps({"passage": passage, "questions": asked}).encode()


async def load(port: int, clients: int, requests: int, seed: int) -> Load:
    """Ask so many requests of so many clients, each waiting for its answer."""
    found, left, began = Load(clients), iter(range(requests)), time.perf_counter()

    async def work(number: int) -> None:
        draw = Random(f"{seed}/{clients}/{number}")
        async with Client(port) as client:
            for _ in left:
                started = time.perf_counter()
                status, _ = await client.post(question(draw))
                found.seconds.append(time.perf_counter() - started)
                found.statuses[status] = found.statuses.get(status, 0) + 1

    await asyncio.gather(*map(work, range(clients)))
    found.took = time.perf_counter() - began
    return found


async def flood(port: int) -> int:
    """How many of too many were told when to come back; the others are answered."""
    body = json.dumps({"passage": PASSAGE, "questions": [QUESTION] * _EACH}).encode()

    async def one() -> tuple[int, dict[str, str]]:
        async with Client(port) as client:
            return await client.post(body)

    told = await asyncio.gather(*(one() for _ in range(_FLOOD)))
    assert {status for status, _ in told} == {200, 503}, told
    assert all(headers["retry-after"] == "1" for status, headers in told if status == 503)
    return sum(status == 503 for status, _ in told)


def memory(process: int) -> float:
    """Megabytes a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE / 2**20


@asynccontextmanager
async def serving(model: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    command = (sys.executable, "-m", "workings", "serve", "--model", str(model), "--port", "0")
    process = await asyncio.create_subprocess_exec(
        *command, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    assert process.stderr is not None
    try:
        while not (found := re.search(rb"127\.0\.0\.1:(\d+)", await process.stderr.readline())):
            pass
        drained = asyncio.create_task(_drain(process.stderr))
        yield process, int(found[1])
        await drained
    finally:
        if process.returncode is None:
            process.kill()


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass


async def stop(process: asyncio.subprocess.Process, port: int) -> None:
    """What was asked before the stop is answered, and the server ends well."""
    async with Client(port) as client:
        asked = asyncio.create_task(client.post(question(Random(0))))
        await asyncio.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert (await asked)[0] == 200
    assert await process.wait() in (0, -signal.SIGTERM)


async def run(requests: int, seed: int, console: Console) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = save(tiny_network(), Path(folder) / "tiny")
        async with serving(model) as (process, port):
            table = Table("clients", "requests", "p50", "p95", "p99", "rate", "statuses")
            for clients in (1, 8, 64):
                table.add_row(*(await load(port, clients, max(100, requests // 20), seed)).row())
            console.print(table)
            held = [memory(process.pid)]
            for part in range(10):
                await load(port, 32, requests // 10, seed + 1 + part)
                held.append(memory(process.pid))
            told = ", ".join(f"{one:.0f}" for one in held)
            console.print(f"memory in MB, after each tenth of {requests:,} requests: {told}")
            console.print(f"of {_FLOOD} requests too many, {await flood(port)} were told to wait")
            await stop(process, port)
            console.print("stopped: what was begun was answered")
            assert held[-1] < 1.1 * held[2], "memory grows"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    asyncio.run(run(given.requests, given.seed, Console(width=120)))


if __name__ == "__main__":
    main()
