"""``workings serve``: start the web page and the HTTP service."""

from typing import Annotated

import typer

from workings.cli.options import FastOption, ModelOption, ThresholdOption, TopOption
from workings.errors import InputError


def serve(
    model: ModelOption = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; the default accepts this machine only.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free port.")
    ] = 8000,
    top: TopOption = 3,
    threshold: ThresholdOption = 0.0,
    fast: FastOption = False,
) -> None:
    """Start the web page and the HTTP service; stop with Ctrl+C."""
    try:
        import uvicorn

        from workings.serve import create_app, limits
        from workings.serve.header_timeout import HeaderTimeoutProtocol
    except ImportError as error:
        message = "The packages fastapi and uvicorn are not installed."
        raise InputError(message, hint="Run: pip install 'workings[web]'") from error
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
