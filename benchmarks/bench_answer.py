"""Fast mode against full precision, and lines per second by the number of Ray workers.

Run `python benchmarks/bench_answer.py [--busy]`: --busy measures processor time on one core.
"""

import importlib.util
import sys
import tempfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import partial
from time import perf_counter
from typing import get_args

import torch
from measure import BenchmarkRow, Clock, ratio, show
from texts import DROP_WORDS, load_network, passages

from workings.batch.answering import BatchAnswerer, Chunk
from workings.batch.questions import Request
from workings.batch.ray_backend import RayBackend
from workings.checkpoint.model_folder import save
from workings.encoder.quantize import FastMethod, preferred_method
from workings.network.network import Network
from workings.reader import Reader


def fast(network: Network, words: int = DROP_WORDS, rounds: int = 5) -> Iterator[BenchmarkRow]:
    """One question, and ten questions on one passage, by each method against full precision.

    The budget is for ten questions by the method chosen here, on processors with products of
    bfloat16 or 8-bit integers.
    """
    (synthetic,) = passages(1, words)
    text = synthetic.passage.text
    ten = [(question.text, text) for question in synthetic.passage.questions]
    full = Reader(network)
    for method in get_args(FastMethod):
        converted = deepcopy(network)
        converted.encoder.use_fast(method)
        reader = Reader(converted)
        chosen = ", chosen here" if method == preferred_method() else ""
        for name, pairs in (("one question", ten[:1]), ("ten questions", ten)):
            result = ratio(partial(reader.ask_many, pairs), partial(full.ask_many, pairs), rounds)
            name = f"{name} in {method} / in float32{chosen}"
            if chosen and pairs is ten and _has_fast_products():
                yield BenchmarkRow.at_most(name, result, 0.5)
            else:
                yield BenchmarkRow(name, str(result))


def _has_fast_products() -> bool:
    instructions = ("avx512_bf16", "amx_bf16", "avx512_vnni", "avx_vnni", "amx_int8")
    capabilities = torch.cpu.get_capabilities()
    return any(capabilities.get(name) for name in instructions)


def workers(
    network: Network, counts: Sequence[int] = (1, 2), chunks: int = 8
) -> Iterator[BenchmarkRow]:
    """Lines per second by the number of workers, once all have started."""
    if importlib.util.find_spec("ray") is None:
        yield BenchmarkRow("lines per second by workers", "needs the extra ray")
        return
    with tempfile.TemporaryDirectory() as folder:
        make_answerer = partial(BatchAnswerer.from_model, save(network, folder))
        for count in counts:
            backend = RayBackend(make_answerer, count)
            rate = _lines_per_second(backend, list(_chunks(chunks * count)), count)
            yield BenchmarkRow(f"lines per second, workers: {count}", f"{rate:.1f}")


def _lines_per_second(backend: RayBackend, chunks: Sequence[Chunk], workers: int) -> float:
    times = [perf_counter() for _ in backend.answer(chunks)]
    # The first chunk of each worker includes its start.
    lines = sum(len(chunk) for chunk in chunks[workers:])
    return lines / (times[-1] - times[workers - 1])


def _chunks(count: int) -> Iterator[Chunk]:
    for synthetic in passages(count):
        text = synthetic.passage.text
        yield [Request(0, None, question.text, text) for question in synthetic.passage.questions]


def main() -> None:
    if "--busy" in sys.argv:
        Clock.use_processor_time()
    network = load_network()
    sys.exit(not show([*fast(network), *workers(network)]))


if __name__ == "__main__":
    main()
