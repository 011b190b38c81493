"""Connections that say what they want in time, or are closed."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from workings.serve import limits

_BUSY = object()


class HeaderTimeoutProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for ever for the head of a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(limits.SECONDS, self._look, None)

    def _look(self, before: object) -> None:
        """Close if nothing was asked since the last look; ``before`` is what was answered then."""
        if self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        now = self.cycle if idle else _BUSY
        if idle and now is before:
            self.transport.close()
        else:
            self.loop.call_later(limits.SECONDS, self._look, now)
