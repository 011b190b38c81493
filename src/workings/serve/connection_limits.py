"""HTTP protocol that cuts off slow clients, and idle ones when there are too many connections."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from workings.serve import limits

# Checks of a connection within the time limit.
_CHECKS = 4
# The server answers, or receives a body, whose time the application limits.
_BUSY = ("server works", None)


class LimitedConnection(H11Protocol):
    """uvicorn's HTTP protocol with time limits for requests and for reading responses.

    uvicorn itself waits without limit for the headers of a request and for clients that do not read
    their response. At its limit of connections it refuses all requests, even ``/health``; this
    protocol closes the connection that has been idle the longest instead.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._last_state, self._since = self._state(), self.loop.time()
        self._check = self.loop.call_later(limits.REQUEST_SECONDS / _CHECKS, self._watch)
        if len(self.connections) > limits.CONNECTIONS:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._check.cancel()
        super().connection_lost(exc)

    def _state(self) -> tuple[str, object]:
        """The event that the connection waits for, and its request."""
        if self.transport.get_write_buffer_size():
            return "client reads", self.cycle
        if self.cycle is None or self.cycle.response_complete:
            return "client sends", self.cycle
        return _BUSY

    def _watch(self) -> None:
        """Close the connection if it has waited for the client for too long."""
        state, now = self._state(), self.loop.time()
        if state != self._last_state:
            self._last_state, self._since = state, now
        elif state != _BUSY and now - self._since >= limits.REQUEST_SECONDS:
            self.transport.abort()
            return
        self._check = self.loop.call_later(limits.REQUEST_SECONDS / _CHECKS, self._watch)

    @property
    def _waits_for_request(self) -> bool:
        """Whether no complete request has arrived that is yet to be answered."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _make_room(self) -> None:
        """Close the connection that has waited for a request the longest."""
        waiting = [
            other
            for other in self.connections
            if isinstance(other, LimitedConnection)
            and other is not self
            and other._waits_for_request
        ]
        if waiting:
            min(waiting, key=lambda other: other._since).transport.abort()
        elif len(self.connections) > limits.MAX_CONNECTIONS:
            self.transport.abort()
