"""Counters of the service, in Prometheus's text format."""

from collections import Counter
from collections.abc import Iterator

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Metrics:
    """Counters since the start of the service."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.bucket_counts: Counter[float] = Counter()
        self.seconds = 0.0
        self.questions = self.batches = 0

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """Record one completed request."""
        self.requests[path, status] += 1
        self.seconds += seconds
        self.bucket_counts.update(bound for bound in _BUCKETS if seconds <= bound)

    def count_batch(self, questions: int) -> None:
        """Record one batch of questions."""
        self.questions += questions
        self.batches += 1

    def render(self, queue_length: int) -> str:
        """Return all metrics as text.

        Args:
            queue_length: Questions in the queue at this moment.
        """
        return "\n".join(self._lines(queue_length)) + "\n"

    def _lines(self, queue_length: int) -> Iterator[str]:
        yield from _header("requests_total", "counter", "Requests by path and status.")
        for (path, status), count in sorted(self.requests.items()):
            yield f'workings_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _header("request_seconds", "histogram", "Duration of requests.")
        for bound in _BUCKETS:
            yield f'workings_request_seconds_bucket{{le="{bound:g}"}} {self.bucket_counts[bound]}'
        yield f'workings_request_seconds_bucket{{le="+Inf"}} {self.requests.total()}'
        yield f"workings_request_seconds_sum {self.seconds:.6f}"
        yield f"workings_request_seconds_count {self.requests.total()}"
        yield from _header("questions_total", "counter", "Questions answered and programs run.")
        yield f"workings_questions_total {self.questions}"
        yield from _header("batches_total", "counter", "Batches of questions and programs.")
        yield f"workings_batches_total {self.batches}"
        yield from _header("queue_length", "gauge", "Questions in the queue.")
        yield f"workings_queue_length {queue_length}"


def _header(name: str, kind: str, description: str) -> tuple[str, str]:
    return f"# HELP workings_{name} {description}", f"# TYPE workings_{name} {kind}"
