"""A model is found, fetched, loaded, and asked once."""

import asyncio

from uzu import ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig


async def main() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model("huggingface:smollm2:135m:gguf:q4_1:4")
    if model is None:
        raise RuntimeError("Model not found")

    async for update in (await engine.download(model)).iterator():
        print(f"\rDownload progress: {update.progress:.0%}", end="", flush=True)
    print()

    session = await engine.chat(model, ChatConfig.create())
    messages = [
        ChatMessage.system().with_text("You are a helpful assistant"),
        ChatMessage.user().with_text("Tell me a short story about a tiny robot"),
    ]
    replies = await session.reply(messages, ChatReplyConfig.create().with_token_limit(256))
    if replies:
        print(replies[-1].message.text)


if __name__ == "__main__":
    asyncio.run(main())
