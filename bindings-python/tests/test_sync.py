"""`uzu.sync`: the same API, blocking."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextvars import ContextVar
from subprocess import CompletedProcess

import pytest

import uzu
from uzu import sync

from .conftest import GREEDY, MODEL, Loaded

HELLO = [sync.ChatMessage.user().with_text("Say hello to Ada.")]
USER: ContextVar[str] = ContextVar("USER", default="nobody")


@pytest.fixture(scope="module")
def engine(loaded: Loaded) -> sync.Engine:
    return sync.Engine(loaded.engine)


def session_of(engine: sync.Engine, loaded: Loaded) -> sync.ChatSession:
    return engine.chat_with_instance(sync.ChatInstance(loaded.instance))


def test_it_has_the_same_names() -> None:
    assert sync.__all__ == uzu.__all__
    for name in uzu.__all__:
        blocking, waiting = getattr(sync, name), getattr(uzu, name)
        if blocking is waiting:
            continue
        for member in dir(waiting):
            assert member.startswith("_") or hasattr(blocking, member), f"{name}.{member}"
        for member, function in inspect.getmembers(blocking, inspect.isfunction):
            assert not inspect.iscoroutinefunction(function)
            if not member.startswith("_"):
                parameters = [list(inspect.signature(each).parameters) for each in (function, getattr(waiting, member))]
                assert parameters[0] == parameters[1], f"{name}.{member}"


def test_a_model_is_found_loaded_and_asked(loaded: Loaded) -> None:
    with sync.Engine.create(sync.EngineConfig.create()) as engine:
        model = engine.model(MODEL)
        assert model == loaded.model
        assert model in engine.models() or not model.is_downloadable
        assert all(0 <= update.progress <= 1 for update in engine.download(model))
        assert engine.count_tokens(model, "one two three") >= 3
        assert engine.complete(model, "One, two, three,", GREEDY.with_token_limit(3)).text
        assert engine.info().threads > 0
    with pytest.raises(uzu.Closed):
        engine.models()


def test_a_reply_streams(engine: sync.Engine, loaded: Loaded) -> None:
    with session_of(engine, loaded) as session:
        with session.reply_with_stream(HELLO, GREEDY.with_token_limit(8)) as stream:
            chunks = list(stream.iterator())
        last = chunks[-1]
        assert isinstance(last, sync.ChatSessionStreamChunk.Replies)
        assert stream.next() is None
        assert session.messages() == [*HELLO, last.replies[0].message]
        with session.fork() as fork:
            assert fork.messages() == session.messages()
        session.reset()
        (reply,) = session.reply(HELLO, GREEDY.with_token_limit(8))
        assert reply.message == last.replies[0].message
        assert session.state() is sync.ChatSessionState.Idle


def test_it_works_where_an_event_loop_runs(engine: sync.Engine, loaded: Loaded) -> None:
    async def cell() -> None:
        session = session_of(engine, loaded)
        assert session.reply(HELLO, GREEDY.with_token_limit(2))[0].message.text
        assert [chunk for chunk in session.reply_with_stream(HELLO, GREEDY.with_token_limit(2))]
        # And the loop's own twin beside it.
        assert await (await loaded.session()).reply(HELLO, GREEDY.with_token_limit(2))

    asyncio.run(cell())


def test_tools_run_on_other_threads_in_the_callers_context(engine: sync.Engine, loaded: Loaded) -> None:
    seen: list[tuple[str, str, bool]] = []

    @sync.uzu_tool_function
    def look_up(word: str) -> str:
        """Look a word up."""
        seen.append(("sync", USER.get(), threading.current_thread() is threading.main_thread()))
        return "found"

    @sync.uzu_tool_function
    async def look_up_later(word: str) -> str:
        """Look a word up, later."""
        await asyncio.sleep(0)
        seen.append(("async", USER.get(), threading.current_thread() is threading.main_thread()))
        return "found"

    USER.set("Ada")
    for tool in (look_up, look_up_later):
        session = session_of(engine, loaded)
        session.add_tool(tool)
        config = GREEDY.with_token_limit(120).with_tool_choice(sync.ToolChoice.Required())
        results = [
            chunk
            for chunk in session.reply_with_stream([sync.ChatMessage.user().with_text("Look up: uzu")], config)
            if isinstance(chunk, sync.ChatSessionStreamChunk.ToolResults)
        ]
        assert results[0].results[0].value == "found"
    assert {("sync", "Ada", False), ("async", "Ada", False)} <= set(seen)


def test_a_callback_hears_of_a_model_that_is_loaded(loaded: Loaded) -> None:
    heard: list[uzu.EngineEvent] = []
    with sync.Engine.create() as engine:
        events = engine.register_callback(heard.append)
        model = engine.model(MODEL)
        assert model is not None
        engine.chat(model).close()
        for _ in range(100):
            if len(heard) > 1:
                break
            threading.Event().wait(0.05)
        events.close()
    assert [type(event) for event in heard[:2]] == [uzu.EngineEvent.ModelLoaded, uzu.EngineEvent.ModelUnloaded]
    assert heard[0].model == loaded.model.identifier


def test_ctrl_c_ends_a_reply(program: Callable[..., CompletedProcess[str]]) -> None:
    done = program(
        """
        from uzu import sync
        engine = sync.Engine.create()
        session = engine.chat(engine.model(MODEL))
        try:
            for chunk in session.reply_with_stream(ASK, GREEDY.with_token_limit(4000)):
                print("started", flush=True)
        except KeyboardInterrupt:
            pass
        while session.state() is not ChatSessionState.Idle:
            pass
        print(session.messages()[-1].role == ChatRole.Assistant())
        """,
        interrupt=True,
    )
    assert (done.returncode, done.stdout.split()[-1]) == (0, "True"), done.stderr


def test_ctrl_c_ends_a_blocking_call_and_the_session_goes_on(program: Callable[..., CompletedProcess[str]]) -> None:
    done = program(
        """
        import time
        from uzu import sync
        engine = sync.Engine.create()
        session = engine.chat(engine.model(MODEL))
        session.reply(ASK, GREEDY.with_token_limit(2))
        begin = time.monotonic()
        try:
            print("started", flush=True)
            session.reply(ASK, GREEDY.with_token_limit(4000))
        except KeyboardInterrupt:
            print(time.monotonic() - begin < 5)
        print(len(session.reply(ASK, GREEDY.with_token_limit(2))))
        """,
        interrupt=True,
    )
    assert (done.returncode, done.stdout.split()) == (0, ["started", "True", "1"]), done.stderr
