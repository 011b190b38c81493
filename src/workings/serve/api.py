"""The service for programs: JSON in, explanations out."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from workings.explain import Explanation
from workings.network.catalog import list_modules
from workings.serve import limits
from workings.serve.batching import Batcher
from workings.serve.metrics import CONTENT_TYPE, Metrics

Question = Annotated[str, Field(max_length=limits.QUESTION)]
Passage = Annotated[str, Field(max_length=limits.PASSAGE)]


class AnswerRequest(BaseModel):
    """One or many questions about one passage."""

    model_config = ConfigDict(extra="forbid")

    passage: Passage
    questions: list[Question] = Field(min_length=1, max_length=limits.QUESTIONS)


class RunRequest(BaseModel):
    """A program to run, and what it is about."""

    model_config = ConfigDict(extra="forbid")

    program: str = Field(
        max_length=limits.PROGRAM, examples=["sub(find-num(find), find-num(find))"]
    )
    question: Question
    passage: Passage


class Answers(BaseModel):
    """An explanation for each question, in the order asked."""

    answers: list[Explanation]


class ErrorBody(BaseModel):
    """What went wrong, and what to do about it."""

    error: str
    hint: str


FAULTS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "The request is not text."},
    408: {"model": ErrorBody, "description": "The request did not arrive in time."},
    413: {"model": ErrorBody, "description": "The request is too large."},
    422: {"model": ErrorBody, "description": "A text or program that cannot be used."},
    503: {"model": ErrorBody, "description": "Too many questions wait; see Retry-After."},
    504: {"model": ErrorBody, "description": "The answer took too long."},
}


def api_routes(batcher: Batcher, metrics: Metrics) -> APIRouter:
    """The routes over one reader."""
    router = APIRouter()

    @router.post("/answer", responses=FAULTS)
    async def answer(request: AnswerRequest) -> Answers:
        """Answer questions about a passage."""
        return Answers(answers=await batcher.ask(request.questions, request.passage))

    @router.post("/run", responses=FAULTS)
    async def run(request: RunRequest) -> Explanation:
        """Run a program of your own."""
        return await batcher.run(request.program, request.question, request.passage)

    @router.get("/modules")
    async def modules() -> list[dict[str, Any]]:
        """What programs are made of."""
        return list_modules()

    @router.get("/health")
    async def health() -> dict[str, str]:
        """Whether the service is up."""
        return {"status": "ok"}

    @router.get("/metrics", response_class=PlainTextResponse)
    async def counts() -> PlainTextResponse:
        """Counts in Prometheus's text format."""
        return PlainTextResponse(metrics.render(batcher.waiting), media_type=CONTENT_TYPE)

    return router
