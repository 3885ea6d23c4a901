"""Conversations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ._arguments import checked, json_text
from ._configs import ChatReplyConfig, reply_json
from ._enums import ChatSessionState
from ._errors import InvalidArgument
from ._messages import ChatMessage, message_json, message_of
from ._replies import ChatReply
from ._runtime import Owned, StreamReader
from ._streams import ChatSessionStream

if TYPE_CHECKING:
    from typing_extensions import Self


class ChatInstance:
    """A loaded model that several sessions share."""

    def __init__(self, engine: object, reader: StreamReader, handle: int) -> None:
        self._engine = engine
        self._reader = reader
        self._owned = Owned(reader.runtime, handle)

    async def memory_used_bytes(self) -> int:
        """Bytes held: weights, scratch, keys and values of all sessions."""
        runtime = self._owned.runtime
        return await runtime.call(runtime.transport.number, "instance_memory_used", self._owned.handle)

    async def close(self) -> None:
        """Frees the weights and closes the sessions on them."""
        await self._owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._owned.close_now()


class ChatSession:
    """A conversation. It keeps its history: each input holds only the new messages. One reply at a time."""

    def __init__(self, source: object, reader: StreamReader, handle: int) -> None:
        self._source = source
        self._reader = reader
        self._owned = Owned(reader.runtime, handle)

    async def state(self) -> ChatSessionState:
        return ChatSessionState(json.loads(await self._text("session_state")))

    async def messages(self) -> list[ChatMessage]:
        """The conversation so far, finished replies included."""
        return [message_of(each) for each in json.loads(await self._text("session_messages"))]

    async def context_length(self) -> int:
        """Most tokens of this conversation."""
        runtime = self._owned.runtime
        return await runtime.call(runtime.transport.number, "session_context_length", self._owned.handle)

    async def reset(self) -> None:
        """Forgets the conversation."""
        runtime = self._owned.runtime
        await runtime.call(runtime.transport.run, "session_reset", self._owned.handle)

    async def reply(self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None) -> list[ChatReply]:
        """The model's answer to the conversation with the input added. Cancelling the task cancels the reply."""
        async with await self.reply_with_stream(input, config) as stream:
            return await stream.replies()

    async def reply_with_stream(
        self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None
    ) -> ChatSessionStream:
        """As `reply`, while it is made; errors in the input are raised here already."""
        # One message by itself is iterated by nobody, and a text letter by letter.
        if isinstance(input, (str, bytes, ChatMessage)) or not isinstance(input, Iterable):
            raise InvalidArgument(f"input must be a list of messages, not {input!r:.100}", {"field": "input"})
        messages = json_text([message_json(message) for message in input])
        return await self._owned.runtime.call(self._start, messages, reply_json(config))

    def _start(self, messages: str, config: str) -> ChatSessionStream:
        handle = self._owned.runtime.transport.number("session_reply", self._owned.handle, messages, config)
        return ChatSessionStream(self._reader, handle, self)

    async def _text(self, function: str) -> str:
        runtime = self._owned.runtime
        return await runtime.call(runtime.transport.text, function, self._owned.handle)

    async def close(self) -> None:
        """Cancels a running reply and frees the session."""
        await self._owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._owned.close_now()
