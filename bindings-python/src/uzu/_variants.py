"""What data enums are made with: a base class with its variants as nested classes, for ``isinstance`` and ``match``."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def variant(cls: type[T]) -> type[T]:
    """Puts the class into its base: SamplingMethod.Greedy rather than a name of the module."""
    base, name = cls.__bases__[0], cls.__name__.removeprefix("_")
    cls.__name__ = name
    cls.__qualname__ = f"{base.__qualname__}.{name}"
    setattr(base, name, cls)
    return cls


class Union:
    """The base of all data enums. It has no instances, and neither has the base of one."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls.__bases__ == (Union,):
            raise TypeError(f"{cls.__name__} is one of its variants, {cls.__name__}.…")
        return super().__new__(cls)
