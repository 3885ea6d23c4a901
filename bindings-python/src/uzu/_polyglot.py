"""The transport of GraalPy: the engine runs in the same Java VM, and the host program hands it over.

``uzu.polyglot`` in core/polyglot is that host. Its functions return what they are asked for and their error, since
Python's ``except Exception`` doesn't catch what Java throws.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

from ._arguments import checked
from ._errors import InvalidArgument, error_of


def engine_of_host() -> Any:
    """What the host program has bound; None anywhere but in one that has."""
    if sys.implementation.name != "graalpy":
        return None
    # A module that GraalPy alone has.
    return importlib.import_module("polyglot").import_value("uzu")


class PolyglotTransport:
    def __init__(self, engine: Any) -> None:
        self._text, self._number, self._run = engine.text, engine.number, engine.run
        self._queue_add, self._queue_next = engine.queue_add, engine.queue_next

    def text(self, function: str, handle: int, *texts: str | None) -> str:
        result: str = _result(self._text(function, handle, *map(_checked, texts)))
        return result

    def number(self, function: str, handle: int, *texts: str | None) -> int:
        result: int = _result(self._number(function, handle, *map(_checked, texts)))
        return result

    def run(self, function: str, handle: int, *texts: str | None) -> None:
        _result(self._run(function, handle, *map(_checked, texts)))

    def queue_add(self, queue: int, stream: int) -> None:
        _result(self._queue_add(queue, stream))

    def queue_next(self, queue: int, timeout_ms: int) -> str | None:
        result: str | None = _result(self._queue_next(queue, timeout_ms))
        return result


def _checked(text: str | None) -> str | None:
    if text is None:
        return None
    checked(text, str, "a text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as failure:
        raise InvalidArgument(f"A text isn't valid Unicode: {failure}") from failure
    return text


def _result(answer: Any) -> Any:
    error = answer[1]
    if error is not None:
        raise error_of(json.loads(error))
    return answer[0]
