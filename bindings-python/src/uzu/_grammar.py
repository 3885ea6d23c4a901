"""What a reply's text must be, and whether it calls tools. Typed in the .pyi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._arguments import json_text
from ._enums import PropertyOrder
from ._errors import InvalidArgument
from ._schemas import schema_of
from ._variants import Union, variant


class Grammar(Union):
    """What a reply's text must be.

    Every reply that isn't cut short by a cancel or a stop string is a whole value: when the tokens left only suffice
    for the shortest end, the reply is led there. Thinking before the answer is free.
    """

    @staticmethod
    def from_type(kind):
        """A JSON value of the type: a pydantic model, dataclass, TypedDict, NamedTuple, enum, or plain type hint."""
        return Grammar.JsonSchema(schema_of(kind))


@variant
@dataclass(frozen=True)
class _JsonSchema(Grammar):
    """A JSON value that the schema, given as text or as a dict, accepts: draft 7 or 2020-12.

    A keyword that can't be enforced is a GrammarUnsupported that names it or, if the reply is lenient, in the reply's
    `unenforced`.
    """

    schema: str
    property_order: PropertyOrder = PropertyOrder.AsGiven

    def __post_init__(self) -> None:
        if not isinstance(self.schema, str):
            object.__setattr__(self, "schema", json_text(self.schema))


@variant
@dataclass(frozen=True)
class _JsonAny(Grammar):
    """Any JSON value."""


@variant
@dataclass(frozen=True)
class _Regex(Grammar):
    """A text that the whole expression matches. No lookaround, no back references."""

    pattern: str


@variant
@dataclass(frozen=True)
class _Ebnf(Grammar):
    """A text of the rule ``root``, in llama.cpp's GBNF or in the context-free part of Lark."""

    text: str


@variant
@dataclass(frozen=True)
class _Choice(Grammar):
    """One of the values."""

    values: Sequence[str]

    def __post_init__(self) -> None:
        values = (self.values,) if isinstance(self.values, str) else tuple(self.values)
        if not values or not all(isinstance(value, str) for value in values):
            raise InvalidArgument(f"values must be one or more texts, not {values!r:.100}", {"field": "values"})
        object.__setattr__(self, "values", values)


class ToolChoice(Union):
    """Whether a reply calls tools."""


@variant
@dataclass(frozen=True)
class _Auto(ToolChoice):
    """As the model likes."""


@variant
@dataclass(frozen=True)
class _None_(ToolChoice):
    """Tools aren't shown to the model. Spelled ``ToolChoice.None_``, as None is a keyword."""


@variant
@dataclass(frozen=True)
class _Required(ToolChoice):
    """At least one call."""


@variant
@dataclass(frozen=True)
class _Named(ToolChoice):
    """A call of this tool."""

    name: str
