"""What a type says of itself: its members, constraints and descriptions, for schemas and for decoding."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import enum
import inspect
import re
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from ._errors import InvalidArgument

MISSING: Any = inspect.Parameter.empty
"""No default."""

LISTS: tuple[Any, ...] = (
    list,
    collections.deque,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
SETS: tuple[Any, ...] = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
MAPPINGS: tuple[Any, ...] = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_QUALIFIERS = ("Required", "NotRequired", "ReadOnly")


@dataclasses.dataclass(frozen=True)
class Member:
    """One property of an object."""

    name: str
    hint: Any
    required: bool
    default: Any = MISSING
    description: str | None = None


@dataclasses.dataclass(frozen=True)
class Constraints:
    """What annotations ask of a value, by JSON schema's keywords."""

    keywords: Mapping[str, Any]
    description: str | None


def unsupported(kind: Any, why: str = "has no JSON form") -> InvalidArgument:
    if any(base.__module__.startswith("pydantic.") for base in getattr(kind, "__mro__", ())):
        why = "is a model of pydantic 1, and uzu takes those of pydantic 2"
    return InvalidArgument(f"The type {name_of(kind)} {why}", {"field": "type", "type": name_of(kind)})


def name_of(kind: Any) -> str:
    is_class = isinstance(kind, type) and not typing.get_args(kind)
    return kind.__qualname__ if is_class else str(kind)


def hints_of(owner: Any, what: str, local: dict[str, Any] | None = None) -> dict[str, Any]:
    """The annotations, with names resolved."""
    names = dict(local or {})
    if isinstance(owner, type):
        names.setdefault(owner.__name__, owner)
    try:
        return typing.get_type_hints(owner, localns=names or None, include_extras=True)
    except (NameError, TypeError, AttributeError, SyntaxError) as failure:
        raise InvalidArgument(
            f"The annotations of {what} can't be resolved: {failure}", {"field": "type", "type": what}
        ) from failure


def unwrapped(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type behind Annotated, NewType and Required, and the metadata, outermost first."""
    metadata: tuple[Any, ...] = ()
    while True:
        origin = typing.get_origin(kind)
        if origin is Annotated:
            kind, *inner = typing.get_args(kind)
            metadata = (*metadata, *inner)
        elif getattr(origin, "_name", None) in _QUALIFIERS or origin is dataclasses.InitVar:
            kind = typing.get_args(kind)[0]
        elif hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        elif isinstance(kind, TypeVar):
            kind = kind.__bound__ or (typing.Union[kind.__constraints__] if kind.__constraints__ else Any)  # noqa: UP007
        else:
            return kind, metadata


def is_hashable(kind: Any) -> bool:
    """False for types annotated with something that isn't."""
    try:
        hash(kind)
    except TypeError:
        return False
    return True


def is_union(origin: Any) -> bool:
    return origin is typing.Union or origin is types.UnionType


def is_alias(kind: Any) -> bool:
    """Whether it is of a `type` statement."""
    return type(kind).__name__ == "TypeAliasType" and hasattr(kind, "__value__")


def is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def is_typed_dict(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__required_keys__")


def is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def members_of(kind: Any) -> list[Member] | None:
    """The properties of a dataclass, TypedDict or NamedTuple; None for other types."""
    origin = typing.get_origin(kind) or kind
    parameters = getattr(origin, "__parameters__", ())
    bound = dict(zip(parameters, typing.get_args(kind), strict=False))
    if is_typed_dict(origin):
        members = _of_typed_dict(origin)
    elif is_named_tuple(origin):
        hints = hints_of(origin, name_of(origin))
        defaults = origin._field_defaults
        members = [
            Member(name, hints.get(name, Any), name not in defaults, defaults.get(name, MISSING))
            for name in origin._fields
        ]
    elif isinstance(origin, type) and dataclasses.is_dataclass(origin):
        members = _of_dataclass(origin)
    else:
        return None
    if not bound:
        return members
    return [dataclasses.replace(member, hint=_substituted(member.hint, bound)) for member in members]


def _of_typed_dict(kind: Any) -> list[Member]:
    members = []
    for name, hint in hints_of(kind, name_of(kind)).items():
        qualifier = getattr(typing.get_origin(hint), "_name", None)
        required = name in kind.__required_keys__ if qualifier not in _QUALIFIERS[:2] else qualifier == "Required"
        members.append(Member(name, hint, required))
    return members


def _of_dataclass(kind: Any) -> list[Member]:
    hints = hints_of(kind, name_of(kind))
    return [
        Member(
            field.name,
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            MISSING if field.default is dataclasses.MISSING else field.default,
            field.metadata.get("description"),
        )
        for field in dataclasses.fields(kind)
        if field.init
    ]


def _substituted(hint: Any, bound: dict[Any, Any]) -> Any:
    if isinstance(hint, TypeVar):
        return bound.get(hint, hint)
    free = getattr(hint, "__parameters__", ())
    # A class that stands there bare has free parameters too, but no arguments to put in.
    has_arguments = typing.get_origin(hint) is not None
    return hint[tuple(bound.get(each, each) for each in free)] if free and has_arguments else hint


def description_of(kind: Any) -> str | None:
    """The class's own docstring; those that Python makes up say nothing."""
    text = getattr(kind, "__dict__", {}).get("__doc__")
    if not isinstance(text, str) or text == "An enumeration.":
        return None
    made_up = text.startswith(f"{getattr(kind, '__name__', '')}(")
    return None if made_up else inspect.cleandoc(text) or None


def constraints_of(metadata: Sequence[Any]) -> Constraints:
    """What Annotated says: a text or Doc is a description, the rest as annotated-types has it."""
    keywords: dict[str, Any] = {}
    description: str | None = None
    for each in _flat(metadata):
        text = each if isinstance(each, str) else getattr(each, "documentation", None)
        if isinstance(text, str):
            description = description or text
            continue
        for attribute, keyword in _KEYWORDS.items():
            value = getattr(each, attribute, None)
            if value is not None and not callable(value):
                keywords[keyword] = value
        if isinstance(each, re.Pattern):
            keywords["pattern"] = each.pattern
    return Constraints(keywords, description)


def _flat(metadata: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for each in metadata:
        # A group, as annotated_types.Interval and Len are, hands out its parts.
        is_group = hasattr(type(each), "__is_annotated_types_grouped_metadata__")
        found.extend(_flat(list(each)) if is_group else [each])
    return found


_KEYWORDS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
    "min_length": "min_length",
    "max_length": "max_length",
}
