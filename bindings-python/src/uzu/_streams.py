"""Results while they are made: ``async for``, or ``await next()``; each stream is read once."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._errors import Closed, UzuError
from ._events import EngineEvent, event_of
from ._messages import tool_call_result_of
from ._models import DownloaderStreamUpdate
from ._progress import Progress, follow
from ._replies import ChatReply, Completion, Folded
from ._runtime import Owned, Runtime, StreamReader
from ._tool_calls import ToolCalls
from ._unions import ChatSessionStreamChunk

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class CancelToken:
    """Asks for the end of a reply. Any thread may cancel, at any time, any number of times."""

    def __init__(self, on_cancel: Callable[[], None] | None = None) -> None:
        self._on_cancel = on_cancel
        self._cancelled = False

    @staticmethod
    def create() -> CancelToken:
        """A token that cancels nothing by itself."""
        return CancelToken()

    def cancel(self) -> None:
        """Asks, and returns at once."""
        if not self._cancelled:
            self._cancelled = True
            if self._on_cancel is not None:
                self._on_cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked."""
        return self._cancelled


class Stream(ABC, Generic[T]):
    """A stream of the engine's. `source`, if there is one, is kept alive as long as it is read."""

    def __init__(self, reader: StreamReader, handle: int, source: object, tool_calls: ToolCalls | None = None) -> None:
        self._source = source
        self._owned = Owned(reader.runtime, handle, reader.forget(handle))
        self._inbox = reader.read(handle, tool_calls)

    def iterator(self) -> Self:
        """The stream itself."""
        return self

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        result = await self.next()
        if result is None:
            raise StopAsyncIteration
        return result

    async def next(self) -> T | None:
        """The next result; None after the last. Cancelling the task that waits cancels what makes them."""
        try:
            chunk = await self._inbox.get()
        except (asyncio.CancelledError, KeyboardInterrupt):
            _cancel(self._owned.runtime, self._owned.handle, self._inbox.tool_calls)
            raise
        return None if chunk is None else self._decode(chunk)

    async def close(self) -> None:
        """Stops what makes the results, and waits for that."""
        await self._owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    @abstractmethod
    def _decode(self, chunk: dict[str, Any]) -> T:
        """What the reader gets for a chunk as the engine has sent it."""


class DownloaderStream(Stream[DownloaderStreamUpdate]):
    """Progress of a download. A failure is raised; leaving the stream doesn't stop the download."""

    async def show(self, progress: Progress) -> None:
        """Reads it to its end, and shows how far it is: ``show(tqdm(unit="B", unit_scale=True))``."""
        await follow(self, progress)

    def _decode(self, chunk: dict[str, Any]) -> DownloaderStreamUpdate:
        return DownloaderStreamUpdate(**chunk)


class EngineEvents(Stream[EngineEvent]):
    """What happens in an engine from when this was made, until one of the two is closed.

    Nothing is lost to a slow reader but the steps of a download, of which it gets the last.
    """

    async def next(self) -> EngineEvent | None:
        """The next event; None once this or the engine was closed."""
        try:
            return await super().next()
        except Closed:
            return None

    def _decode(self, chunk: dict[str, Any]) -> EngineEvent:
        return event_of(chunk)


class _ReplyStream(Stream[T]):
    def __init__(self, reader: StreamReader, handle: int, source: object, tool_calls: ToolCalls | None = None) -> None:
        super().__init__(reader, handle, source, tool_calls)
        self._folded = Folded()
        # Not the stream's own method: the token may outlive the stream, and must not keep it running.
        runtime = reader.runtime
        self._token = CancelToken(lambda: _cancel(runtime, handle, tool_calls))

    @property
    def cancel_token(self) -> CancelToken:
        """Stops the reply within one forward pass; the stream then ends with what there is."""
        return self._token


def _cancel(runtime: Runtime, handle: int, tool_calls: ToolCalls | None) -> None:
    try:
        runtime.transport.run("stream_cancel", handle)
    except UzuError:
        pass  # closed already, with its engine perhaps
    if tool_calls is not None:
        tool_calls.cancel()


class CompletionStream(_ReplyStream[Completion]):
    """A completion while it is made: each result has the whole text so far. A failure is raised."""

    def _decode(self, chunk: dict[str, Any]) -> Completion:
        return self._folded.completion(chunk)


class ChatSessionStream(_ReplyStream[ChatSessionStreamChunk]):
    """A reply while it is made. A failure is the last chunk, `ChatSessionStreamChunk.Error`."""

    async def next(self) -> ChatSessionStreamChunk | None:
        """The next chunk; None after the last. Cancelling the task that waits cancels the reply."""
        try:
            return await super().next()
        except UzuError as error:
            return ChatSessionStreamChunk.Error(error)

    def _decode(self, chunk: dict[str, Any]) -> ChatSessionStreamChunk:
        if "tool_results" in chunk:
            return ChatSessionStreamChunk.ToolResults([tool_call_result_of(each) for each in chunk["tool_results"]])
        return ChatSessionStreamChunk.Replies([self._folded.reply(chunk)])

    async def replies(self) -> list[ChatReply]:
        """Waits for the end. The error that ended the reply is raised."""
        replies: list[ChatReply] = []
        async for chunk in self:
            if isinstance(chunk, ChatSessionStreamChunk.Error):
                raise chunk.error
            if isinstance(chunk, ChatSessionStreamChunk.Replies):
                replies = chunk.replies
        return replies
