"""Models found, fetched, loaded and talked to."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._arguments import checked, json_text
from ._configs import ChatConfig, ChatReplyConfig, EngineConfig, chat_json, reply_json
from ._events import EngineEvent, EngineInfo
from ._models import (
    DownloadState,
    Model,
    ModelCapabilities,
    ModelFamily,
    ModelRegistry,
    ModelVendor,
    capabilities_of,
    family_of,
    model_of,
    registry_of,
    state_of,
    vendor_of,
)
from ._replies import Completion
from ._runtime import Owned, StreamReader, runtime
from ._session import ChatInstance, ChatSession
from ._streams import CompletionStream, DownloaderStream, EngineEvents

if TYPE_CHECKING:
    from typing_extensions import Self


class Downloader:
    """The download of one model."""

    def __init__(self, engine: Engine, model: Model) -> None:
        self._engine = engine
        self._model = model

    async def state(self) -> DownloadState | None:
        """Where it stands; None for a model that can't be downloaded."""
        return await self._engine.download_state(self._model)

    async def resume(self) -> None:
        """Starts or goes on; after an error, starts again."""
        await self._engine._run("download_resume", _identifier(self._model))

    async def pause(self) -> None:
        """Stops, keeping what was fetched. An error when nothing is being downloaded."""
        await self._engine._run("download_pause", _identifier(self._model))

    async def delete(self) -> None:
        """Removes the model's files."""
        await self._engine._run("download_delete", _identifier(self._model))

    async def progress(self) -> DownloaderStream:
        """Updates until the download ends, pauses or fails; empty when none runs."""
        return await self._engine._updates("download_watch", self._model)


