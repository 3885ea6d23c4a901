"""Engines, sessions and streams that block. Each hands on to its twin for event loops, which `blocking` runs here."""

from __future__ import annotations

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
    """A stream of the engine's. `source`, if there is one, is kept alive as long as it is read."""

    def __init__(self, stream: _streams.Stream[T]) -> None:
        self._async = stream

    def iterator(self) -> Self:
        """The stream itself."""
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
        """Stops what makes the results, and waits for that."""
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class DownloaderStream(_Stream[DownloaderStreamUpdate]):
    """Progress of a download. A failure is raised; leaving the stream doesn't stop the download."""

    _async: _streams.DownloaderStream

    def show(self, progress: Progress) -> None:
        """Reads it to its end, and shows how far it is: ``show(tqdm(unit="B", unit_scale=True))``."""
        blocking(self._async.show(progress))


class EngineEvents(_Stream[EngineEvent]):
    """What happens in an engine from when this was made, until one of the two is closed.

    Nothing is lost to a slow reader but the steps of a download, of which it gets the last.
    """

    _async: _streams.EngineEvents


class CompletionStream(_Stream[Completion]):
    """A completion while it is made: each result has the whole text so far. A failure is raised."""

    _async: _streams.CompletionStream

    @property
    def cancel_token(self) -> _streams.CancelToken:
        """Stops the reply within one forward pass; the stream then ends with what there is."""
        return self._async.cancel_token


class ChatSessionStream(_Stream[ChatSessionStreamChunk]):
    """A reply while it is made. A failure is the last chunk, `ChatSessionStreamChunk.Error`."""

    _async: _streams.ChatSessionStream

    @property
    def cancel_token(self) -> _streams.CancelToken:
        """Stops the reply within one forward pass; the stream then ends with what there is."""
        return self._async.cancel_token

    def replies(self) -> list[ChatReply]:
        """Waits for the end. The error that ended the reply is raised."""
        return blocking(self._async.replies())


class Downloader:
    """The download of one model."""

    def __init__(self, downloader: _engine.Downloader) -> None:
        self._async = downloader

    def state(self) -> DownloadState | None:
        """Where it stands; None for a model that can't be downloaded."""
        return blocking(self._async.state())

    def resume(self) -> None:
        """Starts or goes on; after an error, starts again."""
        blocking(self._async.resume())

    def pause(self) -> None:
        """Stops, keeping what was fetched. An error when nothing is being downloaded."""
        blocking(self._async.pause())

    def delete(self) -> None:
        """Removes the model's files."""
        blocking(self._async.delete())

    def progress(self) -> DownloaderStream:
        """Updates until the download ends, pauses or fails; empty when none runs."""
        return DownloaderStream(blocking(self._async.progress()))


