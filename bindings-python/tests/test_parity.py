"""The API against docs/api-members.json, which every language is checked with; docs/parity.md says how it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import uzu
import uzu.sync

LIST = json.loads((Path(__file__).parents[2] / "docs/api-members.json").read_text())
DIFFERENCES = LIST["differences"]["python"]


def expected() -> Iterator[str]:
    """Paths of what has to be there: type, type.member, type.variant, type.variant.field."""
    for name, listed in LIST["types"].items():
        yield name
        for member in [*listed.get("members", ()), *listed.get("values", ())]:
            yield f"{name}.{member}"
        if listed["kind"] == "config":
            yield f"{name}.create"
            yield from (f"{name}.with_{field}" for field in listed["members"])
        for variant, fields in listed.get("variants", {}).items():
            yield f"{name}.{variant}"
            yield from (f"{name}.{variant}.{field}" for field in fields)
    for code in LIST["errors"]:
        yield "".join(word.capitalize() for word in code.split("_"))


def is_there(module: ModuleType, path: str) -> bool:
    found: Any = module
    spelled = ""
    for part in path.split("."):
        spelled = f"{spelled}.{part}".lstrip(".")
        name = DIFFERENCES.get(spelled, part)
        if name is None:
            return False
        if not hasattr(found, name):
            # A field without a default is no attribute of its class.
            return name in getattr(found, "__dataclass_fields__", {})
        found = getattr(found, name)
    return True


@pytest.mark.parametrize("module", [uzu, uzu.sync], ids=lambda module: module.__name__)
def test_every_member_is_there_unless_the_list_says_otherwise(module: ModuleType) -> None:
    absent = {path for path, spelling in DIFFERENCES.items() if spelling is None}
    assert {path for path in expected() if not is_there(module, path)} == absent
    assert set(DIFFERENCES) <= set(expected())
