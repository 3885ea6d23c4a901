from collections.abc import Mapping, Sequence
from typing import Any, final

from ._enums import PropertyOrder

class Grammar:
    @staticmethod
    def from_type(kind: Any) -> Grammar.JsonSchema: ...

    @final
    class JsonSchema(Grammar):
        __match_args__ = ("schema", "property_order")
        @property
        def schema(self) -> str: ...
        @property
        def property_order(self) -> PropertyOrder: ...
        def __init__(
            self, schema: str | bool | Mapping[str, Any], property_order: PropertyOrder = ...
        ) -> None: ...

    @final
    class JsonAny(Grammar):
        def __init__(self) -> None: ...

    @final
    class Regex(Grammar):
        __match_args__ = ("pattern",)
        @property
        def pattern(self) -> str: ...
        def __init__(self, pattern: str) -> None: ...

    @final
    class Ebnf(Grammar):
        __match_args__ = ("text",)
        @property
        def text(self) -> str: ...
        def __init__(self, text: str) -> None: ...

    @final
    class Choice(Grammar):
        __match_args__ = ("values",)
        @property
        def values(self) -> tuple[str, ...]: ...
        def __init__(self, values: Sequence[str]) -> None: ...

class ToolChoice:
    @final
    class Auto(ToolChoice):
        def __init__(self) -> None: ...

    @final
    class None_(ToolChoice):
        def __init__(self) -> None: ...

    @final
    class Required(ToolChoice):
        def __init__(self) -> None: ...

    @final
    class Named(ToolChoice):
        __match_args__ = ("name",)
        @property
        def name(self) -> str: ...
        def __init__(self, name: str) -> None: ...
