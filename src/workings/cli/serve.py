"""``workings serve``: the page and the service."""

from pathlib import Path

import typer

from workings.errors import InputError


def serve(
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    host: str = typer.Option("127.0.0.1", help="The address to listen at; this machine's own."),
    port: int = typer.Option(8000, min=0, max=65535, help="The port to listen at; 0 for any."),
    top: int = typer.Option(3, min=1, help="Programs to tell of."),
    threshold: float = typer.Option(0.0, min=0, max=1, help="Answer only if this sure."),
    fast: bool = typer.Option(False, "--fast", help="Read with weights rounded to eight bits."),
) -> None:
    """Serve a page to ask at, and a service for programs, until Ctrl+C."""
    try:
        import uvicorn

        from workings.serve import create_app, limits
        from workings.serve.header_timeout import HeaderTimeoutProtocol
    except ImportError as error:
        hint = "Run: pip install 'workings[web]'."
        raise InputError("Serving needs the packages fastapi and uvicorn.", hint=hint) from error
    from workings.reader import Reader

    reader = Reader.from_pretrained(model, top_k=top, threshold=threshold, fast=fast)
    uvicorn.run(
        create_app(reader),
        host=host,
        port=port,
        http=HeaderTimeoutProtocol,
        limit_concurrency=limits.CONNECTIONS,
        timeout_graceful_shutdown=30,
    )