class Engine:
    """An engine. Creating one opens no connection and loads nothing. Any thread or event loop may use it."""

    def __init__(self, owned: Owned, reader: StreamReader) -> None:
        self._owned = owned
        self._reader = reader

    @staticmethod
    async def create(config: EngineConfig | None = None) -> Engine:
        """The first of a process starts the runtime that engines live in. None: what the environment says."""
        chosen = EngineConfig.create() if config is None else checked(config, EngineConfig, "config")
        text = chosen._json()
        here = runtime()

        def make() -> Engine:
            owned = Owned(here, here.transport.number("engine_create", 0, text))
            return Engine(owned, StreamReader(here))

        return await here.call(make)

    async def model(self, identifier: str) -> Model | None:
        """The model for an identifier, a shorthand (``smollm2``), a repository id or a local path."""
        found = await self._json("engine_model", identifier)
        return None if found is None else model_of(found)

    async def models(self) -> list[Model]:
        """All models that the engine knows."""
        return await self._models({})

    async def models_local(self) -> list[Model]:
        """Models that run on this machine."""
        return await self._models({"kind": "local"})

    async def models_remote(self) -> list[Model]:
        """Models that run elsewhere: none yet."""
        return await self._models({"kind": "remote"})

    async def models_downloadable(self) -> list[Model]:
        """Models that `download` can fetch."""
        return await self._models({"kind": "downloadable"})

    async def models_for_chat(self) -> list[Model]:
        """Models that were made for conversations."""
        return await self._models({"kind": "chat"})

    async def models_by_vendor(self, vendor_identifier: str | ModelVendor) -> list[Model]:
        """Models of one vendor."""
        vendor = vendor_identifier.identifier if isinstance(vendor_identifier, ModelVendor) else vendor_identifier
        return await self._models({"vendor": vendor})

    async def models_by_family(self, family_identifier: str | ModelFamily) -> list[Model]:
        """Models of one family."""
        family = family_identifier.identifier if isinstance(family_identifier, ModelFamily) else family_identifier
        return await self._models({"family": family})

    async def model_vendors(self) -> list[ModelVendor]:
        """Who made the models that the engine knows."""
        return [vendor_of(each) for each in await self._json("engine_vendors")]

    async def model_families(self) -> list[ModelFamily]:
        """The families of the models that the engine knows."""
        return [family_of(each) for each in await self._json("engine_families")]

    async def model_registries(self) -> list[ModelRegistry]:
        """Where models are known from."""
        return [registry_of(each) for each in await self._json("engine_registries")]

    async def model_path(self, model: Model) -> str | None:
        """The file or folder that the model is loaded from; None when it isn't on this machine."""
        path: str | None = await self._json("engine_model_path", _identifier(model))
        return path

    async def capabilities(self, model: Model) -> ModelCapabilities:
        """What a model on this machine can do."""
        return capabilities_of(await self._json("engine_capabilities", _identifier(model)))

    async def count_tokens(self, model: Model, text: str) -> int:
        """How many tokens the text has for this model."""
        return await self._number("engine_count_tokens", _identifier(model), text)

    async def info(self) -> EngineInfo:
        """What this engine computes with, and the memory that it holds now."""
        return EngineInfo(**await self._json("engine_info"))

    async def events(self) -> EngineEvents:
        """What happens in the engine from now on."""
        # Without this engine as its source: who listens doesn't keep it.
        return await self._owned.runtime.call(lambda: EngineEvents(self._reader, self._make("engine_events"), None))

    async def register_callback(self, callback: Callable[[EngineEvent], object]) -> EngineEvents:
        """Calls back for each event from now on, until what is returned, or the engine, is closed.

        The calls are made on the event loop that runs here, one after another; the callback may be async. What it
        raises is the business of the loop's exception handler.
        """
        events = await self.events()
        asyncio.get_running_loop().create_task(_call_back(callback, events), name="uzu events")
        return events

    async def download(self, model: Model) -> DownloaderStream:
        """Starts fetching the model, or joins the download that runs; finished at once when nothing is to do."""
        return await self._updates("download_start", model)

    def downloader(self, model: Model) -> Downloader:
        """What pauses, resumes and deletes the model's download."""
        return Downloader(self, model)

    async def download_state(self, model: Model) -> DownloadState | None:
        """Where the model's download stands; None for one that can't be downloaded."""
        state = await self._json("download_state", _identifier(model))
        return None if state is None else state_of(state)

    async def download_states(self) -> dict[str, DownloadState]:
        """States of all downloadable models, by identifier."""
        states = await self._json("download_states")
        return {identifier: state_of(state) for identifier, state in states.items()}

    async def chat(self, model: Model, config: ChatConfig | None = None) -> ChatSession:
        """A new conversation; waits while the model loads."""
        return await self._owned.runtime.call(
            lambda: ChatSession(self, self._reader, self._make("engine_chat", _identifier(model), chat_json(config)))
        )

    async def chat_instance(self, model: Model, config: ChatConfig | None = None) -> ChatInstance:
        """Loads the weights once, for any number of sessions."""
        return await self._owned.runtime.call(
            lambda: ChatInstance(
                self, self._reader, self._make("engine_instance", _identifier(model), chat_json(config))
            )
        )

    async def chat_with_instance(self, instance: ChatInstance) -> ChatSession:
        """A new conversation on loaded weights; sessions of one instance run at the same time."""
        transport = self._owned.runtime.transport
        return await self._owned.runtime.call(
            lambda: ChatSession(instance, self._reader, transport.number("instance_chat", instance._owned.handle))
        )

    async def complete(self, model: Model, text: str, config: ChatReplyConfig | None = None) -> Completion:
        """Continues a text as it stands, without a chat template."""
        async with await self.complete_with_stream(model, text, config) as stream:
            completion: Completion | None = None
            async for completion in stream:
                pass
        assert completion is not None, "a stream has at least one chunk"
        return completion

    async def complete_with_stream(
        self, model: Model, text: str, config: ChatReplyConfig | None = None
    ) -> CompletionStream:
        """As `complete`, while it is made."""
        settings = reply_json(config)

        def start() -> CompletionStream:
            handle = self._make("engine_complete", _identifier(model), text, settings)
            return CompletionStream(self._reader, handle, self)

        return await self._owned.runtime.call(start)

    async def close(self) -> None:
        """Ends running replies and frees everything. Nothing happens the second time."""
        await self._owned.close()
        await self._reader.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._owned.close_now()
        self._reader.close_now()

    async def _updates(self, function: str, model: Model) -> DownloaderStream:
        return await self._owned.runtime.call(
            lambda: DownloaderStream(self._reader, self._make(function, _identifier(model)), self)
        )

    def _make(self, function: str, *texts: str) -> int:
        return self._owned.runtime.transport.number(function, self._owned.handle, *texts)

    async def _models(self, query: dict[str, str]) -> list[Model]:
        return [model_of(each) for each in await self._json("engine_models", json_text(query))]

    async def _json(self, function: str, *texts: str) -> Any:
        here = self._owned.runtime
        return json.loads(await here.call(here.transport.text, function, self._owned.handle, *texts))

    async def _number(self, function: str, *texts: str) -> int:
        return await self._owned.runtime.call(self._make, function, *texts)

    async def _run(self, function: str, *texts: str) -> None:
        here = self._owned.runtime
        await here.call(here.transport.run, function, self._owned.handle, *texts)


async def _call_back(callback: Callable[[EngineEvent], object], events: EngineEvents) -> None:
    async for event in events:
        try:
            result = callback(event)
            if inspect.isawaitable(result):
                await result
        except Exception as failure:
            context = {"message": "A callback of an engine failed", "exception": failure}
            asyncio.get_running_loop().call_exception_handler(context)


def _identifier(model: Model) -> str:
    return checked(model, Model, "model").identifier
