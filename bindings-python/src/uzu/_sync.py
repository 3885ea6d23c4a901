"""Engines, sessions and streams that block. Each hands on to its twin for event loops, which `blocking` runs here."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _engine, _session, _streams
from ._arguments import checked
from ._configs import ChatConfig, ChatReplyConfig, EngineConfig
from ._enums import ChatSessionState
from ._events import EngineEvent, EngineInfo
from ._messages import ChatMessage
from ._models import (
    DownloaderStreamUpdate,
    DownloadState,
    Model,
    ModelCapabilities,
    ModelFamily,
    ModelRegistry,
    ModelVendor,
)
from ._progress import Progress
from ._replies import ChatReply, Completion
from ._tools import UzuToolFunction
from ._unions import ChatSessionStreamChunk
from ._waiting import blocking

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class _Stream(Generic[T]):
    def __init__(self, stream: _streams.Stream[T]) -> None:
        self._async = stream

    def iterator(self) -> Self:
        return self

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        result = self.next()
        if result is None:
            raise StopIteration
        return result

    def next(self) -> T | None:
        """The next result; None after the last. An interrupt (Ctrl-C) cancels what makes them."""
        return blocking(self._async.next())

    def close(self) -> None:
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class DownloaderStream(_Stream[DownloaderStreamUpdate]):
    _async: _streams.DownloaderStream

    def show(self, progress: Progress) -> None:
        blocking(self._async.show(progress))


class EngineEvents(_Stream[EngineEvent]):
    _async: _streams.EngineEvents


class CompletionStream(_Stream[Completion]):
    _async: _streams.CompletionStream

    @property
    def cancel_token(self) -> _streams.CancelToken:
        return self._async.cancel_token


class ChatSessionStream(_Stream[ChatSessionStreamChunk]):
    _async: _streams.ChatSessionStream

    @property
    def cancel_token(self) -> _streams.CancelToken:
        return self._async.cancel_token

    def replies(self) -> list[ChatReply]:
        return blocking(self._async.replies())


class Downloader:
    def __init__(self, downloader: _engine.Downloader) -> None:
        self._async = downloader

    def state(self) -> DownloadState | None:
        return blocking(self._async.state())

    def resume(self) -> None:
        blocking(self._async.resume())

    def pause(self) -> None:
        blocking(self._async.pause())

    def delete(self) -> None:
        blocking(self._async.delete())

    def progress(self) -> DownloaderStream:
        return DownloaderStream(blocking(self._async.progress()))


class ChatInstance:
    def __init__(self, instance: _session.ChatInstance) -> None:
        self._async = instance

    def memory_used_bytes(self) -> int:
        return blocking(self._async.memory_used_bytes())

    def close(self) -> None:
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class ChatSession:
    def __init__(self, session: _session.ChatSession) -> None:
        self._async = session

    def state(self) -> ChatSessionState:
        return blocking(self._async.state())

    def messages(self) -> list[ChatMessage]:
        return blocking(self._async.messages())

    def set_messages(self, messages: Sequence[ChatMessage]) -> None:
        blocking(self._async.set_messages(messages))

    def supports_tool_calls(self) -> bool:
        return blocking(self._async.supports_tool_calls())

    def add_tool(self, tool: UzuToolFunction[..., Any]) -> None:
        blocking(self._async.add_tool(tool))

    def add_tools(self, tools: Iterable[UzuToolFunction[..., Any]]) -> None:
        blocking(self._async.add_tools(tools))

    def context_length(self) -> int:
        return blocking(self._async.context_length())

    def reset(self) -> None:
        blocking(self._async.reset())

    def fork(self) -> ChatSession:
        return ChatSession(blocking(self._async.fork()))

    def save(self, path: str | os.PathLike[str]) -> None:
        blocking(self._async.save(path))

    def restore(self, path: str | os.PathLike[str]) -> None:
        blocking(self._async.restore(path))

    def reply(self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None) -> list[ChatReply]:
        """The model's answer to the conversation with the input added. An interrupt (Ctrl-C) cancels the reply."""
        return blocking(self._async.reply(input, config))

    def reply_with_stream(
        self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None
    ) -> ChatSessionStream:
        return ChatSessionStream(blocking(self._async.reply_with_stream(input, config)))

    def close(self) -> None:
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Engine:
    def __init__(self, engine: _engine.Engine) -> None:
        self._async = engine

    @staticmethod
    def create(config: EngineConfig | None = None) -> Engine:
        return Engine(blocking(_engine.Engine.create(config)))

    def info(self) -> EngineInfo:
        return blocking(self._async.info())

    def events(self) -> EngineEvents:
        return EngineEvents(blocking(self._async.events()))

    def register_callback(self, callback: Callable[[EngineEvent], object]) -> EngineEvents:
        """Calls back for each event from now on, until what is returned, or the engine, is closed.

        The calls are made on a thread of their own, one after another. What the callback raises is the business of
        `threading.excepthook`.
        """
        events = self.events()
        threading.Thread(target=_call_back, args=(callback, events), name="uzu-events", daemon=True).start()
        return events

    def model(self, identifier: str) -> Model | None:
        return blocking(self._async.model(identifier))

    def models(self) -> list[Model]:
        return blocking(self._async.models())

    def models_local(self) -> list[Model]:
        return blocking(self._async.models_local())

    def models_remote(self) -> list[Model]:
        return blocking(self._async.models_remote())

    def models_downloadable(self) -> list[Model]:
        return blocking(self._async.models_downloadable())

    def models_for_chat(self) -> list[Model]:
        return blocking(self._async.models_for_chat())

    def models_by_vendor(self, vendor_identifier: str | ModelVendor) -> list[Model]:
        return blocking(self._async.models_by_vendor(vendor_identifier))

    def models_by_family(self, family_identifier: str | ModelFamily) -> list[Model]:
        return blocking(self._async.models_by_family(family_identifier))

    def model_vendors(self) -> list[ModelVendor]:
        return blocking(self._async.model_vendors())

    def model_families(self) -> list[ModelFamily]:
        return blocking(self._async.model_families())

    def model_registries(self) -> list[ModelRegistry]:
        return blocking(self._async.model_registries())

    def model_path(self, model: Model) -> str | None:
        return blocking(self._async.model_path(model))

    def capabilities(self, model: Model) -> ModelCapabilities:
        return blocking(self._async.capabilities(model))

    def count_tokens(self, model: Model, text: str) -> int:
        return blocking(self._async.count_tokens(model, text))

    def download(self, model: Model) -> DownloaderStream:
        return DownloaderStream(blocking(self._async.download(model)))

    def downloader(self, model: Model) -> Downloader:
        return Downloader(self._async.downloader(model))

    def download_state(self, model: Model) -> DownloadState | None:
        return blocking(self._async.download_state(model))

    def download_states(self) -> dict[str, DownloadState]:
        return blocking(self._async.download_states())

    def chat(self, model: Model, config: ChatConfig | None = None) -> ChatSession:
        return ChatSession(blocking(self._async.chat(model, config)))

    def chat_instance(self, model: Model, config: ChatConfig | None = None) -> ChatInstance:
        return ChatInstance(blocking(self._async.chat_instance(model, config)))

    def chat_with_instance(self, instance: ChatInstance) -> ChatSession:
        shared = checked(instance, ChatInstance, "instance")._async
        return ChatSession(blocking(self._async.chat_with_instance(shared)))

    def complete(self, model: Model, text: str, config: ChatReplyConfig | None = None) -> Completion:
        return blocking(self._async.complete(model, text, config))

    def complete_with_stream(self, model: Model, text: str, config: ChatReplyConfig | None = None) -> CompletionStream:
        return CompletionStream(blocking(self._async.complete_with_stream(model, text, config)))

    def close(self) -> None:
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _call_back(callback: Callable[[EngineEvent], object], events: EngineEvents) -> None:
    for event in events:
        try:
            callback(event)
        except Exception as failure:
            thread = threading.current_thread()
            threading.excepthook(threading.ExceptHookArgs((type(failure), failure, failure.__traceback__, thread)))


def _document(kind: type, twin: type) -> None:
    """What the twin's doc strings say holds here, too."""
    kind.__doc__ = kind.__doc__ or twin.__doc__
    for name in vars(kind):
        member, other = inspect.getattr_static(kind, name), inspect.getattr_static(twin, name, None)
        function = member.__func__ if isinstance(member, staticmethod) else member
        if not name.startswith("_") and other is not None and function.__doc__ is None:
            function.__doc__ = other.__doc__


_document(_Stream, _streams.Stream)
for _kind in (DownloaderStream, EngineEvents, CompletionStream, ChatSessionStream):
    _document(_kind, getattr(_streams, _kind.__name__))
_document(Downloader, _engine.Downloader)
_document(Engine, _engine.Engine)
_document(ChatInstance, _session.ChatInstance)
_document(ChatSession, _session.ChatSession)
