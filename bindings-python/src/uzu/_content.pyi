from collections.abc import Mapping, Sequence
from typing import Any, final

from ._enums import ReasoningEffort as _ReasoningEffort
from ._tool_declaration import ToolDeclaration

class ChatRole:
    @final
    class User(ChatRole):
        def __init__(self) -> None: ...

    @final
    class Assistant(ChatRole):
        def __init__(self) -> None: ...

    @final
    class System(ChatRole):
        def __init__(self) -> None: ...

    @final
    class Developer(ChatRole):
        def __init__(self) -> None: ...

    @final
    class Tool(ChatRole):
        def __init__(self) -> None: ...

    @final
    class Custom(ChatRole):
        __match_args__ = ("name",)
        @property
        def name(self) -> str: ...
        def __init__(self, name: str) -> None: ...

class ChatContentBlock:
    @final
    class Text(ChatContentBlock):
        __match_args__ = ("value",)
        @property
        def value(self) -> str: ...
        def __init__(self, value: str) -> None: ...

    @final
    class Reasoning(ChatContentBlock):
        __match_args__ = ("value",)
        @property
        def value(self) -> str: ...
        def __init__(self, value: str) -> None: ...

    @final
    class ReasoningEffort(ChatContentBlock):
        __match_args__ = ("value",)
        @property
        def value(self) -> _ReasoningEffort: ...
        def __init__(self, value: _ReasoningEffort) -> None: ...

    @final
    class ToolCall(ChatContentBlock):
        __match_args__ = ("identifier", "name", "arguments")
        @property
        def identifier(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def arguments(self) -> dict[str, Any]: ...
        def __init__(self, identifier: str, name: str, arguments: Mapping[str, Any] = ...) -> None: ...

    @final
    class ToolCallCandidate(ChatContentBlock):
        __match_args__ = ("text",)
        @property
        def text(self) -> str: ...
        def __init__(self, text: str) -> None: ...

    @final
    class ToolCallResult(ChatContentBlock):
        __match_args__ = ("identifier", "name", "value")
        @property
        def identifier(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def value(self) -> Any: ...
        def __init__(self, identifier: str, name: str, value: Any = None) -> None: ...

    @final
    class Tools(ChatContentBlock):
        __match_args__ = ("tools",)
        @property
        def tools(self) -> tuple[ToolDeclaration, ...]: ...
        def __init__(self, tools: Sequence[ToolDeclaration]) -> None: ...

    @final
    class Custom(ChatContentBlock):
        __match_args__ = ("name", "value")
        @property
        def name(self) -> str: ...
        @property
        def value(self) -> Any: ...
        def __init__(self, name: str, value: Any = None) -> None: ...

    @final
    class Image(ChatContentBlock):
        __match_args__ = ("url",)
        @property
        def url(self) -> str: ...
        def __init__(self, url: str) -> None: ...

    @final
    class Audio(ChatContentBlock):
        __match_args__ = ("url",)
        @property
        def url(self) -> str: ...
        def __init__(self, url: str) -> None: ...

    @final
    class Video(ChatContentBlock):
        __match_args__ = ("url",)
        @property
        def url(self) -> str: ...
        def __init__(self, url: str) -> None: ...

    @final
    class File(ChatContentBlock):
        __match_args__ = ("url",)
        @property
        def url(self) -> str: ...
        def __init__(self, url: str) -> None: ...
