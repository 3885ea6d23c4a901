"""Arguments on their way to the engine: what is of a wrong type is refused by name."""

from __future__ import annotations

import json
from typing import TypeVar

from ._errors import InvalidArgument

T = TypeVar("T")


def checked(value: T, kind: type[object], name: str) -> T:
    """The value, which must be of the kind that its annotation says."""
    if not isinstance(value, kind):
        raise InvalidArgument(f"{name} must be a {kind.__name__}, not {value!r:.100}", {"field": name})
    return value


def json_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as failure:
        raise InvalidArgument(f"An argument can't be passed on: {failure}") from failure
