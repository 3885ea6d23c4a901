"""What a model is told of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ToolDeclaration:
    """A tool's name, what it does, and the JSON schema of an object that holds its arguments."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}}, hash=False)


def declaration_json(tool: ToolDeclaration) -> dict[str, object]:
    """The declaration as the engine reads it."""
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


def declaration_of(json_object: dict[str, Any]) -> ToolDeclaration:
    """The declaration that the engine has written."""
    return ToolDeclaration(json_object["name"], json_object["description"], json_object["parameters"])
