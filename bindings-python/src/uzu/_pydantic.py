"""Types that pydantic knows better. Pydantic is imported only when such a type is there, which means it was already."""

from __future__ import annotations

import json
import sys
import typing
from typing import Annotated, Any

from ._errors import InvalidArgument


def is_pydantic(kind: Any, metadata: tuple[Any, ...] = ()) -> bool:
    """Whether the type, or something it is annotated with, is pydantic's."""
    if "pydantic" not in sys.modules:
        return False
    origin = typing.get_origin(kind) or kind
    if isinstance(origin, type) and (
        hasattr(origin, "__pydantic_core_schema__") or hasattr(origin, "__get_pydantic_core_schema__")
    ):
        return True
    return any(type(each).__module__.split(".")[0] in ("pydantic", "pydantic_core") for each in metadata)


def pydantic_schema(kind: Any, metadata: tuple[Any, ...], mode: typing.Literal["validation", "serialization"]) -> Any:
    """The JSON schema of the type; parts of it under $defs."""
    import pydantic
    import pydantic.json_schema

    try:
        return pydantic.TypeAdapter(_annotated(kind, metadata)).json_schema(
            mode=mode, schema_generator=_generator(pydantic.json_schema.GenerateJsonSchema)
        )
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticInvalidForJsonSchema) as failure:
        raise InvalidArgument(
            f"Pydantic has no schema for {kind}: {failure}", {"field": "type", "type": str(kind)}
        ) from failure


def pydantic_decode(kind: Any, metadata: tuple[Any, ...], value: Any) -> Any:
    """The JSON value as the type has it; raises pydantic's ValidationError, a ValueError."""
    import pydantic

    return pydantic.TypeAdapter(_annotated(kind, metadata)).validate_json(json.dumps(value))


def pydantic_encode(value: Any) -> Any:
    """The JSON value of an instance, by the names that its type gives for serialisation."""
    import pydantic

    return pydantic.TypeAdapter(type(value)).dump_python(value, mode="json", by_alias=True)


def _annotated(kind: Any, metadata: tuple[Any, ...]) -> Any:
    # Texts are ours: to pydantic they say nothing.
    for each in metadata:
        kind = kind if isinstance(each, str) else Annotated[kind, each]
    return kind


def _generator(base: Any) -> Any:
    """Schemas for models to fill in: texts in Annotated describe, no titles, no properties but those declared."""

    class Generator(base):  # type: ignore[misc]
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def model_schema(self, schema: Any) -> Any:
            return _closed(super().model_schema(schema), schema["cls"])

        def dataclass_schema(self, schema: Any) -> Any:
            return _closed(super().dataclass_schema(schema), schema["cls"])

        def tagged_union_schema(self, schema: Any) -> Any:
            return _without(super().tagged_union_schema(schema), "discriminator")

        def set_schema(self, schema: Any) -> Any:
            return _without(super().set_schema(schema), "uniqueItems")

        def frozenset_schema(self, schema: Any) -> Any:
            return _without(super().frozenset_schema(schema), "uniqueItems")

    return Generator


def _closed(json_schema: Any, cls: Any) -> Any:
    if json_schema.get("title") == cls.__name__:
        del json_schema["title"]
    properties = json_schema.get("properties", {})
    fields = getattr(cls, "__pydantic_fields__", {})
    for name, field in fields.items():
        text = next((each for each in field.metadata if isinstance(each, str)), None)
        shown = next((each for each in (name, field.alias, field.serialization_alias) if each in properties), None)
        if text is not None and shown is not None:
            properties[shown].setdefault("description", text)
    if json_schema.get("type") == "object":
        json_schema.setdefault("additionalProperties", False)
    return json_schema


def _without(json_schema: Any, keyword: str) -> Any:
    json_schema.pop(keyword, None)
    return json_schema
