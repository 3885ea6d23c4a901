"""Engines and sessions, some with a reply that is cancelled, made and closed; how memory grows after the first quarter.

cycles.py CYCLES
"""

import asyncio
import gc
import json
import sys
from pathlib import Path

from uzu import ChatConfig, ChatInstance, ChatMessage, ChatReplyConfig, Engine, EngineConfig

MODEL = sys.argv[2]
HELLO = [ChatMessage.user().with_text("Say hello to Ada.")]


def resident() -> int:
    """Bytes, as Linux counts them; 0 elsewhere."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


async def cycle(engine: Engine, instance: ChatInstance, replies: bool) -> None:
    async with await Engine.create(EngineConfig.create()) as own:
        await own.model(MODEL)
        async with await engine.chat_with_instance(instance) as session:
            if replies:
                config = ChatReplyConfig.create().with_token_limit(4000)
                async with await session.reply_with_stream(HELLO, config) as stream:
                    await stream.next()


async def main(cycles: int) -> None:
    async with await Engine.create(EngineConfig.create()) as engine:
        model = await engine.model(MODEL)
        assert model is not None
        instance = await engine.chat_instance(model, ChatConfig.create())
        settled = 0
        for i in range(1, cycles + 1):
            await cycle(engine, instance, i % 8 == 0)
            if i == cycles // 4:
                gc.collect()
                settled = resident()
        gc.collect()
        print(json.dumps({"growth": resident() - settled}))


asyncio.run(main(int(sys.argv[1])))
