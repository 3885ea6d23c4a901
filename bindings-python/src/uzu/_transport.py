"""How calls reach the engine: its functions by name, with handles and JSON texts."""

from __future__ import annotations

from typing import Protocol

from ._polyglot import PolyglotTransport, engine_of_host


class Transport(Protocol):
    """The names are those of uzu.h without their prefix: ``engine_create``, ``session_reply``."""

    def text(self, function: str, handle: int, *texts: str | None) -> str:
        """A call whose result is a text."""
        ...

    def number(self, function: str, handle: int, *texts: str | None) -> int:
        """A call whose result is a handle or a count."""
        ...

    def run(self, function: str, handle: int, *texts: str | None) -> None:
        """A call without a result."""

    def queue_add(self, queue: int, stream: int) -> None: ...

    def queue_next(self, queue: int, timeout_ms: int) -> str | None:
        """What is ready as JSON; empty when nothing came in time, None once the queue was closed."""


def open_transport() -> Transport:
    """The engine of the program that GraalPy runs in, where there is one; libuzu everywhere else."""
    engine = engine_of_host()
    if engine is not None:
        return PolyglotTransport(engine)
    from ._native import NativeTransport

    return NativeTransport()
