"""Types as schemas, and JSON as values of types."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar

import annotated_types
import pytest
from pydantic import AliasChoices, BaseModel, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

import uzu
from uzu import ChatMessage, Grammar
from uzu._encoding import encoded

T = TypeVar("T")
UserId = NewType("UserId", int)


class Color(enum.Enum):
    """A paint."""

    Red = "red"
    Blue = "blue"


class Country(BaseModel):
    """A country of the world."""

    name: str
    capital: Annotated[str, "Where its government sits."]


class CountryList(BaseModel):
    countries: list[Country]


@dataclass
class City:
    """A town."""

    name: str
    people: Annotated[int, annotated_types.Ge(0), "How many live there."] = 0
    country: Country | None = None
    tags: list[str] = field(default_factory=list, metadata={"description": "Words for it."})


@dataclass
class Node:
    value: int
    children: list[Node] = field(default_factory=list)


class Movie(TypedDict, total=False):
    title: str
    year: int


class Point(NamedTuple):
    x: float
    y: float = 0.0


@dataclass
class Box(Generic[T]):
    content: T
    more: list[T]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, "Lives remaining."]


class Dog(BaseModel):
    kind: Literal["dog"]


class Tree(BaseModel):
    value: int
    children: list[Tree] = Field(default_factory=list)


@pydantic_dataclass
class Money:
    amount: int = Field(gt=0)


def schema(kind: Any) -> Any:
    return json.loads(Grammar.from_type(kind).schema)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (None, {"type": "null"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Sequence[float], {"type": "array", "items": {"type": "number"}}),
        (set[str], {"type": "array", "items": {"type": "string"}}),
        (list, {"type": "array"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": True}),
        (
            dict[int, str],
            {"type": "object", "patternProperties": {"^-?[0-9]+$": {"type": "string"}}, "additionalProperties": False},
        ),
        (
            dict[Literal["a", "b"], bool],
            {
                "type": "object",
                "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}},
                "additionalProperties": False,
            },
        ),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[int, str],
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        ),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a"], {"type": "string", "const": "a"}),
        (Literal[1, "a", None], {"enum": [1, "a", None]}),
        (Color, {"type": "string", "enum": ["red", "blue"], "description": "A paint."}),
        (UserId, {"type": "integer"}),
        (datetime.datetime, {"type": "string", "format": "date-time"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (Annotated[int, "How many."], {"type": "integer", "description": "How many."}),
        (
            Annotated[int, annotated_types.Interval(ge=1, lt=10)],
            {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
        ),
        (
            Annotated[list[str], annotated_types.Len(1, 3)],
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        ),
        (Annotated[str, annotated_types.MinLen(2)], {"type": "string", "minLength": 2}),
        (Annotated[int, Field(ge=5, description="x")], {"type": "integer", "minimum": 5, "description": "x"}),
        (Annotated[int, {"tag": "x"}], {"type": "integer"}),
    ],
)
def test_a_type_has_a_schema(kind: Any, expected: object) -> None:
    assert schema(kind) == expected


def test_a_pydantic_model_is_described_and_closed() -> None:
    assert schema(CountryList) == {
        "type": "object",
        "properties": {
            "countries": {
                "type": "array",
                "items": {
                    "type": "object",
                    "description": "A country of the world.",
                    "properties": {
                        "name": {"type": "string"},
                        "capital": {"type": "string", "description": "Where its government sits."},
                    },
                    "required": ["name", "capital"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["countries"],
        "additionalProperties": False,
    }


def test_a_model_of_pydantic_1_is_refused_by_name() -> None:
    old = pytest.importorskip("pydantic.v1", reason="this pydantic brings no pydantic 1", exc_type=ImportError)
    with pytest.raises(uzu.InvalidArgument, match="The type Old is a model of pydantic 1"):
        Grammar.from_type(type("Old", (old.BaseModel,), {}))


def test_a_dataclass_may_hold_a_pydantic_model() -> None:
    found = schema(City)
    assert found["description"] == "A town."
    assert found["required"] == ["name"]
    assert found["properties"]["people"] == {
        "type": "integer",
        "minimum": 0,
        "description": "How many live there.",
        "default": 0,
    }
    assert found["properties"]["tags"]["description"] == "Words for it."
    assert found["properties"]["country"]["anyOf"][0]["required"] == ["name", "capital"]
    assert "$defs" not in found


def test_recursion_goes_through_definitions() -> None:
    for kind, name in ((Node, "Node"), (Tree, "Tree")):
        found = schema(kind)
        assert found["$ref"] == f"#/$defs/{name}"
        assert found["$defs"][name]["properties"]["children"]["items"] == {"$ref": f"#/$defs/{name}"}


def test_a_class_used_twice_is_defined_once() -> None:
    found = schema(tuple[Country, Country, City])
    assert found["prefixItems"][:2] == [{"$ref": "#/$defs/Country"}] * 2
    assert list(found["$defs"]) == ["Country"]


def test_typed_dicts_named_tuples_and_generics_are_objects() -> None:
    assert schema(Movie)["required"] == []
    assert schema(Point) == {
        "type": "object",
        "properties": {"x": {"type": "number"}, "y": {"type": "number", "default": 0.0}},
        "required": ["x"],
        "additionalProperties": False,
    }
    assert schema(Box[int])["properties"] == {
        "content": {"type": "integer"},
        "more": {"type": "array", "items": {"type": "integer"}},
    }
    assert schema(dict[Color, int])["properties"].keys() == {"red", "blue"}


def test_a_union_with_a_discriminator_keeps_its_descriptions() -> None:
    found = schema(Annotated[Cat | Dog, Field(discriminator="kind")])
    assert found["oneOf"][0]["properties"]["lives"]["description"] == "Lives remaining."
    assert "discriminator" not in found


def test_local_classes_that_name_themselves_are_resolved() -> None:
    @dataclass
    class Link:
        next: Link | None = None

    assert schema(Link)["$defs"]["Link"]["properties"]["next"]["anyOf"][0] == {"$ref": "#/$defs/Link"}


@pytest.mark.parametrize("kind", [bytes, complex, dict[float, int], object()])
def test_a_type_without_a_json_form_is_named(kind: Any) -> None:
    with pytest.raises(uzu.InvalidArgument) as caught:
        Grammar.from_type(kind)
    assert caught.value.details["field"] == "type"


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (list[int], "[1, 2]", [1, 2]),
        (float, "3", 3.0),
        (int, "3.0", 3),
        (float | int, "3", 3),
        (Optional[str], "null", None),  # noqa: UP045
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (set[int], "[1, 1]", {1}),
        (dict[int, str], '{"-1": "a"}', {-1: "a"}),
        (dict[Color, int], '{"red": 1}', {Color.Red: 1}),
        (Color, '"blue"', Color.Blue),
        (Literal[1, "a"], '"a"', "a"),
        (UserId, "7", 7),
        (decimal.Decimal, "1.5", decimal.Decimal("1.5")),
        (datetime.date, '"2026-11-30"', datetime.date(2026, 11, 30)),
        (
            datetime.datetime,
            '"2026-11-30T01:02:03Z"',
            datetime.datetime(2026, 11, 30, 1, 2, 3, tzinfo=datetime.timezone.utc),
        ),
        (Path, '"/a"', Path("/a")),
        (Movie, '{"title": "x"}', {"title": "x"}),
        (Point, '{"x": 1}', Point(1.0)),
        (Point, "[1, 2]", Point(1.0, 2.0)),
        (Box[int], '{"content": 1, "more": [2]}', Box(1, [2])),
        (Node, '{"value": 1, "children": [{"value": 2}]}', Node(1, [Node(2)])),
        (list[Country], '[{"name": "A", "capital": "B"}]', [Country(name="A", capital="B")]),
        (
            City,
            '{"name": "B", "country": {"name": "A", "capital": "B"}}',
            City("B", country=Country(name="A", capital="B")),
        ),
        (Cat | Dog, '{"kind": "dog"}', Dog(kind="dog")),
        (Money, '{"amount": 5}', Money(amount=5)),
        (Any, '{"a": [1]}', {"a": [1]}),
    ],
)
def test_a_text_becomes_a_value(kind: Any, text: str, expected: object) -> None:
    value = ChatMessage.assistant().with_text(text).text_decoded(kind)
    assert value == expected and type(value) is type(expected)


@pytest.mark.parametrize(
    ("kind", "text", "where"),
    [
        (int, "1.5", ""),
        (int, "true", ""),
        (str, "5", ""),
        (list[int], '[1, "a"]', "[1]"),
        (City, '{"name": 5}', "name"),
        (City, "{}", "name"),
        (City, '{"name": "a", "size": 1}', "size"),
        (City, '{"name": "a", "people": -1}', "people"),
        (Node, '{"value": 1, "children": [{"value": "x"}]}', "children[0].value"),
        (dict[str, Color], '{"a": "green"}', "a"),
        (tuple[int, int], "[1]", ""),
        (int | str, "null", ""),
        (CountryList, '{"countries": [{"name": "x"}]}', ""),
        (datetime.date, '"today"', ""),
        (int, "nonsense", "text"),
        (Annotated[str, annotated_types.MaxLen(2)], '"abc"', ""),
    ],
)
def test_a_text_that_does_not_fit_is_refused_with_its_place(kind: Any, text: str, where: str) -> None:
    with pytest.raises(uzu.InvalidArgument) as caught:
        ChatMessage.assistant().with_text(text).text_decoded(kind)
    assert caught.value.details["field"] == where


def test_a_message_without_text_has_nothing_to_decode() -> None:
    assert ChatMessage.assistant().text_decoded(int) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("no json", None),
        ("[1, 2", [1, 2]),
        ("[1, 2.", [1, 2]),
        ("-12e", -12),
        ("[1, 2,", [1, 2]),
        ("[1, -", [1]),
        ('{"a": [tru', {"a": []}),
        ('{"a": [true', {"a": [True]}),
        ('{"a"', {}),
        ('{"a": ', {}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": "x\\n\\', {"a": "x\n"}),
        ('{"a": "x\\u12', {"a": "x"}),
        ('["\\ud83d', [""]),
        ('["\\ud83d\\ude00', ["\U0001f600"]),
        ('{"a": {"b": [{"c": "d"}, {"e', {"a": {"b": [{"c": "d"}, {}]}}),
        ('"half', "half"),
        ("12", 12),
    ],
)
def test_an_unfinished_text_has_a_partial_value(text: str, expected: object) -> None:
    assert ChatMessage.assistant().with_text(text).text_decoded_partially() == expected


def test_partial_values_only_grow() -> None:
    whole = {"name": 'A "quoted" \\ name', "list": [1.5, True, None, {"deep": ["x", ""]}], "n": -3}
    text = json.dumps(whole)

    def grows(before: Any, after: Any) -> bool:
        if isinstance(before, dict):
            return all(key in after and grows(value, after[key]) for key, value in before.items())
        if isinstance(before, list):
            return len(before) <= len(after) and all(map(grows, before, after))
        return bool(str(after).startswith(str(before)))

    values = [ChatMessage.assistant().with_text(text[:end]).text_decoded_partially() for end in range(1, len(text) + 1)]
    assert all(grows(before, after) for before, after in zip(values, values[1:], strict=False))
    assert values[-1] == whole


class Aliased(BaseModel):
    value: int = Field(serialization_alias="answer", validation_alias=AliasChoices("value"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (City("B", tags=["x"]), {"name": "B", "people": 0, "country": None, "tags": ["x"]}),
        (Country(name="A", capital="B"), {"name": "A", "capital": "B"}),
        (Aliased(value=1), {"answer": 1}),
        ([Color.Red, Point(1, 2)], ["red", {"x": 1, "y": 2}]),
        ({1: datetime.date(2026, 1, 2)}, {"1": "2026-01-02"}),
        ((decimal.Decimal("1.5"), Path("/a"), None), [1.5, "/a", None]),
    ],
)
def test_a_value_becomes_json(value: object, expected: object) -> None:
    assert encoded(value) == expected


@pytest.mark.parametrize("value", [object(), float("nan"), b"x", {(1,): 2}])
def test_a_value_without_a_json_form_is_refused(value: object) -> None:
    with pytest.raises(uzu.InvalidArgument):
        encoded(value)


def test_nothing_needs_pydantic() -> None:
    import subprocess
    import sys

    script = """
import sys
sys.modules["pydantic"] = None
from dataclasses import dataclass
from uzu import ChatMessage, Grammar, uzu_tool_function
@dataclass
class Point:
    x: int
@uzu_tool_function
def move(to: Point) -> Point: ...
print(Grammar.from_type(list[Point]).schema, ChatMessage.user().with_text('{"x": 1}').text_decoded(Point))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("Point(x=1)\n")
