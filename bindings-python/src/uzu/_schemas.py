"""The JSON schema of a Python type."""

from __future__ import annotations

import datetime
import decimal
import pathlib
import typing
import uuid
from collections.abc import Iterator
from typing import Any, Literal

from ._encoding import encoded
from ._errors import InvalidArgument
from ._pydantic import is_pydantic, pydantic_schema
from ._types import (
    LISTS,
    MAPPINGS,
    MISSING,
    SETS,
    Member,
    constraints_of,
    description_of,
    is_alias,
    is_enum,
    is_hashable,
    is_union,
    members_of,
    name_of,
    unsupported,
    unwrapped,
)

Schema = dict[str, Any]

_PLAIN: dict[Any, Schema] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    str: {"type": "string"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    pathlib.Path: {"type": "string"},
    pathlib.PurePath: {"type": "string"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    dict: {"type": "object"},
}
_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
_PREFIX = "#/$defs/"


def schema_of(kind: Any, mode: Literal["validation", "serialization"] = "validation") -> Schema:
    """The schema of the type's values, described by docstrings and Annotated. Types without one are refused by name."""
    builder = SchemaBuilder(mode)
    return builder.finished(builder.schema(kind))


class SchemaBuilder:
    """A schema in the making. Classes go to $defs first; at the end those that are used once go where they are used."""

    def __init__(self, mode: Literal["validation", "serialization"] = "validation") -> None:
        self._mode: Literal["validation", "serialization"] = mode
        self._definitions: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}

    def schema(self, kind: Any) -> Schema:
        inner, metadata = unwrapped(kind)
        if is_pydantic(inner, metadata):
            schema = self._of_pydantic(inner, tuple(each for each in metadata if not isinstance(each, str)))
            metadata = tuple(each for each in metadata if isinstance(each, str))
        else:
            schema = self._of(inner)
        constraints = constraints_of(metadata)
        schema = {**schema, **_for_kind(schema, constraints.keywords)}
        if constraints.description is not None:
            schema["description"] = constraints.description
        return schema

    def object_of(self, members: list[Member], description: str | None = None) -> Schema:
        """An object of these properties and no others."""
        properties: Schema = {}
        for member in members:
            schema = self.schema(member.hint)
            if member.description is not None:
                schema.setdefault("description", member.description)
            if member.default is not MISSING:
                schema = {**schema, **_default(member.default)}
            properties[member.name] = schema
        return {
            "type": "object",
            **({} if description is None else {"description": description}),
            "properties": properties,
            "required": [member.name for member in members if member.required],
            "additionalProperties": False,
        }

    def finished(self, root: Schema) -> Schema:
        counts: dict[str, int] = {}
        recursive = {name for name in self._definitions if name in self._reached(name)}
        for schema in (root, *self._definitions.values()):
            for name in _references(schema):
                counts[name] = counts.get(name, 0) + 1
        kept: dict[str, Schema] = {}

        def inline(schema: Schema) -> Schema:
            reference = schema.get("$ref")
            if isinstance(reference, str) and reference.startswith(_PREFIX):
                name = reference[len(_PREFIX) :]
                beside = {key: value for key, value in schema.items() if key != "$ref"}
                if name not in recursive and counts[name] == 1:
                    return {**_mapped(self._definitions[name], inline), **beside}
                if name not in kept:
                    kept[name] = {}
                    kept[name] = _mapped(self._definitions[name], inline)
                return schema
            return _mapped(schema, inline)

        result = inline(root)
        return {**result, "$defs": kept} if kept else result

    def _reached(self, start: str) -> set[str]:
        reached: set[str] = set()
        waiting = list(_references(self._definitions[start]))
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(_references(self._definitions[name]))
        return reached

    def _of(self, kind: Any) -> Schema:
        if is_hashable(kind) and kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin = typing.get_origin(kind)
        arguments = typing.get_args(kind)
        if is_union(origin):
            return {"anyOf": [self.schema(each) for each in arguments]}
        if origin is Literal:
            return _one_of([encoded(each) for each in arguments])
        if is_alias(kind):
            return self._defined(kind, kind.__name__, lambda: self.schema(kind.__value__))
        if is_enum(kind):
            return self._defined(kind, kind.__name__, lambda: _of_enum(kind))
        if origin is tuple or kind is tuple:
            return self._of_tuple(arguments)
        if origin in LISTS or origin in SETS or (kind in LISTS or kind in SETS):
            return {"type": "array", **({"items": self.schema(arguments[0])} if arguments else {})}
        if origin in MAPPINGS or kind in MAPPINGS:
            return self._of_mapping(kind, arguments)
        members = members_of(kind)
        if members is None:
            raise unsupported(kind)
        described = description_of(origin or kind)
        return self._defined(kind, _identifier(kind), lambda: self.object_of(members, described))

    def _of_tuple(self, arguments: tuple[Any, ...]) -> Schema:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"type": "array", "items": self.schema(arguments[0])}
        items = [self.schema(each) for each in arguments if each != ()]
        sized = {"minItems": len(items), "maxItems": len(items)}
        return {"type": "array", **({"prefixItems": items} if items else {}), **sized}

    def _of_mapping(self, kind: Any, arguments: tuple[Any, ...]) -> Schema:
        if not arguments:
            return {"type": "object"}
        keys, _ = unwrapped(arguments[0])
        values = self.schema(arguments[1])
        if keys in (str, Any):
            return {"type": "object", "additionalProperties": values or True}
        if keys is int:
            return {"type": "object", "patternProperties": {"^-?[0-9]+$": values}, "additionalProperties": False}
        named = self._of(keys) if is_enum(keys) or typing.get_origin(keys) is Literal else {}
        named = self._definitions[self._names[keys]] if is_enum(keys) else named
        names = named.get("enum", [named["const"]] if "const" in named else [])
        if not names or not all(isinstance(name, str) for name in names):
            raise unsupported(kind, "has keys that are neither texts nor integers")
        return {"type": "object", "properties": {name: values for name in names}, "additionalProperties": False}

    def _defined(self, kind: Any, name: str, make: typing.Callable[[], Schema]) -> Schema:
        if kind not in self._names:
            self._names[kind] = self._free(name)
            self._definitions[self._names[kind]] = {}
            self._definitions[self._names[kind]] = make()
        return {"$ref": _PREFIX + self._names[kind]}

    def _free(self, name: str) -> str:
        number = 1
        free = name
        while free in self._definitions:
            number += 1
            free = f"{name}{number}"
        return free

    def _of_pydantic(self, kind: Any, metadata: tuple[Any, ...]) -> Schema:
        schema = pydantic_schema(kind, metadata, self._mode)
        definitions: dict[str, Schema] = schema.pop("$defs", {})
        renamed = {
            name: name if self._definitions.get(name, definition) == definition else self._free(name)
            for name, definition in definitions.items()
        }

        def rename(part: Schema) -> Schema:
            part = _mapped(part, rename)
            reference = part.get("$ref")
            if isinstance(reference, str) and reference.startswith(_PREFIX):
                part["$ref"] = _PREFIX + renamed[reference[len(_PREFIX) :]]
            return part

        for name, definition in definitions.items():
            self._definitions[renamed[name]] = rename(definition)
        whole = rename(schema)
        if metadata or "$ref" in whole or not isinstance(kind, type):
            return whole
        name = _identifier(kind)
        if self._definitions.get(name, whole) != whole:
            name = self._free(name)
        self._definitions[name] = whole
        return {"$ref": _PREFIX + name}


