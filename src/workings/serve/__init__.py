"""The page and the service: a reader behind HTTP, for people and for programs."""

from workings.serve.app import create_app

__all__ = ["create_app"]
