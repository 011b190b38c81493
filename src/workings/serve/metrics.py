"""What the service counts, in the text format that Prometheus reads."""

from collections import Counter
from collections.abc import Iterator

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Metrics:
    """Counts since the service was started."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.within: Counter[float] = Counter()
        self.seconds = 0.0
        self.questions = self.batches = 0

    def count_request(self, path: str, status: int, seconds: float) -> None:
        self.requests[path, status] += 1
        self.seconds += seconds
        self.within.update(bound for bound in _BOUNDS if seconds <= bound)

    def count_batch(self, questions: int) -> None:
        self.questions += questions
        self.batches += 1

    def render(self, waiting: int) -> str:
        """All of it, as text."""
        return "\n".join(self._lines(waiting)) + "\n"

    def _lines(self, waiting: int) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests, by path and status.")
        for (path, status), count in sorted(self.requests.items()):
            yield f'workings_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "How long requests took.")
        for bound in _BOUNDS:
            yield f'workings_request_seconds_bucket{{le="{bound:g}"}} {self.within[bound]}'
        yield f'workings_request_seconds_bucket{{le="+Inf"}} {self.requests.total()}'
        yield f"workings_request_seconds_sum {self.seconds:.6f}"
        yield f"workings_request_seconds_count {self.requests.total()}"
        yield from _head("questions_total", "counter", "Questions and programs run.")
        yield f"workings_questions_total {self.questions}"
        yield from _head("batches_total", "counter", "Batches they were run in.")
        yield f"workings_batches_total {self.batches}"
        yield from _head("waiting", "gauge", "Questions that wait now.")
        yield f"workings_waiting {waiting}"


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP workings_{name} {meaning}", f"# TYPE workings_{name} {kind}"
