"""Load test of the server on loopback: latency, throughput, memory, overload and shutdown.

Prints a verdict, and ends with status 1 if a request was lost or memory grows. No request waits
longer than the server may take for it, and the memory part has a time limit, so the test ends.
"""

import argparse
import asyncio
import json
import math
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

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Requests at once and questions per request; together more than the server queues.
_OVERLOAD_REQUESTS, _OVERLOAD_QUESTIONS = 10, 64
# An accepted request is answered within 60 seconds; after this time a request counts as lost.
_LOST_SECONDS = 90.0
# The server promises to stop within this time.
_STOP_SECONDS = 10.0
# Largest growth of memory from the second tenth of the requests to the last.
_MAX_GROWTH = 1.1


@dataclass
class LoadResult:
    """The responses to a number of concurrent clients.

    Attributes:
        clients: Number of clients.
        latencies: Seconds of each request.
        statuses: Number of responses by HTTP status.
        duration: Seconds of the whole test.
    """

    clients: int
    latencies: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    duration: float = 0.0

    def row(self) -> list[str]:
        if len(self.latencies) < 2:
            return [str(self.clients), str(len(self.latencies)), *"----", str(self.statuses)]
        quantiles = statistics.quantiles(self.latencies, n=100)
        percentiles = (f"{1000 * quantiles[p - 1]:.0f} ms" for p in (50, 95, 99))
        count, rate = len(self.latencies), len(self.latencies) / self.duration
        return [str(self.clients), f"{count:,}", *percentiles, f"{rate:.1f}/s", str(self.statuses)]


class Client:
    """A client with one persistent connection."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def __aenter__(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def post(self, body: bytes) -> tuple[int, dict[str, str]]:
        """Post questions; the status and the headers of the response.

        The status is 0 if there is no response in time, or the connection ends without one.
        """
        try:
            async with asyncio.timeout(_LOST_SECONDS):
                return await self._post(body)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            return 0, {}

    async def _post(self, body: bytes) -> tuple[int, dict[str, str]]:
        head = (
            "POST /answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        await self.reader.readexactly(int(headers["content-length"]))
        return int(lines[0].split()[1]), headers


def random_request(rng: Random) -> bytes:
    """A passage of one to eight paragraphs, and one to three questions."""
    passage = " ".join([PASSAGE] * rng.choice((1, 1, 1, 2, 4, 8)))
    questions = [f"{QUESTION} {rng.randrange(100)}" for _ in range(rng.choice((1, 1, 2, 3)))]
    return json.dumps({"passage": passage, "questions": questions}).encode()


async def load(
    port: int, clients: int, requests: int, seed: int, seconds: float = math.inf
) -> LoadResult:
    """Send requests from concurrent clients, each of which waits for its response.

    Args:
        port: The port of the server.
        clients: Number of clients.
        requests: Number of requests of all clients.
        seed: Seed of the requests.
        seconds: No request is sent after this time.
    """
    result, remaining, start = LoadResult(clients), iter(range(requests)), time.perf_counter()

    async def work(number: int) -> None:
        rng = Random(f"{seed}/{clients}/{number}")
        async with Client(port) as client:
            for _ in remaining:
                sent = time.perf_counter()
                if sent - start > seconds:
                    return
                status, _ = await client.post(random_request(rng))
                result.latencies.append(time.perf_counter() - sent)
                result.statuses[status] = result.statuses.get(status, 0) + 1
                if status == 0:
                    return  # the connection is of no use any more

    await asyncio.gather(*map(work, range(clients)))
    result.duration = time.perf_counter() - start
    return result


async def crowd(port: int, clients: int, seconds: float, seed: int) -> LoadResult:
    """Send requests for some seconds; clients that are refused wait for as long as they are told.

    Every request must be answered or refused: none that was accepted may time out. The latencies
    are those of answered requests.
    """
    result, start = LoadResult(clients), time.perf_counter()

    def remaining() -> float:
        return start + seconds - time.perf_counter()

    async def work(number: int) -> None:
        rng = Random(f"{seed}/{clients}/{number}")
        while remaining() > 0:
            sent = time.perf_counter()
            async with Client(port) as client:
                status, headers = await client.post(random_request(rng))
            result.statuses[status] = result.statuses.get(status, 0) + 1
            if status == 200:
                result.latencies.append(time.perf_counter() - sent)
            else:
                wait = int(headers.get("retry-after", 1))
                await asyncio.sleep(max(0.0, min(wait, remaining())))

    await asyncio.gather(*map(work, range(clients)))
    result.duration = time.perf_counter() - start
    return result


async def overload(port: int) -> int:
    """Send more than the server queues; the number of requests refused with a Retry-After."""
    questions = [QUESTION] * _OVERLOAD_QUESTIONS
    body = json.dumps({"passage": PASSAGE, "questions": questions}).encode()

    async def post() -> tuple[int, dict[str, str]]:
        async with Client(port) as client:
            return await client.post(body)

    responses = await asyncio.gather(*(post() for _ in range(_OVERLOAD_REQUESTS)))
    refused = [headers for status, headers in responses if status == 503]
    assert len(refused) == sum(status != 200 for status, _ in responses), responses
    assert all(int(headers["retry-after"]) > 0 for headers in refused)
    return len(refused)


def memory_mb(process: int) -> float:
    """Resident memory of a process, in MB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE_BYTES / 2**20


