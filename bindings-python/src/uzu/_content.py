"""Who a message is from, and what it holds. Typed in the .pyi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ._tool_declaration import ToolDeclaration
from ._variants import Union, variant


class ChatRole(Union):
    """Who a message is from."""


@variant
@dataclass(frozen=True)
class _User(ChatRole):
    pass


@variant
@dataclass(frozen=True)
class _Assistant(ChatRole):
    pass


@variant
@dataclass(frozen=True)
class _System(ChatRole):
    pass


@variant
@dataclass(frozen=True)
class _Developer(ChatRole):
    pass


@variant
@dataclass(frozen=True)
class _Tool(ChatRole):
    pass


@variant
@dataclass(frozen=True)
class _Custom(ChatRole):  # noqa: F811
    name: str


class ChatContentBlock(Union):
    """A part of a message. A block that the model can't take is an error that says so."""


@variant
@dataclass(frozen=True)
class _Text(ChatContentBlock):
    value: str


@variant
@dataclass(frozen=True)
class _Reasoning(ChatContentBlock):
    """What the model thought before it answered."""

    value: str


@variant
@dataclass(frozen=True)
class _ReasoningEffort(ChatContentBlock):
    """The effort asked for from this message on."""

    value: object


@variant
@dataclass(frozen=True)
class _ToolCall(ChatContentBlock):
    """A call that the model makes; its result refers to the identifier."""

    identifier: str
    name: str
    arguments: dict = field(default_factory=dict, hash=False)


@variant
@dataclass(frozen=True)
class _ToolCallCandidate(ChatContentBlock):
    """What began as a call and isn't one: unfinished yet, cut short or malformed."""

    text: str


@variant
@dataclass(frozen=True)
class _ToolCallResult(ChatContentBlock):
    """What a call came to: a JSON value, ``{"error": …}`` when it failed. The identifier is the call's."""

    identifier: str
    name: str
    value: object = field(default=None, hash=False)


@variant
@dataclass(frozen=True)
class _Tools(ChatContentBlock):
    """Tools that the caller runs itself: a reply that calls one ends with the finish reason ToolCalls."""

    tools: Sequence[ToolDeclaration]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", tuple(self.tools))


@variant
@dataclass(frozen=True)
class _Custom(ChatContentBlock):  # noqa: F811
    """A field of the message that only this model's template knows, and its JSON value."""

    name: str
    value: object = field(default=None, hash=False)


@variant
@dataclass(frozen=True)
class _Image(ChatContentBlock):
    """A picture, by path, URL or data URL."""

    url: str


@variant
@dataclass(frozen=True)
class _Audio(ChatContentBlock):
    """A sound, by path, URL or data URL."""

    url: str


@variant
@dataclass(frozen=True)
class _Video(ChatContentBlock):
    """A film, by path, URL or data URL."""

    url: str


@variant
@dataclass(frozen=True)
class _File(ChatContentBlock):
    """A document, by path, URL or data URL."""

    url: str