class ChatInstance:
    """A loaded model that several sessions share."""

    def __init__(self, instance: _session.ChatInstance) -> None:
        self._async = instance

    def memory_used_bytes(self) -> int:
        """Bytes held: weights, scratch, keys and values of all sessions."""
        return blocking(self._async.memory_used_bytes())

    def close(self) -> None:
        """Frees the weights and closes the sessions on them."""
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class ChatSession:
    """A conversation. It keeps its history: each input holds only the new messages. One reply at a time."""

    def __init__(self, session: _session.ChatSession) -> None:
        self._async = session

    def state(self) -> ChatSessionState:
        """What it is doing."""
        return blocking(self._async.state())

    def messages(self) -> list[ChatMessage]:
        """The conversation so far, finished replies included."""
        return blocking(self._async.messages())

    def set_messages(self, messages: Sequence[ChatMessage]) -> None:
        """Replaces the conversation. What it has in common with the old one isn't computed again."""
        blocking(self._async.set_messages(messages))

    def supports_tool_calls(self) -> bool:
        """Whether the model can be told of tools."""
        return blocking(self._async.supports_tool_calls())

    def add_tool(self, tool: UzuToolFunction[..., Any]) -> None:
        """From the next reply on the model is told of the tool, and its calls are answered by it.

        A reply that calls any tool that isn't added ends with the finish reason ToolCalls; the next input then begins
        with the results.
        """
        blocking(self._async.add_tool(tool))

    def add_tools(self, tools: Iterable[UzuToolFunction[..., Any]]) -> None:
        """`add_tool` for each."""
        blocking(self._async.add_tools(tools))

    def context_length(self) -> int:
        """Most tokens of this conversation."""
        return blocking(self._async.context_length())

    def reset(self) -> None:
        """Forgets the conversation."""
        blocking(self._async.reset())

    def fork(self) -> ChatSession:
        """A second session with the same conversation and tools, which goes its own way from here.

        What was computed is shared. An InvalidState while a reply is made, as for `save` and `restore`.
        """
        return ChatSession(blocking(self._async.fork()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the conversation to a file, in place of one that is there. Tools are code and not saved."""
        blocking(self._async.save(path))

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Goes on with a conversation that `save` wrote, in place of this one, with this session's model and tools."""
        blocking(self._async.restore(path))

    def reply(self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None) -> list[ChatReply]:
        """The model's answer to the conversation with the input added. An interrupt (Ctrl-C) cancels the reply."""
        return blocking(self._async.reply(input, config))

    def reply_with_stream(
        self, input: Sequence[ChatMessage], config: ChatReplyConfig | None = None
    ) -> ChatSessionStream:
        """As `reply`, while it is made; errors in the input are raised here already."""
        return ChatSessionStream(blocking(self._async.reply_with_stream(input, config)))

    def close(self) -> None:
        """Cancels a running reply and frees the session."""
        blocking(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Engine:
    """An engine. Creating one opens no connection and loads nothing. Any thread may use it."""

    def __init__(self, engine: _engine.Engine) -> None:
        self._async = engine

    @staticmethod
    def create(config: EngineConfig | None = None) -> Engine:
        """The first of a process starts the runtime that engines live in. None: what the environment says."""
        return Engine(blocking(_engine.Engine.create(config)))

    def info(self) -> EngineInfo:
        """What this engine computes with, and the memory that it holds now."""
        return blocking(self._async.info())

    def events(self) -> EngineEvents:
        """What happens in the engine from now on."""
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
        """The model for an identifier, a shorthand (``smollm2``), a repository id or a local path."""
        return blocking(self._async.model(identifier))

    def models(self) -> list[Model]:
        """All models that the engine knows."""
        return blocking(self._async.models())

    def models_local(self) -> list[Model]:
        """Models that run on this machine."""
        return blocking(self._async.models_local())

    def models_remote(self) -> list[Model]:
        """Models that run elsewhere: none yet."""
        return blocking(self._async.models_remote())

    def models_downloadable(self) -> list[Model]:
        """Models that `download` can fetch."""
        return blocking(self._async.models_downloadable())

    def models_for_chat(self) -> list[Model]:
        """Models that were made for conversations."""
        return blocking(self._async.models_for_chat())

    def models_by_vendor(self, vendor_identifier: str | ModelVendor) -> list[Model]:
        """Models of one vendor."""
        return blocking(self._async.models_by_vendor(vendor_identifier))

    def models_by_family(self, family_identifier: str | ModelFamily) -> list[Model]:
        """Models of one family."""
        return blocking(self._async.models_by_family(family_identifier))

    def model_vendors(self) -> list[ModelVendor]:
        """Who made the models that the engine knows."""
        return blocking(self._async.model_vendors())

    def model_families(self) -> list[ModelFamily]:
        """The families of the models that the engine knows."""
        return blocking(self._async.model_families())

    def model_registries(self) -> list[ModelRegistry]:
        """Where models are known from."""
        return blocking(self._async.model_registries())

    def model_path(self, model: Model) -> str | None:
        """The file or folder that the model is loaded from; None when it isn't on this machine."""
        return blocking(self._async.model_path(model))

    def capabilities(self, model: Model) -> ModelCapabilities:
        """What a model on this machine can do."""
        return blocking(self._async.capabilities(model))

    def count_tokens(self, model: Model, text: str) -> int:
        """How many tokens the text has for this model."""
        return blocking(self._async.count_tokens(model, text))

    def download(self, model: Model) -> DownloaderStream:
        """Starts fetching the model, or joins the download that runs; finished at once when nothing is to do."""
        return DownloaderStream(blocking(self._async.download(model)))

    def downloader(self, model: Model) -> Downloader:
        """What pauses, resumes and deletes the model's download."""
        return Downloader(self._async.downloader(model))

    def download_state(self, model: Model) -> DownloadState | None:
        """Where the model's download stands; None for one that can't be downloaded."""
        return blocking(self._async.download_state(model))

    def download_states(self) -> dict[str, DownloadState]:
        """States of all downloadable models, by identifier."""
        return blocking(self._async.download_states())

    def chat(self, model: Model, config: ChatConfig | None = None) -> ChatSession:
        """A new conversation; waits while the model loads."""
        return ChatSession(blocking(self._async.chat(model, config)))

    def chat_instance(self, model: Model, config: ChatConfig | None = None) -> ChatInstance:
        """Loads the weights once, for any number of sessions."""
        return ChatInstance(blocking(self._async.chat_instance(model, config)))

    def chat_with_instance(self, instance: ChatInstance) -> ChatSession:
        """A new conversation on loaded weights; sessions of one instance run at the same time."""
        shared = checked(instance, ChatInstance, "instance")._async
        return ChatSession(blocking(self._async.chat_with_instance(shared)))

    def complete(self, model: Model, text: str, config: ChatReplyConfig | None = None) -> Completion:
        """Continues a text as it stands, without a chat template."""
        return blocking(self._async.complete(model, text, config))

    def complete_with_stream(self, model: Model, text: str, config: ChatReplyConfig | None = None) -> CompletionStream:
        """As `complete`, while it is made."""
        return CompletionStream(blocking(self._async.complete_with_stream(model, text, config)))

    def close(self) -> None:
        """Ends running replies and frees everything. Nothing happens the second time."""
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
