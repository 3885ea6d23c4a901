"""JSON values as Python values, checked against a type."""

from __future__ import annotations

import collections
import datetime
import decimal
import json
import pathlib
import re
import typing
import uuid
from typing import Any, Literal

from ._encoding import encoded
from ._errors import InvalidArgument
from ._pydantic import is_pydantic, pydantic_decode
from ._types import (
    LISTS,
    MAPPINGS,
    SETS,
    Member,
    constraints_of,
    is_alias,
    is_enum,
    is_hashable,
    is_named_tuple,
    is_typed_dict,
    is_union,
    members_of,
    name_of,
    unsupported,
    unwrapped,
)


class Mismatch(Exception):
    """A value that its type can't have, and where in the whole it stands."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path or 'the value'} {message}")
        self.path = path


def decoded_text(text: str, kind: Any) -> Any:
    """The value of a JSON text. An InvalidArgument says what doesn't fit, and where."""
    try:
        value = json.loads(text)
    except ValueError as failure:
        raise InvalidArgument(f"The text is no JSON: {failure}: {text!r:.100}", {"field": "text"}) from failure
    return decoded(value, kind)


def decoded(value: Any, kind: Any) -> Any:
    """The JSON value as the type has it."""
    try:
        return _decode(kind, value, "")
    except Mismatch as mismatch:
        raise InvalidArgument(str(mismatch), {"field": mismatch.path}) from mismatch.__cause__


def decoded_members(values: dict[str, Any], members: list[Member]) -> dict[str, Any]:
    """Arguments by name; what may be left out and is isn't there."""
    try:
        return _members(members, values, "")
    except Mismatch as mismatch:
        raise InvalidArgument(str(mismatch), {"field": mismatch.path}) from mismatch.__cause__


def _decode(kind: Any, value: Any, path: str) -> Any:
    inner, metadata = unwrapped(kind)
    if is_pydantic(inner, metadata):
        try:
            return pydantic_decode(inner, metadata, value)
        except ValueError as failure:
            raise Mismatch(path, f"doesn't fit: {failure}") from failure
    result = _decode_plain(inner, value, path)
    if metadata:
        _check(constraints_of(metadata).keywords, result, value, path)
    return result


def _decode_plain(kind: Any, value: Any, path: str) -> Any:
    if kind is Any or kind is object:
        return value
    if kind is None or kind is type(None):
        return _expect(value is None, value, path, "null")
    if is_hashable(kind) and kind in _SCALARS:
        return _SCALARS[kind](value, path)
    origin = typing.get_origin(kind) or kind
    arguments = typing.get_args(kind)
    if is_union(origin):
        return _decode_union(arguments, value, path)
    if origin is Literal:
        return _one_of(arguments, value, path)
    if is_alias(kind):
        return _decode(kind.__value__, value, path)
    if is_enum(kind):
        return _one_of(list(kind), value, path)
    if is_named_tuple(origin) or is_typed_dict(origin):
        return _decode_object(kind, value, path)
    if origin is tuple:
        return _decode_tuple(arguments, value, path)
    if origin in LISTS or origin in SETS:
        _expect(isinstance(value, list), value, path, "an array")
        items = [
            _decode(arguments[0] if arguments else Any, each, f"{path}[{index}]") for index, each in enumerate(value)
        ]
        if origin is collections.deque:
            return collections.deque(items)
        return items if origin in LISTS else frozenset(items) if origin is frozenset else set(items)
    if origin in MAPPINGS:
        _expect(isinstance(value, dict), value, path, "an object")
        keys, values = arguments or (str, Any)
        return {
            _decode_key(keys, key, _below(path, key)): _decode(values, each, _below(path, key))
            for key, each in value.items()
        }
    return _decode_object(kind, value, path)


def _decode_union(kinds: tuple[Any, ...], value: Any, path: str) -> Any:
    # 3 is an int before it is a float, in whatever order the union names them.
    exact = [kind for kind in kinds if unwrapped(kind)[0] is type(value)]
    reasons = []
    for kind in (*exact, *(kind for kind in kinds if kind not in exact)):
        try:
            return _decode(kind, value, path)
        except Mismatch as mismatch:
            reasons.append(str(mismatch))
    raise Mismatch(path, f"fits none of {len(kinds)} types: {'; '.join(reasons)}")


def _decode_tuple(kinds: tuple[Any, ...], value: Any, path: str) -> Any:
    _expect(isinstance(value, list), value, path, "an array")
    if not kinds:
        return tuple(value)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_decode(kinds[0], each, f"{path}[{index}]") for index, each in enumerate(value))
    kinds = tuple(kind for kind in kinds if kind != ())
    _expect(len(value) == len(kinds), value, path, f"an array of {len(kinds)}")
    return tuple(
        _decode(kind, each, f"{path}[{index}]") for index, (kind, each) in enumerate(zip(kinds, value, strict=True))
    )


