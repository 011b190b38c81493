"""The page for people: a form, the explanation, and a program to edit and run again."""

import hashlib
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from workings.errors import WorkingsError
from workings.explain import Explanation
from workings.explain.html import script, style, template, to_fragment
from workings.network.catalog import list_modules
from workings.serve import limits
from workings.serve.batching import Batcher
from workings.serve.error_responses import headers_of, status_of
from workings.serve.links import Links, PageQuery
from workings.serve.sample_questions import EXAMPLES

# Addresses that are no part of the service's description.
PATHS = ("/", "/style.css", "/script.js")
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


def page_routes(batcher: Batcher) -> APIRouter:
    """The page, its form, its style and its script."""
    router, links = APIRouter(include_in_schema=False), Links()

    @router.get("/")
    async def show(request: Request) -> Response:
        try:
            asking = links.read(request.scope["query_string"].decode("latin-1"))
        except WorkingsError as error:
            return _refusal(PageQuery(), error, links)
        try:
            found = await _answer(batcher, asking) if asking else None
        except WorkingsError as error:
            return _refusal(asking, error, links)
        return HTMLResponse(_render(asking, links, found))

    @router.post("/")
    async def ask(request: Request) -> Response:
        """To the address of the answer, so that it can be reloaded, kept and sent."""
        body = (await request.body()).decode("utf-8", "replace")
        try:
            return RedirectResponse(links.write(links.read(body)), 303)
        except WorkingsError as error:
            return _refusal(PageQuery(), error, links)

    @router.get("/style.css")
    async def styles() -> Response:
        return Response(_assets()["css"], media_type="text/css", headers=_FOREVER)

    @router.get("/script.js")
    async def scripts() -> Response:
        return Response(_assets()["js"], media_type="text/javascript", headers=_FOREVER)

    return router


async def _answer(batcher: Batcher, asking: PageQuery) -> Explanation:
    if asking.program:
        return await batcher.run(asking.program, asking.question, asking.passage)
    (found,) = await batcher.ask([asking.question], asking.passage)
    return found


def _refusal(asking: PageQuery, error: WorkingsError, links: Links) -> HTMLResponse:
    page = _render(asking, links, error=error)
    return HTMLResponse(page, status_of(error), headers_of(error))


def _render(
    asking: PageQuery,
    links: Links,
    found: Explanation | None = None,
    error: WorkingsError | None = None,
) -> str:
    return template("page.html", "workings.serve").render(
        asking=asking,
        found=found,
        told=Markup(_tell(asking, links, found)) if found or asking.program else "",
        error=error,
        examples=[(example, links.write(example)) for example in EXAMPLES],
        limits=limits,
        versions={
            kind: hashlib.sha256(t.encode()).hexdigest()[:8] for kind, t in _assets().items()
        },
    )


def _tell(asking: PageQuery, links: Links, found: Explanation | None) -> str:
    """The explanation with what can be done about it; or that alone, for a refused program."""
    actions = template("actions.html", "workings.serve").render(
        asking=asking,
        found=found,
        program=asking.program or (found.program if found else ""),
        link=links.write(asking),
        modules=list_modules(),
        limits=limits,
    )
    if found is None:
        return actions

    def link(program: str) -> str:
        return links.write(PageQuery(asking.question, asking.passage, program))

    return to_fragment(found, assets=False, actions=actions, link=link)


@cache
def _assets() -> dict[str, str]:
    """The style and the script of the page, each with that of explanations."""
    own = files("workings.serve")
    return {
        "css": style() + (own / "page.css").read_text("utf-8"),
        "js": script() + (own / "page.js").read_text("utf-8"),
    }