def _identifier(kind: Any) -> str:
    """A name for $defs: Box[int] becomes Box_int."""
    origin = typing.get_origin(kind)
    if origin is None:
        return "".join(letter if letter.isalnum() else "_" for letter in kind.__name__).strip("_")
    parts = [origin.__name__, *(name_of(each) for each in typing.get_args(kind))]
    return "".join(letter if letter.isalnum() else "_" for letter in "_".join(parts))


def _one_of(values: list[Any]) -> Schema:
    kinds = {_SCALARS.get(type(value)) for value in values}
    typed: Schema = {"type": kinds.pop()} if len(kinds) == 1 and None not in kinds else {}
    return {**typed, "const": values[0]} if len(values) == 1 else {**typed, "enum": values}


def _of_enum(kind: Any) -> Schema:
    values = [encoded(member.value) for member in kind]
    if not values:
        raise unsupported(kind, "has no members")
    description = description_of(kind)
    return {**_one_of(values), **({} if description is None else {"description": description})}


def _default(value: Any) -> Schema:
    try:
        return {"default": encoded(value)}
    except InvalidArgument:
        return {}  # a default that only Python understands


def _for_kind(schema: Schema, keywords: typing.Mapping[str, Any]) -> Schema:
    """Lengths are of texts, arrays or objects."""
    suffix = {"array": "Items", "object": "Properties"}.get(schema.get("type", ""), "Length")
    renamed = {"min_length": f"min{suffix}", "max_length": f"max{suffix}"}
    return {renamed.get(keyword, keyword): encoded(value) for keyword, value in keywords.items()}


_SCHEMAS = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS = ("properties", "patternProperties", "dependentSchemas")


def _mapped(schema: Schema, function: typing.Callable[[Schema], Schema]) -> Schema:
    """The schema with its parts replaced; what only looks like a part, a default say, is left alone."""
    result = dict(schema)
    for key, value in schema.items():
        if key in _SCHEMAS and isinstance(value, dict):
            result[key] = function(value)
        elif key in _LISTS and isinstance(value, list):
            result[key] = [function(each) if isinstance(each, dict) else each for each in value]
        elif key in _MAPS and isinstance(value, dict):
            result[key] = {name: function(each) if isinstance(each, dict) else each for name, each in value.items()}
    return result


def _references(schema: Schema) -> Iterator[str]:
    found: list[str] = []

    def look(part: Schema) -> Schema:
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith(_PREFIX):
            found.append(reference[len(_PREFIX) :])
        return _mapped(part, look)

    look(schema)
    return iter(found)