@asynccontextmanager
async def serving(model: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """Start a server on a free port; its process and its port."""
    command = (sys.executable, "-m", "workings", "serve", "--model", str(model), "--port", "0")
    process = await asyncio.create_subprocess_exec(
        *command, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    assert process.stderr is not None
    try:
        while not (match := re.search(rb"127\.0\.0\.1:(\d+)", await process.stderr.readline())):
            pass
        drained = asyncio.create_task(_drain(process.stderr))
        yield process, int(match[1])
        await drained
    finally:
        if process.returncode is None:
            process.kill()


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass


async def stop(process: asyncio.subprocess.Process, port: int) -> list[str]:
    """Stop the server during a request, which must be answered; return what did not hold."""
    faults: list[str] = []
    body = json.dumps({"passage": PASSAGE, "questions": [QUESTION] * 16}).encode()
    async with Client(port) as client:
        pending = asyncio.create_task(client.post(body))
        await asyncio.sleep(0.1)
        start = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        status, _ = await pending
        if status != 200:
            faults.append(f"shutdown: the pending request got status {status}")
    async with asyncio.timeout(_LOST_SECONDS):
        code = await process.wait()
    took = time.perf_counter() - start
    if code not in (0, -signal.SIGTERM) or took > _STOP_SECONDS:
        faults.append(f"shutdown: it took {took:.1f} s, exit code {code}")
    return faults


async def run(requests: int, seconds: float, seed: int, console: Console) -> list[str]:
    """Run all parts against a small model with random weights, and print the results.

    Args:
        requests: Number of requests of the memory part.
        seconds: Duration of the part with 200 clients. The memory part takes at most ten times as
            long.
        seed: Seed of the requests.
        console: Receives the results.

    Returns:
        What did not hold.
    """
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        model = save(tiny_network(), Path(folder) / "tiny")
        async with serving(model) as (process, port):
            table = Table("clients", "requests", "p50", "p95", "p99", "rate", "statuses")
            results = [
                await load(port, clients, max(100, requests // 20), seed, seconds)
                for clients in (1, 8, 64)
            ]
            results.append(await crowd(port, 200, seconds, seed))
            for result in results:
                table.add_row(*result.row())
                faults += lost_requests(result)
            console.print(table)
            memory, sent = [memory_mb(process.pid)], 0
            for part in range(10):
                result = await load(port, 32, requests // 10, seed + 1 + part, seconds)
                sent += len(result.latencies)
                faults += lost_requests(result)
                memory.append(memory_mb(process.pid))
            values = ", ".join(f"{value:.0f}" for value in memory)
            console.print(f"memory in MB, during {sent:,} requests: {values}")
            if memory[-1] > _MAX_GROWTH * memory[2]:
                faults.append(f"memory grew from {memory[2]:.0f} to {memory[-1]:.0f} MB")
            refused = await overload(port)
            console.print(f"overload: {refused} of {_OVERLOAD_REQUESTS} requests refused for now")
            faults += await stop(process, port)
    return faults


def lost_requests(result: LoadResult) -> list[str]:
    """What went wrong with requests: each must be answered, or refused at once."""
    lost = {status: n for status, n in result.statuses.items() if status not in (200, 503)}
    return [f"{result.clients} clients: statuses {lost} (0: no response)"] if lost else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="of the memory part")
    parser.add_argument("--seconds", type=float, default=60.0, help="of 200 clients")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    console = Console(width=120)
    faults = asyncio.run(run(arguments.requests, arguments.seconds, arguments.seed, console))
    for fault in faults:
        console.print(f"FAILED: {fault}")
    if faults:
        sys.exit(1)
    console.print("PASSED: no accepted request was lost, memory is flat, and it stopped in time.")


if __name__ == "__main__":
    main()
