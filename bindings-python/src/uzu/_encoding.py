"""Python values as JSON values: what tools return, defaults, members of enums."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import os
import uuid
from collections.abc import Mapping
from typing import Any

from ._errors import InvalidArgument
from ._pydantic import is_pydantic, pydantic_encode
from ._types import is_named_tuple


def encoded(value: Any) -> Any:
    """What `json.dumps` takes. An InvalidArgument names a type that has no JSON form."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, enum.Enum):
        return encoded(value.value)
    if is_pydantic(type(value)):
        return pydantic_encode(value)
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidArgument(f"JSON has no {value}", {"field": "value"})
        return float(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return encoded(int(value) if value == value.to_integral_value() else float(value))
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if is_named_tuple(type(value)):
        return {name: encoded(getattr(value, name)) for name in value._fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: encoded(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {_key(key): encoded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encoded(each) for each in value]
    raise InvalidArgument(f"A {type(value).__name__} has no JSON form: {value!r:.100}", {"field": "value"})


def _key(key: Any) -> str:
    name = encoded(key)
    if isinstance(name, str):
        return name
    if type(name) is int:
        return str(name)
    raise InvalidArgument(f"A key in JSON is a text, not {key!r:.100}", {"field": "value"})
