"""Tests of programs that use uzu, under what runs coroutines for pytest."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Loaded

CHAT = """
import asyncio
import pytest
{head}
from uzu import ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig, SamplingMethod

ASK = [ChatMessage.user().with_text("Hi")]
STORY = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]

{fixture}
async def session():
    async with await Engine.create(EngineConfig.create()) as engine:
        async with await engine.chat(await engine.model({model!r}), ChatConfig.create()) as session:
            yield session

{mark}
async def test_reply(session):
    assert len(await session.reply(ASK, ChatReplyConfig(token_limit=2))) == 1

{mark}
async def test_stream_that_times_out(session):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            # Drawn greedily it has hundreds of tokens; another draw may end at once.
            config = ChatReplyConfig(token_limit=4000).with_sampling_method(SamplingMethod.Greedy())
            async for chunk in await session.reply_with_stream(STORY, config):
                pass
    assert len(await session.reply(ASK, ChatReplyConfig(token_limit=2))) == 1
"""
RUNNERS = {
    "pytest_asyncio": {
        "head": "import pytest_asyncio",
        "fixture": "@pytest_asyncio.fixture",
        "mark": "@pytest.mark.asyncio",
        "disabled": "anyio",
    },
    "anyio": {
        "head": "import anyio\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'",
        "fixture": "@pytest.fixture",
        "mark": "@pytest.mark.anyio",
        "disabled": "asyncio",
    },
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="asyncio.timeout is new in Python 3.11")
@pytest.mark.parametrize("runner", RUNNERS)
def test_coroutines_run_under(loaded: Loaded, tmp_path: Path, runner: str) -> None:
    if importlib.util.find_spec(runner) is None:
        pytest.skip(f"{runner} isn't installed: tools/tools test python --full does")
    (tmp_path / "test_chat.py").write_text(CHAT.format(model=loaded.model.identifier, **RUNNERS[runner]))
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    plugins = ["-p", f"no:{RUNNERS[runner]['disabled']}", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-m", "pytest", "-q", *plugins, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr
