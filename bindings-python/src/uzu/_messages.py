"""Messages of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ._arguments import checked
from ._enums import ReasoningEffort
from ._errors import InvalidArgument
from ._unions import ChatContentBlock, ChatRole

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
        return ChatMessage(ChatRole.System())

    @staticmethod
    def developer() -> ChatMessage:
        return ChatMessage(ChatRole.Developer())

    @staticmethod
    def user() -> ChatMessage:
        return ChatMessage(ChatRole.User())

    @staticmethod
    def assistant() -> ChatMessage:
        return ChatMessage(ChatRole.Assistant())

    @staticmethod
    def tool() -> ChatMessage:
        return ChatMessage(ChatRole.Tool())

    @staticmethod
    def for_role(role: ChatRole) -> ChatMessage:
        return ChatMessage(role)

    def with_block(self, block: ChatContentBlock) -> ChatMessage:
        return ChatMessage(self.role, (*self.content, block))

    def with_text(self, text: str) -> ChatMessage:
        return self.with_block(ChatContentBlock.Text(text))

    def with_reasoning(self, reasoning: str) -> ChatMessage:
        return self.with_block(ChatContentBlock.Reasoning(reasoning))

    def with_reasoning_effort(self, reasoning_effort: ReasoningEffort) -> ChatMessage:
        return self.with_block(ChatContentBlock.ReasoningEffort(reasoning_effort))

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


def _block_of(block: dict[str, str]) -> ChatContentBlock:
    match block["type"]:
        case "text":
            return ChatContentBlock.Text(block["text"])
        case "reasoning":
            return ChatContentBlock.Reasoning(block["text"])
        case "reasoning_effort":
            return ChatContentBlock.ReasoningEffort(ReasoningEffort(block["effort"]))
        case "image":
            return ChatContentBlock.Image(block["source"])
        case "audio":
            return ChatContentBlock.Audio(block["source"])
        case "video":
            return ChatContentBlock.Video(block["source"])
        case "file":
            return ChatContentBlock.File(block["source"])
    raise ValueError(f"a message has a block of unknown type {block['type']}")
