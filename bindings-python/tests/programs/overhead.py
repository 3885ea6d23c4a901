"""overhead.py MODEL [sync]: as tools/programs/StreamOverhead.java, with Python's own threads' processor time."""

import asyncio
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSession,
    ChatSessionStreamChunk,
    ChatSpeculationPreset,
    Engine,
    EngineConfig,
    SamplingMethod,
    sync,
)

ENDLESS = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]
GREEDY = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy())
NO_DRAFTS = ChatConfig.create().with_speculation_preset(ChatSpeculationPreset.Off())
TOKENS_BEFORE_CANCEL = 100


def busy() -> float:
    """Seconds that threads which Python knows were running, as Linux counts them."""
    threads = [thread.native_id for thread in threading.enumerate()]
    return sum(int(Path(f"/proc/self/task/{each}/schedstat").read_text().split()[0]) for each in threads) / 1e9


def count(chunk: ChatSessionStreamChunk | None) -> int:
    assert isinstance(chunk, ChatSessionStreamChunk.Replies), chunk
    return chunk.replies[0].stats.tokens_count_output or 0


class Clock:
    """From a stream's first chunk on."""

    def __init__(self, called: float, first: ChatSessionStreamChunk | None) -> None:
        self.first = time.perf_counter() - called
        self.tokens = count(first)
        self.busy = busy()
        self.start = time.perf_counter()

    def figures(self, chunks: int, last: ChatSessionStreamChunk | None) -> dict[str, Any]:
        seconds = time.perf_counter() - self.start
        tokens = count(last) - self.tokens
        return {
            "tokens": tokens,
            "chunks": chunks,
            "firstMilliseconds": 1e3 * self.first,
            "millisecondsPerToken": 1e3 * seconds / tokens,
            "busyMicrosecondsPerToken": 1e6 * (busy() - self.busy) / tokens,
        }


async def read(session: ChatSession, tokens: int) -> dict[str, Any]:
    called = time.perf_counter()
    stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(tokens))
    clock = Clock(called, await stream.next())
    chunks, last = 0, None
    async for chunk in stream:
        chunks, last = chunks + 1, chunk
    return clock.figures(chunks, last)


def read_blocking(session: sync.ChatSession, tokens: int) -> dict[str, Any]:
    called = time.perf_counter()
    stream = session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(tokens))
    clock = Clock(called, stream.next())
    chunks, last = 0, None
    for chunk in stream:
        chunks, last = chunks + 1, chunk
    return clock.figures(chunks, last)


async def cancel(session: ChatSession) -> dict[str, Any]:
    stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
    while count(await stream.next()) < TOKENS_BEFORE_CANCEL:
        pass
    asked = time.perf_counter()
    stream.cancel_token.cancel()
    async for _ in stream:
        pass
    return {"cancelMilliseconds": 1e3 * (time.perf_counter() - asked)}


def cancel_blocking(session: sync.ChatSession) -> dict[str, Any]:
    stream = session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
    while count(stream.next()) < TOKENS_BEFORE_CANCEL:
        pass
    asked = time.perf_counter()
    stream.cancel_token.cancel()
    for _ in stream:
        pass
    return {"cancelMilliseconds": 1e3 * (time.perf_counter() - asked)}


async def main(identifier: str) -> None:
    async with await Engine.create(EngineConfig.create()) as engine:
        model = await engine.model(identifier)
        assert model is not None
        instance = await engine.chat_instance(model, NO_DRAFTS)
        await read(await engine.chat_with_instance(instance), 50)
        for line in map(str.strip, sys.stdin):
            async with await engine.chat_with_instance(instance) as session:
                figures = await (cancel(session) if line == "cancel" else read(session, int(line)))
                print(json.dumps(figures), flush=True)


def main_blocking(identifier: str) -> None:
    with sync.Engine.create(EngineConfig.create()) as engine:
        model = engine.model(identifier)
        assert model is not None
        instance = engine.chat_instance(model, NO_DRAFTS)
        read_blocking(engine.chat_with_instance(instance), 50)
        for line in map(str.strip, sys.stdin):
            with engine.chat_with_instance(instance) as session:
                figures = cancel_blocking(session) if line == "cancel" else read_blocking(session, int(line))
                print(json.dumps(figures), flush=True)


if "sync" in sys.argv[2:]:
    main_blocking(sys.argv[1])
else:
    asyncio.run(main(sys.argv[1]))
