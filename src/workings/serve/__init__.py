"""Web page and HTTP service over one reader."""

from workings.serve.app import create_app

__all__ = ["create_app"]
