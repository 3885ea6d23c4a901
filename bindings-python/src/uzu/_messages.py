"""Messages of a conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from ._arguments import checked, json_text
from ._content import ChatContentBlock, ChatRole
from ._decoding import decoded_text
from ._enums import ReasoningEffort
from ._errors import InvalidArgument
from ._partial import partial_value
from ._tool_declaration import declaration_json, declaration_of

T = TypeVar("T")

_ROLES: dict[str, ChatRole] = {
    "user": ChatRole.User(),
    "assistant": ChatRole.Assistant(),
    "system": ChatRole.System(),
    "developer": ChatRole.Developer(),
    "tool": ChatRole.Tool(),
}
_ROLE_NAMES: dict[ChatRole, str] = {role: name for name, role in _ROLES.items()}


@dataclass(frozen=True)
class ChatMessage:
    """One message. Immutable: the ``with_`` methods return a copy with one block more."""

    role: ChatRole
    content: Sequence[ChatContentBlock] = field(default=())

    @staticmethod
    def system() -> ChatMessage:
        """A message of the system, empty yet."""
        return ChatMessage(ChatRole.System())

    @staticmethod
    def developer() -> ChatMessage:
        """A message of the developer, empty yet."""
        return ChatMessage(ChatRole.Developer())

    @staticmethod
    def user() -> ChatMessage:
        """A message of the user, empty yet."""
        return ChatMessage(ChatRole.User())

    @staticmethod
    def assistant() -> ChatMessage:
        """A message of the assistant, empty yet."""
        return ChatMessage(ChatRole.Assistant())

    @staticmethod
    def tool() -> ChatMessage:
        """A message with results of tools, empty yet."""
        return ChatMessage(ChatRole.Tool())

    @staticmethod
    def for_role(role: ChatRole) -> ChatMessage:
        """A message of the role, empty yet."""
        return ChatMessage(role)

    def with_block(self, block: ChatContentBlock) -> ChatMessage:
        """A copy with the block after the others."""
        return ChatMessage(self.role, (*self.content, block))

    def with_text(self, text: str) -> ChatMessage:
        """A copy with the text after the other blocks."""
        return self.with_block(ChatContentBlock.Text(text))

    def with_reasoning(self, reasoning: str) -> ChatMessage:
        """A copy with the reasoning after the other blocks."""
        return self.with_block(ChatContentBlock.Reasoning(reasoning))

    def with_reasoning_effort(self, reasoning_effort: ReasoningEffort) -> ChatMessage:
        """A copy that asks for the effort, from this message on."""
        return self.with_block(ChatContentBlock.ReasoningEffort(reasoning_effort))

    def with_tool_call(self, tool_call: ChatContentBlock.ToolCall) -> ChatMessage:
        """A copy with the call after the other blocks."""
        return self.with_block(checked(tool_call, ChatContentBlock.ToolCall, "tool_call"))

    @property
    def text(self) -> str | None:
        """All text blocks joined; None when there is none."""
        texts = [block.value for block in self.content if isinstance(block, ChatContentBlock.Text)]
        return "".join(texts) if texts else None

    @property
    def reasoning(self) -> str | None:
        """All reasoning blocks joined; None when there is none."""
        texts = [block.value for block in self.content if isinstance(block, ChatContentBlock.Reasoning)]
        return "".join(texts) if texts else None

    @overload
    def text_decoded(self, kind: type[T]) -> T | None: ...

    @overload
    def text_decoded(self, kind: Any) -> Any: ...

    def text_decoded(self, kind: Any) -> Any:
        """The text, which is JSON, as a value of the type: what `Grammar.from_type` held it to. None without a text.

        An InvalidArgument says what doesn't fit, and where.
        """
        text = self.text
        return None if text is None else decoded_text(text, kind)

    def text_decoded_partially(self) -> Any:
        """What there is of the text, which is JSON, while it is being made: a JSON value, None at first."""
        return partial_value(self.text or "")

    @property
    def tool_calls(self) -> list[ChatContentBlock.ToolCall]:
        """The calls that the model makes, in order."""
        return [block for block in self.content if isinstance(block, ChatContentBlock.ToolCall)]

    @property
    def reasoning_effort(self) -> ReasoningEffort | None:
        """The last effort asked for."""
        efforts = [block.value for block in self.content if isinstance(block, ChatContentBlock.ReasoningEffort)]
        return efforts[-1] if efforts else None


def message_json(message: ChatMessage) -> dict[str, object]:
    checked(message, ChatMessage, "message")
    role = message.role.name if isinstance(message.role, ChatRole.Custom) else _ROLE_NAMES.get(message.role)
    if role is None:
        raise InvalidArgument(f"This is no role: {message.role!r}", {"field": "role"})
    return {"role": role, "content": [_block_json(block) for block in message.content]}


def _block_json(block: ChatContentBlock) -> dict[str, object]:
    match block:
        case ChatContentBlock.Text(value):
            return {"type": "text", "text": value}
        case ChatContentBlock.Reasoning(value):
            return {"type": "reasoning", "text": value}
        case ChatContentBlock.ReasoningEffort(effort):
            return {"type": "reasoning_effort", "effort": effort.value}
        case ChatContentBlock.ToolCall(identifier, name, arguments):
            return {"type": "tool_call", "identifier": identifier, "name": name, "arguments": json_text(arguments)}
        case ChatContentBlock.ToolCallCandidate(text):
            return {"type": "tool_call_candidate", "text": text}
        case ChatContentBlock.ToolCallResult(identifier, name, value):
            return {"type": "tool_call_result", "identifier": identifier, "name": name, "value": json_text(value)}
        case ChatContentBlock.Tools(tools):
            return {"type": "tools", "tools": [declaration_json(tool) for tool in tools]}
        case ChatContentBlock.Custom(name, value):
            return {"type": "custom", "name": name, "value": json_text(value)}
        case ChatContentBlock.Image(url) | ChatContentBlock.Audio(url):
            return {"type": type(block).__name__.lower(), "source": url}
        case ChatContentBlock.Video(url) | ChatContentBlock.File(url):
            return {"type": type(block).__name__.lower(), "source": url}
    raise InvalidArgument(f"This is no block of a message: {block!r}", {"field": "content"})


def message_of(json_object: dict[str, Any]) -> ChatMessage:
    name = json_object["role"]
    return ChatMessage(
        _ROLES.get(name) or ChatRole.Custom(name), tuple(_block_of(block) for block in json_object["content"])
    )


def _block_of(block: dict[str, Any]) -> ChatContentBlock:
    match block["type"]:
        case "text":
            return ChatContentBlock.Text(block["text"])
        case "reasoning":
            return ChatContentBlock.Reasoning(block["text"])
        case "reasoning_effort":
            return ChatContentBlock.ReasoningEffort(ReasoningEffort(block["effort"]))
        case "tool_call":
            return ChatContentBlock.ToolCall(block["identifier"], block["name"], json.loads(block["arguments"]))
        case "tool_call_candidate":
            return ChatContentBlock.ToolCallCandidate(block["text"])
        case "tool_call_result":
            return tool_call_result_of(block)
        case "tools":
            return ChatContentBlock.Tools([declaration_of(tool) for tool in block["tools"]])
        case "custom":
            return ChatContentBlock.Custom(block["name"], json.loads(block["value"]))
        case "image":
            return ChatContentBlock.Image(block["source"])
        case "audio":
            return ChatContentBlock.Audio(block["source"])
        case "video":
            return ChatContentBlock.Video(block["source"])
        case "file":
            return ChatContentBlock.File(block["source"])
    raise ValueError(f"a message has a block of unknown type {block['type']}")


def tool_call_result_of(block: dict[str, Any]) -> ChatContentBlock.ToolCallResult:
    return ChatContentBlock.ToolCallResult(block["identifier"], block["name"], json.loads(block["value"]))
