"""JSON API: answer questions, run programs, list modules, health and metrics."""

from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from workings.explain import Explanation
from workings.network.catalog import list_modules
from workings.serve import limits
from workings.serve.batching import Batcher
from workings.serve.metrics import CONTENT_TYPE, Metrics

QuestionText = Annotated[str, Field(max_length=limits.QUESTION_CHARS)]
PassageText = Annotated[str, Field(max_length=limits.PASSAGE_CHARS)]


class AnswerRequest(BaseModel):
    """Questions about one passage."""

    model_config = ConfigDict(extra="forbid")

    passage: PassageText
    questions: list[QuestionText] = Field(min_length=1, max_length=limits.QUESTIONS_PER_REQUEST)


class RunRequest(BaseModel):
    """A program to run, with its question and passage."""

    model_config = ConfigDict(extra="forbid")

    program: str = Field(
        max_length=limits.PROGRAM_CHARS, examples=["sub(find-num(find), find-num(find))"]
    )
    question: QuestionText
    passage: PassageText


class AnswerResponse(BaseModel):
    """An explanation for each question, in the order of the request."""

    answers: list[Explanation]


class HealthResponse(BaseModel):
    """Whether questions are answered.

    Attributes:
        status: ``ok``, or why not: ``stopping``, ``failing`` (the worker dies again and again) or
            ``stuck`` (the worker does not end its work).
        worker_restarts: How often the worker died and was replaced.
    """

    status: str
    worker_restarts: int


class ErrorBody(BaseModel):
    """An error and its hint."""

    error: str
    hint: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "The request is not valid HTTP, UTF-8 or JSON."},
    403: {"model": ErrorBody, "description": "A page of another site sent the request."},
    408: {"model": ErrorBody, "description": "The request did not arrive in time."},
    413: {"model": ErrorBody, "description": "The request is too large."},
    421: {"model": ErrorBody, "description": "The server does not serve this host."},
    422: {"model": ErrorBody, "description": "A field, text or program is not valid, or too long."},
    500: {"model": ErrorBody, "description": "A bug, or the worker died."},
    503: {"model": ErrorBody, "description": "The queue is full, or the service is stopping."},
    504: {"model": ErrorBody, "description": "The answer took too long."},
}


def api_routes(batcher: Batcher, metrics: Metrics) -> APIRouter:
    """Create the routes of the API."""
    router = APIRouter()

    @router.post("/answer", responses=ERROR_RESPONSES)
    async def answer(request: AnswerRequest) -> AnswerResponse:
        """Answer questions about a passage."""
        return AnswerResponse(answers=await batcher.ask(request.questions, request.passage))

    @router.post("/run", responses=ERROR_RESPONSES)
    async def run(request: RunRequest) -> Explanation:
        """Run a program on a passage."""
        return await batcher.run(request.program, request.question, request.passage)

    @router.get("/modules")
    async def modules() -> list[dict[str, Any]]:
        """List the modules of programs."""
        return list_modules()

    @router.get("/health", responses={503: {"model": HealthResponse}})
    async def health(response: Response) -> HealthResponse:
        """Report whether the service answers questions."""
        status = batcher.status
        response.status_code = 200 if status == "ok" else 503
        return HealthResponse(status=status, worker_restarts=batcher.restarts)

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics_text() -> PlainTextResponse:
        """Return metrics in Prometheus's text format."""
        return PlainTextResponse(metrics.render(), media_type=CONTENT_TYPE)

    return router
