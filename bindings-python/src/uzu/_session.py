"""Conversations."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._arguments import checked, json_text
from ._configs import ChatReplyConfig, reply_json
from ._enums import ChatSessionState
from ._errors import InvalidArgument
from ._messages import ChatMessage, message_json, message_of
from ._replies import ChatReply
from ._runtime import Owned, StreamReader
from ._streams import ChatSessionStream
from ._tool_calls import ToolCalls
from ._tool_declaration import declaration_json
from ._tools import UzuToolFunction

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
        self._tools: dict[str, UzuToolFunction[..., Any]] = {}
        self._starting = threading.Lock()

    async def state(self) -> ChatSessionState:
        """What it is doing."""
        return ChatSessionState(json.loads(await self._text("session_state")))

    async def messages(self) -> list[ChatMessage]:
        """The conversation so far, finished replies included."""
        return [message_of(each) for each in json.loads(await self._text("session_messages"))]

    async def set_messages(self, messages: Sequence[ChatMessage]) -> None:
        """Replaces the conversation. What it has in common with the old one isn't computed again."""
        await self._run("session_set_messages", _messages_json(messages, "messages"))

    async def supports_tool_calls(self) -> bool:
        """Whether the model can be told of tools."""
        runtime = self._owned.runtime
        return bool(await runtime.call(runtime.transport.number, "session_supports_tool_calls", self._owned.handle))

    async def add_tool(self, tool: UzuToolFunction[..., Any]) -> None:
        """From the next reply on the model is told of the tool, and its calls are answered by it.

        A reply that calls any tool that isn't added ends with the finish reason ToolCalls; the next input then begins
        with the results.
        """
        checked(tool, UzuToolFunction, "tool")
        await self._run("session_add_tool", json_text(declaration_json(tool.declaration)))
        self._tools[tool.name] = tool

    async def add_tools(self, tools: Iterable[UzuToolFunction[..., Any]]) -> None:
        """`add_tool` for each."""
        for tool in tools:
            await self.add_tool(tool)

    async def context_length(self) -> int:
        """Most tokens of this conversation."""
        runtime = self._owned.runtime
        return await runtime.call(runtime.transport.number, "session_context_length", self._owned.handle)

    async def reset(self) -> None:
        """Forgets the conversation."""
        await self._run("session_reset")

    async def fork(self) -> ChatSession:
        """A second session with the same conversation and tools, which goes its own way from here.

        What was computed is shared. An InvalidState while a reply is made, as for `save` and `restore`.
        """
        transport = self._owned.runtime.transport

        def make() -> ChatSession:
            return ChatSession(self._source, self._reader, transport.number("session_fork", self._owned.handle))

        fork = await self._owned.runtime.call(make)
        fork._tools = dict(self._tools)
        return fork

    async def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the conversation to a file, in place of one that is there. Tools are code and not saved."""
        await self._run("session_save", os.fspath(path))

    async def restore(self, path: str | os.PathLike[str]) -> None:
        """Goes on with a conversation that `save` wrote, in place of this one, with this session's model and tools."""
        await self._run("session_restore", os.fspath(path))

    async def reply(self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None) -> list[ChatReply]:
        """The model's answer to the conversation with the input added. Cancelling the task cancels the reply."""
        async with await self.reply_with_stream(input, config) as stream:
            return await stream.replies()

    async def reply_with_stream(
        self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None
    ) -> ChatSessionStream:
        """As `reply`, while it is made; errors in the input are raised here already."""
        tool_calls = ToolCalls(self._owned.runtime, self._tools)
        start = _Start(_messages_json(input, "input"), reply_json(config), tool_calls)
        try:
            stream = await self._owned.runtime.call(self._start, start)
            assert stream is not None, "given up by nobody else"
            return stream
        except (asyncio.CancelledError, KeyboardInterrupt):
            start.give_up()
            raise

    def _start(self, start: _Start) -> ChatSessionStream | None:
        # One after another: a reply that was given up is cancelled before the next one asks whether there is one.
        with self._starting:
            if start.given_up:
                return None
            transport = self._owned.runtime.transport
            handle = transport.number("session_reply", self._owned.handle, start.input, start.config)
            start.stream = ChatSessionStream(self._reader, handle, self, start.tool_calls)
            if start.given_up:
                start.stream.cancel_token.cancel()
            return start.stream

    async def _run(self, function: str, *texts: str) -> None:
        runtime = self._owned.runtime
        await runtime.call(runtime.transport.run, function, self._owned.handle, *texts)

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


class _Start:
    """A reply that begins on one thread, and may be given up on another meanwhile."""

    def __init__(self, input: str, config: str, tool_calls: ToolCalls) -> None:
        self.input = input
        self.config = config
        self.tool_calls = tool_calls
        self.given_up = False
        self.stream: ChatSessionStream | None = None

    def give_up(self) -> None:
        self.given_up = True
        if self.stream is not None:
            self.stream.cancel_token.cancel()


def _messages_json(messages: object, name: str) -> str:
    # One message by itself is iterated by nobody, and a text letter by letter.
    if isinstance(messages, (str, bytes, ChatMessage)) or not isinstance(messages, Iterable):
        raise InvalidArgument(f"{name} must be a list of messages, not {messages!r:.100}", {"field": name})
    return json_text([message_json(message) for message in messages])
