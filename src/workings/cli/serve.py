"""``workings serve``: start the web page and the HTTP service."""

from contextlib import suppress
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
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<name>", help="Name under which the server is reached; repeat it for several."
        ),
    ] = None,
    top: TopOption = 3,
    threshold: ThresholdOption = None,
    fast: FastOption = False,
) -> None:
    """Start the web page and the HTTP service; stop with Ctrl+C."""
    try:
        from workings.serve import create_app
        from workings.serve.server import log_to_console, make_server
    except ImportError as error:
        message = "The packages fastapi, uvicorn and prometheus-client are not all installed."
        raise InputError(message, hint="Run: pip install 'workings[web]'") from error
    from workings.reader import Reader

    reader = Reader.from_pretrained(model, top_k=top, threshold=threshold, fast=fast)
    server = make_server(create_app(reader, hosts=[host, *(allow_host or ())]), host, port)
    # After a stop by Ctrl+C the server passes the signal on.
    with log_to_console(), suppress(KeyboardInterrupt):
        server.run()
