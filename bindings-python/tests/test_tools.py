"""Functions as tools: their schemas, their descriptions, and calls of them."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import threading
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

import uzu
from uzu import ToolDeclaration, UzuToolFunction, uzu_tool_function
from uzu._docstrings import docstring_of
from uzu._runtime import runtime


class Coordinate(BaseModel):
    """A geographic coordinate."""

    latitude: Annotated[float, "Latitude in decimal degrees."]
    longitude: float = Field(description="Longitude in decimal degrees.")


class Node(BaseModel):
    value: int
    children: list[Node] = Field(default_factory=list)


@uzu_tool_function
def get_forecast(
    place: Annotated[Coordinate, "Where."],
    note: Annotated[str | None, "Required, may be null."],
    unit: Annotated[Literal["celsius", "fahrenheit"], "Of the temperature."] = "celsius",
) -> dict[str, float]:
    """Get the weather forecast.

    Args:
        place: not this one
        unit (str): nor this
    """
    return {"sum": place.latitude + place.longitude, unit: 0.0}


@uzu_tool_function(name="sum_values", description="Add all values.")
async def add_values(root: Node) -> int:
    await asyncio.sleep(0)
    return root.value + sum(child.value for child in root.children)


def answer(tool: UzuToolFunction[Any, Any], arguments: dict[str, Any]) -> Any:
    return asyncio.run(tool._answer(arguments, runtime(), contextvars.copy_context()))


def test_a_function_has_a_schema_from_its_hints() -> None:
    assert isinstance(get_forecast, UzuToolFunction)
    assert (get_forecast.name, get_forecast.description) == ("get_forecast", "Get the weather forecast.")
    assert get_forecast.parameters_schema == {
        "type": "object",
        "properties": {
            "place": {
                "type": "object",
                "description": "Where.",
                "properties": {
                    "latitude": {"type": "number", "description": "Latitude in decimal degrees."},
                    "longitude": {"type": "number", "description": "Longitude in decimal degrees."},
                },
                "required": ["latitude", "longitude"],
                "additionalProperties": False,
            },
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Required, may be null."},
            "unit": {
                "type": "string",
                "enum": ["celsius", "fahrenheit"],
                "description": "Of the temperature.",
                "default": "celsius",
            },
        },
        "required": ["place", "note"],
        "additionalProperties": False,
    }
    assert get_forecast.return_schema == {"type": "object", "additionalProperties": {"type": "number"}}
    assert get_forecast.declaration == ToolDeclaration(
        "get_forecast", "Get the weather forecast.", get_forecast.parameters_schema
    )


def test_a_tool_is_still_a_function() -> None:
    assert get_forecast(Coordinate(latitude=1, longitude=2), None)["sum"] == 3
    assert vars(get_forecast)["__name__"] == "get_forecast"
    assert asyncio.run(add_values(Node(value=1))) == 1


def test_name_and_description_can_be_given() -> None:
    assert (add_values.name, add_values.description) == ("sum_values", "Add all values.")
    assert add_values.parameters_schema["properties"]["root"] == {"$ref": "#/$defs/Node"}
    nameless = uzu_tool_function(lambda: 5, name="five")
    assert (nameless.name, nameless(), nameless.return_schema) == ("five", 5, None)


def test_arguments_become_values_and_results_json() -> None:
    place = {"latitude": 51.5, "longitude": -0.5}
    assert answer(get_forecast, {"place": place, "note": None}) == {"sum": 51.0, "celsius": 0.0}
    tree = {"value": 1, "children": [{"value": 2, "children": []}, {"value": 3}]}
    assert answer(add_values, {"root": tree}) == 6


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"note": None}, "place"),
        ({"place": {"latitude": 1, "longitude": 2}}, "note"),
        ({"place": {"latitude": 1, "longitude": 2}, "note": 5}, "note"),
        ({"place": {"latitude": 1, "longitude": 2}, "note": None, "more": 1}, "more"),
        ({"place": {"latitude": "north", "longitude": 2}, "note": None}, "place"),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(uzu.InvalidArgument) as caught:
        answer(get_forecast, arguments)
    assert caught.value.details["field"] == field


def test_a_parameter_needs_an_annotation_and_a_name() -> None:
    def bare(x):  # type: ignore[no-untyped-def]
        return x

    def variable(*x: int) -> int:
        return len(x)

    def keywords(**x: int) -> int:
        return len(x)

    def positional(x: int, /) -> int:
        return x

    for function in (bare, variable, keywords, positional):
        with pytest.raises(uzu.InvalidArgument) as caught:
            uzu_tool_function(function)
        assert caught.value.details == {"field": "x", "tool": function.__name__}
    with pytest.raises(uzu.InvalidArgument, match="needs a name"):
        uzu_tool_function(lambda: 5)
    with pytest.raises(uzu.InvalidArgument, match="is a function"):
        uzu_tool_function("look")  # type: ignore[call-overload]


def test_types_that_are_local_are_known() -> None:
    @dataclass
    class Here:
        x: int

    @uzu_tool_function
    def go(to: Here) -> Here:
        return to

    assert answer(go, {"to": {"x": 1}}) == {"x": 1}


def test_parameters_may_be_called_anything() -> None:
    @uzu_tool_function
    def odd(model_config: int, self: str, json: Annotated[str, {"not": "a description"}] = "x") -> str:
        return f"{model_config}{self}{json}"

    assert answer(odd, {"model_config": 1, "self": "b"}) == "1bx"


def test_methods_and_partials_are_tools() -> None:
    class Shop:
        def price(self, item: str) -> int:
            """What it costs."""
            return len(item)

    tool = uzu_tool_function(Shop().price)
    assert (tool.name, tool.description, answer(tool, {"item": "abc"})) == ("price", "What it costs.", 3)
    bound = uzu_tool_function(functools.partial(Shop.price, Shop()), name="bound")
    assert answer(bound, {"item": "ab"}) == 2


def test_a_functions_own_attributes_do_not_get_in_the_way() -> None:
    def target(value: int) -> int:
        return value

    target.__dict__.update({"name": "wrong", "description": "wrong", "parameters_schema": {}, "_function": None})
    tool = uzu_tool_function(target, description="right")
    assert (tool.name, tool.description, answer(tool, {"value": 5})) == ("target", "right", 5)


def test_a_plain_function_runs_on_a_thread_and_an_async_one_on_the_loop_in_the_callers_context() -> None:
    mood = contextvars.ContextVar[str]("mood")

    @uzu_tool_function
    def plain() -> list[object]:
        return [mood.get(), threading.get_ident()]

    async def run() -> None:
        mood.set("good")
        context = contextvars.copy_context()
        found = await plain._answer({}, runtime(), context)
        assert found[0] == "good" and found[1] != threading.get_ident()

    asyncio.run(run())


GOOGLE = """Find a place.

    More about it.

    Args:
        name (str): What it is called,
            as people say.
        limit: How many: at most 10.

    Returns:
        A list.

    Raises:
        ValueError: never
    """
NUMPY = """Find a place.

    More about it.

    Parameters
    ----------
    name : str
        What it is called,
        as people say.
    limit : int, optional
        How many: at most 10.

    Returns
    -------
    list
        Of places.
    """
SPHINX = """Find a place.

    More about it.

    :param str name: What it is called,
        as people say.
    :param limit: How many: at most 10.
    :type limit: int
    :return: a list
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX])
def test_docstrings_are_read_in_three_styles(text: str) -> None:
    found = docstring_of(text)
    assert found.description == "Find a place.\n\nMore about it."
    assert found.parameters == {"name": "What it is called, as people say.", "limit": "How many: at most 10."}


def test_a_plain_docstring_is_a_description() -> None:
    assert docstring_of("Returns: a number.\n\nExample of x: y").description == "Returns: a number.\n\nExample of x: y"
    assert docstring_of(None).description == ""


def test_a_docstring_describes_where_annotated_does_not() -> None:
    @uzu_tool_function
    def look(where: str, why: Annotated[str, "Because."]) -> None:
        """Look.

        Args:
            where: The place.
            why: Not this.
        """

    properties = look.parameters_schema["properties"]
    assert (properties["where"]["description"], properties["why"]["description"]) == ("The place.", "Because.")
    assert look.description == "Look."
