"""JSON API: answer questions, run programs, list modules, health and metrics."""

from typing import Annotated, Any

from fastapi import APIRouter
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


class ErrorBody(BaseModel):
    """What is wrong, and what to do."""

    error: str
    hint: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "The request is not valid UTF-8 or JSON."},
    408: {"model": ErrorBody, "description": "The request did not arrive in time."},
    413: {"model": ErrorBody, "description": "The request is too large."},
    422: {"model": ErrorBody, "description": "A field, text or program is not valid."},
    503: {"model": ErrorBody, "description": "The queue is full; see Retry-After."},
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

    @router.get("/health")
    async def health() -> dict[str, str]:
        """Report that the service is up."""
        return {"status": "ok"}

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics_text() -> PlainTextResponse:
        """Return metrics in Prometheus's text format."""
        return PlainTextResponse(metrics.render(batcher.queue_length), media_type=CONTENT_TYPE)

    return router
