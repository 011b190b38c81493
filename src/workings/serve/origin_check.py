"""Refuses requests for other hosts, and requests that another site makes a browser send.

A page of another site can resolve its own name to this server (DNS rebinding), or link, embed and
post to it. The first shows in ``Host``, the second in ``Sec-Fetch-Site`` or ``Origin``.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from workings.serve.error_responses import CrossSiteError, closing_response

_OWN_SITES = ("same-origin", "none")  # "none": typed, or opened from a bookmark


def host_name(host: str) -> str | None:
    """Return the name in a ``Host`` header without its port; None if it is not a host."""
    try:
        parts = urlsplit(f"//{host}")
        # Reading the port checks it.
        valid = parts.port is not None or not host.endswith(":")
    except ValueError:
        return None
    valid = valid and not parts.path and not parts.query and not parts.fragment and "@" not in host
    return parts.hostname.rstrip(".") if valid and parts.hostname else None


def is_served(host: str, names: Iterable[str]) -> bool:
    """Whether a ``Host`` header names this server.

    Addresses are always accepted: DNS rebinding needs a name.

    Args:
        host: The header.
        names: The names of the server, in lower case.
    """
    name = host_name(host)
    if name is None:
        return False
    try:
        ip_address(name)
    except ValueError:
        return name in names
    return True


def is_cross_site(headers: Headers) -> bool:
    """Whether a page of another origin made the browser send a request."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in _OWN_SITES
    origin = headers.get("origin", "null")  # older browsers send the origin of a POST only
    return origin != "null" and urlsplit(origin).netloc != headers.get("host")


def check_own_site(headers: Headers) -> None:
    """Check that a request does not come from a page of another site.

    Raises:
        CrossSiteError: It does.
    """
    if is_cross_site(headers):
        message = "This link was opened from another site, so it was not answered yet."
        raise CrossSiteError(message, hint="Press Ask to answer the question.")


class OriginMiddleware:
    """Refuses unknown hosts, and POST requests of other sites.

    Args:
        app: The application behind it.
        names: The names of the server, in lower case.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app, self.names = app, frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        app = self.app
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if not is_served(headers.get("host", ""), self.names):
                hint = "Start the server with --allow-host and the name of this host."
                app = closing_response(421, "The server does not serve this host.", hint)
            elif scope["method"] == "POST" and is_cross_site(headers):
                hint = "Send the request from the service's own page, or without a browser."
                app = closing_response(403, "The request comes from another site.", hint)
        await app(scope, receive, send)