def _decode_key(kind: Any, key: str, path: str) -> Any:
    inner, _ = unwrapped(kind)
    if inner is int:
        _expect(re.fullmatch(r"-?[0-9]+", key) is not None, key, path, "an integer as key")
        return int(key)
    return _decode(kind, key, path)


def _decode_object(kind: Any, value: Any, path: str) -> Any:
    members = members_of(kind)
    if members is None:
        raise unsupported(kind)
    origin: Any = typing.get_origin(kind) or kind
    if is_named_tuple(origin) and isinstance(value, list):
        value = dict(zip((member.name for member in members), value, strict=False))
    _expect(isinstance(value, dict), value, path, f"an object ({name_of(kind)})")
    values = _members(members, value, path)
    if is_typed_dict(origin):
        return values
    try:
        return origin(**values)
    except (TypeError, ValueError) as failure:
        raise Mismatch(path, f"is no {name_of(kind)}: {failure}") from failure


def _members(members: list[Member], value: dict[str, Any], path: str) -> dict[str, Any]:
    unknown = value.keys() - {member.name for member in members}
    if unknown:
        name = sorted(unknown)[0]
        raise Mismatch(_below(path, name), "isn't known")
    values = {}
    for member in members:
        if member.name in value:
            values[member.name] = _decode(member.hint, value[member.name], _below(path, member.name))
        elif member.required:
            raise Mismatch(_below(path, member.name), "is missing")
    return values


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _expect(holds: bool, value: Any, path: str, what: str) -> Any:
    if not holds:
        shown = json.dumps(value, ensure_ascii=False)
        raise Mismatch(path, f"must be {what}, not {shown:.100}")
    return value


def _one_of(choices: typing.Sequence[Any], value: Any, path: str) -> Any:
    for choice in choices:
        wanted = encoded(choice)
        if wanted == value and isinstance(wanted, bool) == isinstance(value, bool):
            return choice
    names = ", ".join(json.dumps(encoded(choice), ensure_ascii=False) for choice in choices)
    return _expect(False, value, path, f"one of {names}")


def _integer(value: Any, path: str) -> int:
    whole = type(value) is int or (type(value) is float and value.is_integer())
    return int(_expect(whole, value, path, "an integer"))


def _number(value: Any, path: str) -> float:
    return float(_expect(type(value) in (int, float), value, path, "a number"))


def _decimal(value: Any, path: str) -> decimal.Decimal:
    return decimal.Decimal(str(_expect(type(value) in (int, float), value, path, "a number")))


def _string(value: Any, path: str) -> str:
    return str(_expect(type(value) is str, value, path, "a string"))


def _parsed(parse: typing.Callable[[str], Any], what: str) -> typing.Callable[[Any, str], Any]:
    def read(value: Any, path: str) -> Any:
        text = _string(value, path)
        try:
            return parse(text)
        except ValueError:
            return _expect(False, value, path, what)

    return read


def _moment(text: str) -> datetime.datetime:
    # Python before 3.11 doesn't know the Z.
    return datetime.datetime.fromisoformat(re.sub("[zZ]$", "+00:00", text))


def _time(text: str) -> datetime.time:
    return datetime.time.fromisoformat(re.sub("[zZ]$", "+00:00", text))


_SCALARS: dict[Any, typing.Callable[[Any, str], Any]] = {
    bool: lambda value, path: _expect(type(value) is bool, value, path, "true or false"),
    int: _integer,
    float: _number,
    str: _string,
    decimal.Decimal: _decimal,
    datetime.datetime: _parsed(_moment, "a date and time"),
    datetime.date: _parsed(datetime.date.fromisoformat, "a date"),
    datetime.time: _parsed(_time, "a time"),
    uuid.UUID: _parsed(uuid.UUID, "a UUID"),
    pathlib.Path: lambda value, path: pathlib.Path(_string(value, path)),
    pathlib.PurePath: lambda value, path: pathlib.PurePath(_string(value, path)),
}


def _check(keywords: typing.Mapping[str, Any], result: Any, value: Any, path: str) -> None:
    for keyword, limit in keywords.items():
        holds = _CHECKS[keyword](result, limit)
        _expect(holds, value, path, f"{_WORDS[keyword]} {limit}")


_CHECKS: dict[str, typing.Callable[[Any, Any], bool]] = {
    "exclusiveMinimum": lambda value, limit: value > limit,
    "minimum": lambda value, limit: value >= limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
    "maximum": lambda value, limit: value <= limit,
    "multipleOf": lambda value, limit: value % limit == 0,
    "min_length": lambda value, limit: len(value) >= limit,
    "max_length": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.search(limit, value) is not None,
}
_WORDS = {
    "exclusiveMinimum": "greater than",
    "minimum": "at least",
    "exclusiveMaximum": "less than",
    "maximum": "at most",
    "multipleOf": "a multiple of",
    "min_length": "of a length of at least",
    "max_length": "of a length of at most",
    "pattern": "a text like",
}
