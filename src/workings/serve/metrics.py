"""Metrics of the service, for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Metrics:
    """Metrics since the start of the service. Each service has its own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "workings_requests",
            "Requests by path and status.",
            ("path", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "workings_request_seconds",
            "Duration of requests.",
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self._questions = Counter(
            "workings_questions", "Questions answered and programs run.", registry=self.registry
        )
        self._batches = Counter(
            "workings_batches", "Batches of questions and programs.", registry=self.registry
        )

    def add_gauge(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a metric whose value is read when the metrics are requested."""
        gauge = Gauge(f"workings_{name}", description, registry=self.registry)
        gauge.set_function(value)

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """Record one completed request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.observe(seconds)

    def count_batch(self, questions: int) -> None:
        """Record one batch of questions."""
        self._questions.inc(questions)
        self._batches.inc()

    def render(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)
