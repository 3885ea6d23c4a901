"""A conversation whose replies appear as they are made: with you at a terminal, else with the prompt given."""

import asyncio
import sys

from uzu import (
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatReplyStats,
    ChatSession,
    ChatSessionStreamChunk,
    Engine,
    EngineConfig,
)

PROMPT = "What is the capital of France, and what is it known for?"
CONFIG = ChatReplyConfig.create().with_token_limit(256)


async def answer(session: ChatSession, text: str) -> None:
    stream = await session.reply_with_stream([ChatMessage.user().with_text(text)], CONFIG)
    shown = 0
    async for chunk in stream.iterator():
        match chunk:
            case ChatSessionStreamChunk.Replies(replies):
                text = replies[0].message.text or ""
                print(text[shown:], end="", flush=True)
                shown = len(text)
                if replies[0].finish_reason:
                    report(replies[0].stats)
            case ChatSessionStreamChunk.Error(error):
                raise error


def report(stats: ChatReplyStats) -> None:
    drafts = stats.speculator_stats
    passes = "" if drafts is None else f", {drafts.tokens_per_forward_pass:.1f} a pass"
    print(f"\n[{stats.tokens_count_output} tokens, {stats.generate_tokens_per_second or 0:.0f} a second{passes}]")


async def main() -> None:
    engine = await Engine.create(EngineConfig.create())
    model = await engine.model("huggingface:smollm2:135m:gguf:q4_1:4")
    if model is None:
        raise RuntimeError("Model not found")
    async for update in (await engine.download(model)).iterator():
        print(f"\rDownload progress: {update.progress:.0%}", end="", file=sys.stderr, flush=True)

    session = await engine.chat(model, ChatConfig.create())
    if len(sys.argv) > 1 or not sys.stdin.isatty():
        await answer(session, " ".join(sys.argv[1:]) or PROMPT)
        return
    print('\nAsk something; an empty line or "exit" ends the conversation.')
    while (text := (await asyncio.to_thread(input, "> ")).strip()) not in ("", "exit"):
        await answer(session, text)


if __name__ == "__main__":
    asyncio.run(main())
