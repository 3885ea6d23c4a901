"""Replies: whole, streamed, cancelled, many at once."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import threading
import time
from pathlib import Path

import pytest

import uzu
from uzu import (
    ChatConfig,
    ChatDrafter,
    ChatMessage,
    ChatReply,
    ChatReplyFinishReason,
    ChatRole,
    ChatSession,
    ChatSessionState,
    ChatSessionStream,
    ChatSessionStreamChunk,
    ChatSpeculationPreset,
    Feature,
)

from .conftest import GREEDY, Loaded, collects

HELLO = [ChatMessage.user().with_text("Say hello to Ada.")]
# Taking the likeliest token each time, the model goes round in circles here.
ENDLESS = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]


async def idle(session: ChatSession) -> None:
    for _ in range(300):
        if await session.state() is ChatSessionState.Idle:
            return
        await asyncio.sleep(0.1)
    pytest.fail("the session doesn't become idle")


def test_a_reply_is_a_message_with_figures(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        replies = await session.reply(HELLO, GREEDY.with_token_limit(8))
        assert len(replies) == 1
        reply = replies[0]
        assert reply.message.role == ChatRole.Assistant() and reply.message.text
        assert reply.finish_reason in (ChatReplyFinishReason.Length, ChatReplyFinishReason.Stop)
        assert reply.stats.tokens_count_output is not None and 1 <= reply.stats.tokens_count_output <= 8
        assert reply.stats.tokens_count_input is not None and reply.stats.tokens_count_input > 0
        assert reply.stats.duration > 0
        history = await session.messages()
        assert history == [*HELLO, reply.message]
        assert await session.state() is ChatSessionState.Idle
        await session.reset()
        assert await session.messages() == []

    asyncio.run(run())


def test_speculation_leaves_the_text_and_says_what_it_brought(loaded: Loaded) -> None:
    async def run() -> None:
        texts = []
        for preset in (
            ChatSpeculationPreset.Off(),
            ChatSpeculationPreset.Auto(),
            ChatSpeculationPreset.Summarization(),
            ChatSpeculationPreset.Classification(feature=Feature("greeting", ["Hello", "Goodbye"])),
            ChatSpeculationPreset.Custom([ChatDrafter.Lookup()], max_nodes=4),
            ChatSpeculationPreset.Custom([ChatDrafter.Recall()]),
        ):
            config = ChatConfig.create().with_speculation_preset(preset)
            session = await loaded.engine.chat(loaded.model, config)
            reply = (await session.reply(ENDLESS, GREEDY.with_token_limit(40)))[0]
            texts.append(reply.message.text)
            stats = reply.stats.speculator_stats
            if isinstance(preset, ChatSpeculationPreset.Off):
                assert stats is None
                continue
            assert stats is not None and sum(stats.passes_by_accepted) == stats.num_decode_forward_passes > 0
            assert stats.tokens_per_forward_pass >= 1
            assert stats.num_tokens_accepted <= stats.num_tokens_drafted
            assert stats.verifying_seconds > 0
        assert len(set(texts)) == 1

    asyncio.run(run())


def test_an_impossible_preset_is_refused_by_name(loaded: Loaded) -> None:
    async def run() -> None:
        for preset, field in (
            (ChatSpeculationPreset.Custom([]), "drafters"),
            (ChatSpeculationPreset.Custom([ChatDrafter.Lookup()], max_nodes=100), "max_nodes"),
            (ChatSpeculationPreset.Classification(Feature("x", [])), "values"),
        ):
            with pytest.raises(uzu.InvalidArgument) as caught:
                await loaded.engine.chat(loaded.model, ChatConfig.create().with_speculation_preset(preset))
            assert caught.value.details["field"] == field

    asyncio.run(run())


def test_each_chunk_has_the_whole_message_so_far(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        stream = await session.reply_with_stream(HELLO, GREEDY.with_token_limit(8))
        seen: list[ChatReply] = []
        async for chunk in stream.iterator():
            assert isinstance(chunk, ChatSessionStreamChunk.Replies)
            seen.append(chunk.replies[0])
        texts = [reply.message.text or "" for reply in seen]
        assert all(later.startswith(earlier) for earlier, later in zip(texts, texts[1:], strict=False))
        assert [reply.finish_reason for reply in seen[:-1]] == [None] * (len(seen) - 1)
        assert seen[-1].finish_reason is not None
        assert await stream.next() is None
        assert (await session.messages())[-1] == seen[-1].message
        again = await (await loaded.session()).reply(HELLO, GREEDY.with_token_limit(8))
        assert again[0].message == seen[-1].message

    asyncio.run(run())


def test_the_cancel_token_ends_a_reply(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
        assert not stream.cancel_token.is_cancelled
        assert await stream.next() is not None
        threading.Thread(target=stream.cancel_token.cancel).start()
        last = None
        async for chunk in stream:
            last = chunk
        assert stream.cancel_token.is_cancelled
        assert isinstance(last, ChatSessionStreamChunk.Replies)
        assert last.replies[0].finish_reason is ChatReplyFinishReason.Cancelled
        assert await session.state() is ChatSessionState.Idle
        stream.cancel_token.cancel()

    asyncio.run(run())


def test_cancelling_the_task_cancels_the_reply(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        task = asyncio.create_task(session.reply(ENDLESS, GREEDY.with_token_limit(4000)))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await idle(session)
        assert (await session.reply(HELLO, GREEDY.with_token_limit(2)))[0].message.text

    asyncio.run(run())


def test_a_timeout_ends_the_wait_and_the_reply(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(session.reply(ENDLESS, GREEDY.with_token_limit(4000)), 0.3)
        await idle(session)

    asyncio.run(run())


def test_a_second_reply_meanwhile_is_an_error(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        async with await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000)) as stream:
            assert await stream.next() is not None
            with pytest.raises(uzu.InvalidState):
                await session.reply(HELLO, GREEDY)
        await idle(session)

    asyncio.run(run())


def test_an_empty_conversation_is_an_error(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        with pytest.raises(uzu.InvalidArgument):
            await session.reply([], GREEDY)

    asyncio.run(run())


@collects
def test_a_dropped_stream_stops_its_reply(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        stream: ChatSessionStream | None = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
        assert stream is not None and await stream.next() is not None
        stream = None
        gc.collect()
        await idle(session)

    asyncio.run(run())


def test_a_stream_that_is_closed_says_so_to_its_reader(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
        assert await stream.next() is not None

        async def read() -> list[ChatSessionStreamChunk]:
            return [chunk async for chunk in stream]

        reading = asyncio.create_task(read())
        await asyncio.sleep(0)
        await stream.close()
        chunks = await asyncio.wait_for(reading, 60)
        assert isinstance(chunks[-1], ChatSessionStreamChunk.Error) and isinstance(chunks[-1].error, uzu.Closed)
        assert await stream.next() is None
        await idle(session)

    asyncio.run(run())


def test_eight_replies_run_at_once_and_leave_the_loop_free(loaded: Loaded) -> None:
    async def run() -> None:
        gaps: list[float] = []

        async def tick() -> None:
            while True:
                before = time.monotonic()
                await asyncio.sleep(0.01)
                gaps.append(time.monotonic() - before)

        ticking = asyncio.create_task(tick())
        sessions = [await loaded.session() for _ in range(8)]
        replies = await asyncio.gather(*(session.reply(HELLO, GREEDY.with_token_limit(12)) for session in sessions))
        ticking.cancel()
        assert len({reply[0].message.text for reply in replies}) == 1
        assert gaps and sorted(gaps)[len(gaps) // 2] < 0.2

    asyncio.run(run())


def test_one_engine_serves_several_event_loops_and_threads(loaded: Loaded) -> None:
    texts: list[str | None] = []

    def converse() -> None:
        async def run() -> str | None:
            return (await (await loaded.session()).reply(HELLO, GREEDY.with_token_limit(4)))[0].message.text

        texts.append(asyncio.run(run()))

    threads = [threading.Thread(target=converse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 4 and len(set(texts)) == 1


def test_a_session_that_is_closed_says_so(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        stream = await session.reply_with_stream(ENDLESS, GREEDY.with_token_limit(4000))
        await session.close()
        chunks = [chunk async for chunk in stream]
        assert isinstance(chunks[-1], ChatSessionStreamChunk.Error) and isinstance(chunks[-1].error, uzu.Closed)
        with pytest.raises(uzu.Closed):
            await session.messages()

    asyncio.run(run())


@pytest.mark.parametrize("input", ["hello", HELLO[0], None, [{"role": "user", "content": "hello"}], ["hello"]])
def test_an_input_that_is_no_list_of_messages_is_refused(loaded: Loaded, input: object) -> None:
    async def run() -> None:
        async with await loaded.session() as session:
            with pytest.raises(uzu.InvalidArgument):
                await session.reply(input, GREEDY)  # type: ignore[arg-type]

    asyncio.run(run())


@pytest.mark.parametrize("text", [b"hello", 5, None, "\ud800"])
def test_a_text_that_is_none_is_refused(loaded: Loaded, text: object) -> None:
    async def run() -> None:
        async with await loaded.session() as session:
            with pytest.raises(uzu.InvalidArgument):
                await session.reply([ChatMessage.user().with_text(text)], GREEDY)  # type: ignore[arg-type]
        with pytest.raises(uzu.InvalidArgument):
            await loaded.engine.count_tokens(loaded.model, text)  # type: ignore[arg-type]

    asyncio.run(run())


def test_messages_can_be_replaced(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        await session.set_messages(HELLO)
        assert await session.messages() == HELLO
        assert (await session.reply([], GREEDY.with_token_limit(2)))[0].message.text
        with pytest.raises(uzu.InvalidArgument):
            await session.set_messages("hello")  # type: ignore[arg-type]

    asyncio.run(run())


def test_a_fork_goes_its_own_way(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        await session.reply(HELLO, GREEDY.with_token_limit(4))
        before = await session.messages()
        async with await session.fork() as fork:
            assert await fork.messages() == before
            first = (await fork.reply(HELLO, GREEDY.with_token_limit(4)))[0]
            assert await session.messages() == before
        again = (await session.reply(HELLO, GREEDY.with_token_limit(4)))[0]
        assert again.message == first.message

    asyncio.run(run())


def test_a_conversation_is_saved_and_goes_on_elsewhere(loaded: Loaded) -> None:
    async def run(folder: Path) -> None:
        session = await loaded.session()
        await session.reply(HELLO, GREEDY.with_token_limit(4))
        file = folder / "a conversation"
        await session.save(file)
        other = await loaded.session()
        await other.restore(str(file))
        assert await other.messages() == await session.messages()
        file.write_text("damaged")
        with pytest.raises(uzu.InvalidArgument) as caught:
            await other.restore(file)
        assert caught.value.details["path"] == str(file)
        assert await other.messages() == await session.messages()

    # Not tmp_path, for which pytest waits without end on GraalPy.
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
