"""One loaded model, two conversations on it that reply at the same time."""

import asyncio
import time

from uzu import ChatConfig, ChatInstance, ChatMessage, ChatReplyConfig, Engine, EngineConfig

PROMPTS = {
    "story": "Tell me a short story about a tiny robot",
    "capital": "What is the capital of France, and what is it known for?",
}
CONFIG = ChatReplyConfig.create().with_token_limit(128)


async def answer(engine: Engine, instance: ChatInstance, label: str, prompt: str) -> None:
    session = await engine.chat_with_instance(instance)
    replies = await session.reply([ChatMessage.user().with_text(prompt)], CONFIG)
    print(f"[{label}] {replies[-1].message.text}\n")


async def main() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model("huggingface:smollm2:135m:gguf:q4_1:4")
    if model is None:
        raise RuntimeError("Model not found")
    async for update in (await engine.download(model)).iterator():
        print(f"\rDownload progress: {update.progress:.0%}", end="", flush=True)
    print()

    instance = await engine.chat_instance(model, ChatConfig.create())
    start = time.perf_counter()
    await asyncio.gather(*(answer(engine, instance, label, prompt) for label, prompt in PROMPTS.items()))
    memory = await instance.memory_used_bytes() / 1e6
    print(f"{len(PROMPTS)} replies in {time.perf_counter() - start:.1f} s, in {memory:.0f} MB")


if __name__ == "__main__":
    asyncio.run(main())
