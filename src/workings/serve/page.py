"""The web page: a form, the explanation of the answer, and a program to edit and run."""

import hashlib
from dataclasses import replace
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from workings.errors import ProgramError, WorkingsError
from workings.explain import Explanation
from workings.explain.html import script, style, template, to_fragment
from workings.network.catalog import list_modules
from workings.program import error_place
from workings.serve import limits
from workings.serve.batching import Batcher
from workings.serve.error_responses import error_headers, error_status
from workings.serve.origin_check import check_own_site
from workings.serve.permalinks import PageQuery, Permalinks
from workings.serve.sample_questions import EXAMPLES

# Paths that are not part of the API description.
PAGE_PATHS = ("/", "/style.css", "/script.js")
_CACHE_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


def page_routes(batcher: Batcher) -> APIRouter:
    """Create the routes of the page, its style sheet and its script."""
    router, permalinks = APIRouter(include_in_schema=False), Permalinks()

    @router.get("/")
    async def show(request: Request) -> Response:
        query = PageQuery()
        try:
            query = permalinks.parse_address(request.scope["query_string"].decode("latin-1"))
            explanation = None
            if "passage_id" in request.query_params:  # otherwise there is nothing to answer yet
                check_own_site(request.headers)
                explanation = await _answer(batcher, query)
        except WorkingsError as error:
            return _error_page(query, permalinks, error, await _kept_answer(batcher, query, error))
        return HTMLResponse(_render(query, permalinks, explanation))

    @router.post("/")
    async def submit(request: Request) -> Response:
        """Redirect to the address of the answer, so that it can be reloaded and shared."""
        body = (await request.body()).decode("utf-8", "replace")
        try:
            return RedirectResponse(permalinks.address(permalinks.parse_form(body)), 303)
        except WorkingsError as error:
            return _error_page(PageQuery(), permalinks, error)

    @router.get("/style.css")
    async def styles() -> Response:
        return Response(_assets()["css"], media_type="text/css", headers=_CACHE_FOREVER)

    @router.get("/script.js")
    async def scripts() -> Response:
        return Response(_assets()["js"], media_type="text/javascript", headers=_CACHE_FOREVER)

    return router


async def _answer(batcher: Batcher, query: PageQuery) -> Explanation:
    if query.program:
        return await batcher.run(query.program, query.question, query.passage)
    (explanation,) = await batcher.ask([query.question], query.passage)
    return explanation


async def _kept_answer(
    batcher: Batcher, query: PageQuery, error: WorkingsError
) -> Explanation | None:
    """The answer by the predicted program, which stays on the page beside a program's error."""
    if not isinstance(error, ProgramError):
        return None
    try:
        return await _answer(batcher, replace(query, program=""))
    except WorkingsError:  # the first error is the one to show
        return None


def _error_page(
    query: PageQuery,
    permalinks: Permalinks,
    error: WorkingsError,
    explanation: Explanation | None = None,
) -> HTMLResponse:
    page = _render(query, permalinks, explanation, error)
    return HTMLResponse(page, error_status(error), error_headers(error))


def _render(
    query: PageQuery,
    permalinks: Permalinks,
    explanation: Explanation | None = None,
    error: WorkingsError | None = None,
) -> str:
    show_result = explanation is not None or query.program
    result = _result(query, permalinks, explanation, invalid=isinstance(error, ProgramError))
    return template("page.html", "workings.serve").render(
        query=query,
        answered=explanation is not None,
        result=Markup(result) if show_result else "",
        error=error,
        place=error_place(query.program, error) if isinstance(error, ProgramError) else None,
        examples=[(example, permalinks.address(example)) for example in EXAMPLES],
        limits=limits,
        versions={
            kind: hashlib.sha256(text.encode()).hexdigest()[:8] for kind, text in _assets().items()
        },
    )


def _result(
    query: PageQuery, permalinks: Permalinks, explanation: Explanation | None, *, invalid: bool
) -> str:
    """Render the explanation and its actions; without an explanation, the actions only."""
    actions = template("actions.html", "workings.serve").render(
        query=query,
        answered=explanation is not None,
        invalid=invalid,
        program=query.program or (explanation.program if explanation else ""),
        link=permalinks.address(query),
        modules=list_modules(),
        limits=limits,
    )
    if explanation is None:
        return actions

    def link(program: str) -> str:
        return permalinks.address(PageQuery(query.question, query.passage, program))

    return to_fragment(explanation, assets=False, actions=actions, link=link)


@cache
def _assets() -> dict[str, str]:
    """Return the style sheet and the script of the page, with those of explanations."""
    package = files("workings.serve")
    return {
        "css": style() + (package / "page.css").read_text("utf-8"),
        "js": script() + (package / "page.js").read_text("utf-8"),
    }
