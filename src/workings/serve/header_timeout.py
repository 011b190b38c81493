"""HTTP protocol that closes connections on which no request arrives in time."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from workings.serve import limits

_BUSY = object()


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for request headers; uvicorn itself has none."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(limits.REQUEST_SECONDS, self._close_if_idle, None)

    def _close_if_idle(self, previous: object) -> None:
        """Close the connection if no request arrived since the previous check.

        Args:
            previous: The last completed request cycle at the previous check, or ``_BUSY``.
        """
        if self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        current = self.cycle if idle else _BUSY
        if idle and current is previous:
            self.transport.close()
        else:
            self.loop.call_later(limits.REQUEST_SECONDS, self._close_if_idle, current)
