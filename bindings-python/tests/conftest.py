"""The model that the tests use, and programs run in processes of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator

import pytest

from uzu import ChatConfig, ChatInstance, ChatReplyConfig, ChatSession, Engine, EngineConfig, Model, SamplingMethod

MODEL = os.environ.get("UZU_TEST_MODEL", "huggingface:smollm2:135m:gguf:q4_1:4")
GREEDY = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy())

collects = pytest.mark.skipif(sys.implementation.name == "graalpy", reason="GraalPy collects when it likes")

HEEDS_SIGINT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
PRELUDE = f"""
import asyncio, os, sys
from uzu import *
MODEL = {MODEL!r}
GREEDY = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy())
ASK = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]

async def start(engine):
    session = await engine.chat(await engine.model(MODEL), ChatConfig.create())
    return await session.reply_with_stream(ASK, GREEDY.with_token_limit(4000))
"""


class Loaded:
    """A loaded model, and new conversations on it."""

    def __init__(self, engine: Engine, model: Model, instance: ChatInstance) -> None:
        self.engine = engine
        self.model = model
        self.instance = instance

    async def session(self) -> ChatSession:
        return await self.engine.chat_with_instance(self.instance)


@pytest.fixture(scope="session")
def loaded() -> Iterator[Loaded]:
    async def load() -> Loaded:
        engine = await Engine.create(EngineConfig.create())
        model = await engine.model(MODEL)
        assert model is not None
        async for _ in (await engine.download(model)).iterator():
            pass
        return Loaded(engine, model, await engine.chat_instance(model, ChatConfig.create()))

    made = asyncio.run(load())
    yield made
    asyncio.run(made.engine.close())


@pytest.fixture
def program(loaded: Loaded) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script after PRELUDE. With `interrupt`, it gets a SIGINT once it has printed a line."""
    if sys.implementation.name == "graalpy":
        pytest.skip("GraalPy in a Java program starts no process of its own kind")

    def run(script: str, interrupt: bool = False) -> subprocess.CompletedProcess[str]:
        process = subprocess.Popen(
            # Where the tests run in the background, SIGINT comes ignored.
            [sys.executable, "-c", HEEDS_SIGINT + PRELUDE + textwrap.dedent(script)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        first = process.stdout.readline() if interrupt else ""
        if interrupt:
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            pytest.fail(f"the program doesn't end: {out}{err}")
        return subprocess.CompletedProcess(process.args, process.returncode, first + out, err)

    return run
