"""Everything that is public says what it is."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import uzu
import uzu.sync


def undocumented(module: ModuleType) -> Iterator[str]:
    for name in module.__all__:
        kind = getattr(module, name)
        if not _is_documented(kind):
            yield name
        if inspect.isclass(kind):
            yield from (f"{name}.{member}" for member in _members(kind))


def _members(kind: type) -> Iterator[str]:
    for name in dir(kind):
        member = inspect.getattr_static(kind, name)
        is_own = any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("uzu"))
        if name.startswith("_") or not is_own or isinstance(member, enum.Enum):
            continue
        if inspect.isfunction(member) or isinstance(member, (property, staticmethod, type)):
            if not _is_documented(getattr(kind, name) if not isinstance(member, property) else member):
                yield name


def _is_documented(what: Any) -> bool:
    text = what.__doc__ or ""
    # What dataclass writes by itself is only the signature; a variant that is nothing but its name needs no more.
    if inspect.isclass(what) and dataclasses.is_dataclass(what) and text.startswith(f"{what.__name__}("):
        return "." in what.__qualname__
    return bool(text.strip())


@pytest.mark.parametrize("module", [uzu, uzu.sync], ids=lambda module: module.__name__)
def test_every_public_name_has_a_doc_string(module: ModuleType) -> None:
    assert list(undocumented(module)) == []
