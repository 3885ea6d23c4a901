"""What Python's threads have to do for each chunk of a stream that is read as it comes: overhead.py TOKENS MODEL."""

import asyncio
import json
import sys
import threading
import time
from pathlib import Path

from uzu import ChatConfig, ChatMessage, ChatReplyConfig, ChatSpeculationPreset, Engine, EngineConfig, SamplingMethod

ENDLESS = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]
GREEDY = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy())


def busy() -> float:
    """Seconds that threads which Python knows were running, as Linux counts them."""
    threads = [thread.native_id for thread in threading.enumerate()]
    return sum(int(Path(f"/proc/self/task/{each}/schedstat").read_text().split()[0]) for each in threads) / 1e9


async def main(tokens: int) -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model(sys.argv[2])
    assert model is not None
    config = ChatConfig.create().with_speculation_preset(ChatSpeculationPreset.Off())
    instance = await engine.chat_instance(model, config)
    await (await engine.chat_with_instance(instance)).reply(ENDLESS, GREEDY.with_token_limit(50))
    session = await engine.chat_with_instance(instance)
    stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(tokens))
    await stream.next()
    before, start, chunks = busy(), time.perf_counter(), 0
    async for chunk in stream:
        chunks += 1
    active = busy() - before
    seconds = time.perf_counter() - start
    print(json.dumps({"chunks": chunks, "seconds": seconds, "microsecondsPerChunk": 1e6 * active / chunks}))
    await engine.close()


asyncio.run(main(int(sys.argv[1])))
