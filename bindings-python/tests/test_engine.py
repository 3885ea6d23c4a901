"""Engines, models, downloads, and their errors."""

from __future__ import annotations

import asyncio
import gc
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import uzu
from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    Engine,
    EngineConfig,
    Grammar,
    ModelAccessibility,
    SamplingMethod,
    ToolSupport,
)

from .conftest import GREEDY, MODEL, Loaded, collects


def test_a_model_is_found_by_its_identifier(loaded: Loaded) -> None:
    model = asyncio.run(loaded.engine.model(MODEL))
    assert model is not None
    assert model.is_local and not model.is_remote
    assert model.accessibility is ModelAccessibility.Local
    assert model in asyncio.run(loaded.engine.models()) or Path(MODEL).exists()


def test_an_unknown_model_is_none(loaded: Loaded) -> None:
    assert asyncio.run(loaded.engine.model("nobody:nothing:1b")) is None


def test_a_model_that_is_gone_is_an_error_with_its_name(loaded: Loaded) -> None:
    gone = replace(loaded.model, identifier="nobody:nothing:1b")
    with pytest.raises(uzu.ModelNotFound) as raised:
        asyncio.run(loaded.engine.chat(gone, ChatConfig.create()))
    assert raised.value.code == "model_not_found"
    assert "nobody:nothing:1b" in str(raised.value)


def test_lists_of_models_agree(loaded: Loaded) -> None:
    async def run() -> None:
        engine = loaded.engine
        models = await engine.models()
        assert {model.identifier for model in await engine.models_local()} <= {model.identifier for model in models}
        families = await engine.model_families()
        assert families
        by_family = await engine.models_by_family(families[0])
        assert by_family and all(model.family == families[0] for model in by_family)
        vendors = await engine.model_vendors()
        by_vendor = await engine.models_by_vendor(vendors[0].identifier)
        assert all(model.family is not None and model.family.vendor == vendors[0] for model in by_vendor)
        assert await engine.model_registries()
        assert await engine.models_remote() == []

    asyncio.run(run())


def test_a_downloaded_model_needs_no_download(loaded: Loaded) -> None:
    async def run() -> None:
        updates = [update.progress async for update in (await loaded.engine.download(loaded.model)).iterator()]
        assert all(0 <= progress <= 1 for progress in updates)
        path = await loaded.engine.model_path(loaded.model)
        assert path is not None
        if loaded.model.is_downloadable:
            state = await loaded.engine.downloader(loaded.model).state()
            assert state is not None and isinstance(state.phase, uzu.DownloadPhase.Downloaded)
            assert state.progress == 1 and state.can_delete and not state.can_pause
            assert state.name == "Downloaded"
            assert loaded.model.identifier in await loaded.engine.download_states()

    asyncio.run(run())


def test_capabilities_and_token_counts(loaded: Loaded) -> None:
    async def run() -> None:
        capabilities = await loaded.engine.capabilities(loaded.model)
        assert capabilities.chat and capabilities.context_length > 0
        assert isinstance(capabilities.tools, ToolSupport)
        assert await loaded.engine.count_tokens(loaded.model, "one two three") >= 3
        assert await loaded.instance.memory_used_bytes() > 0

    asyncio.run(run())


def test_a_text_is_continued(loaded: Loaded) -> None:
    config = GREEDY.with_token_limit(3)
    completion = asyncio.run(loaded.engine.complete(loaded.model, "One, two, three,", config))
    assert completion.text
    assert completion.finish_reason is not None


def test_impossible_sampling_is_refused_by_name(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        config = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Stochastic(top_p=2))
        with pytest.raises(uzu.InvalidArgument) as raised:
            await session.reply([ChatMessage.user().with_text("Hi")], config)
        assert raised.value.details["field"] == "top_p"

    asyncio.run(run())


def test_a_grammar_that_cannot_be_kept_is_refused(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        with pytest.raises(uzu.GrammarUnsupported):
            await session.reply([ChatMessage.user().with_text("Hi")], GREEDY.with_grammar(Grammar.Regex(r"(a)\1")))

    asyncio.run(run())


def test_a_closed_engine_says_so() -> None:
    async def run() -> None:
        async with await Engine.create(EngineConfig.create()) as engine:
            pass
        await engine.close()
        with pytest.raises(uzu.Closed):
            await engine.models()

    asyncio.run(run())


def test_an_engine_works_in_a_plain_with() -> None:
    engine = asyncio.run(Engine.create(EngineConfig(offline=True, threads=1)))
    with engine:
        assert isinstance(asyncio.run(engine.models()), list)
    with pytest.raises(uzu.Closed):
        asyncio.run(engine.models())


def test_an_impossible_config_is_refused_by_name() -> None:
    with pytest.raises(uzu.InvalidArgument, match="threads"):
        asyncio.run(Engine.create(EngineConfig(threads=-1)))


def test_text_that_is_no_unicode_is_refused(loaded: Loaded) -> None:
    with pytest.raises(uzu.InvalidArgument):
        asyncio.run(loaded.engine.model("half a character \ud83d"))


@collects
def test_engines_that_are_dropped_leave_no_threads() -> None:
    def readers() -> int:
        return sum(thread.name == "uzu-streams" for thread in threading.enumerate())

    before = readers()
    for _ in range(3):
        asyncio.run(Engine.create(EngineConfig(offline=True)))
    gc.collect()
    for _ in range(100):
        if readers() <= before:
            break
        threading.Event().wait(0.1)
    assert readers() <= before


def test_a_name_in_place_of_a_model_is_refused(loaded: Loaded) -> None:
    with pytest.raises(uzu.InvalidArgument, match="model must be a Model, not 'smollm2'"):
        asyncio.run(loaded.engine.chat("smollm2"))  # type: ignore[arg-type]
    with pytest.raises(uzu.InvalidArgument, match="config must be a ChatConfig"):
        asyncio.run(loaded.engine.chat(loaded.model, {}))  # type: ignore[arg-type]


def test_events_tell_of_models_that_come_and_go(loaded: Loaded) -> None:
    async def run() -> None:
        heard: list[uzu.EngineEvent] = []
        failures: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))

        async def listen(event: uzu.EngineEvent) -> None:
            heard.append(event)
            raise RuntimeError("the callback's own")

        async with await Engine.create(EngineConfig.create()) as engine:
            assert (await engine.info()).weight_bytes == 0
            events = await engine.events()
            await engine.register_callback(listen)
            session = await engine.chat(loaded.model)
            event = await events.next()
            assert isinstance(event, uzu.EngineEvent.ModelLoaded)
            assert event.model == loaded.model.identifier and Path(event.path).exists()
            assert event.weight_bytes > 0 and (await engine.info()).weight_bytes == event.weight_bytes
            await session.close()
            assert isinstance(await events.next(), uzu.EngineEvent.ModelUnloaded)
            await asyncio.sleep(0.2)
        assert [event async for event in events] == []
        assert [type(event).__name__ for event in heard] == ["ModelLoaded", "ModelUnloaded"]
        assert [str(failure) for failure in failures] == ["the callback's own"] * 2

    asyncio.run(run())


def test_an_unknown_message_format_is_refused_by_name(loaded: Loaded) -> None:
    config = ChatConfig.create().with_message_format("smoke signals")
    with pytest.raises(uzu.InvalidArgument, match="smoke signals"):
        asyncio.run(loaded.engine.chat(loaded.model, config))
