"""Replies that call tools."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from dataclasses import dataclass
from typing import Any

import pytest

import uzu
from uzu import (
    ChatContentBlock,
    ChatMessage,
    ChatReplyFinishReason,
    ChatRole,
    ChatSession,
    ChatSessionState,
    ChatSessionStreamChunk,
    ToolChoice,
    ToolDeclaration,
    uzu_tool_function,
)

from .conftest import GREEDY, Loaded

ASK = [ChatMessage.user().with_text("What temperature is it?")]
CALL = GREEDY.with_tool_choice(ToolChoice.Required()).with_parallel_tool_calls(False).with_token_limit(200)


async def with_tools(loaded: Loaded, *tools: uzu.UzuToolFunction[..., Any]) -> ChatSession:
    session = await loaded.session()
    await session.add_tools(tools)
    return session


async def chunks_of(session: ChatSession) -> list[ChatSessionStreamChunk]:
    stream = await session.reply_with_stream(ASK, CALL)
    return [chunk async for chunk in stream]


def results_of(chunks: list[ChatSessionStreamChunk]) -> list[ChatContentBlock.ToolCallResult]:
    assert not any(isinstance(chunk, ChatSessionStreamChunk.Error) for chunk in chunks), chunks[-1]
    return [
        result for chunk in chunks if isinstance(chunk, ChatSessionStreamChunk.ToolResults) for result in chunk.results
    ]


def test_a_reply_calls_a_tool_and_goes_on_with_its_result(loaded: Loaded) -> None:
    mood = contextvars.ContextVar[str]("mood")
    seen: list[object] = []
    sessions: list[ChatSession] = []

    @uzu_tool_function
    async def get_temperature() -> dict[str, float]:
        """The temperature where the user is."""
        seen.extend([mood.get(), asyncio.get_running_loop(), threading.get_ident()])
        assert await sessions[0].state() is ChatSessionState.ToolCalling
        return {"celsius": 25.0}

    async def run() -> None:
        mood.set("good")
        sessions.append(session := await with_tools(loaded, get_temperature))
        assert await session.supports_tool_calls()
        chunks = await chunks_of(session)
        assert seen[:3] == ["good", asyncio.get_running_loop(), threading.get_ident()]
        results = results_of(chunks)
        assert (results[0].name, results[0].value) == ("get_temperature", {"celsius": 25.0})
        turns = [
            reply
            for chunk in chunks
            if isinstance(chunk, ChatSessionStreamChunk.Replies)
            for reply in chunk.replies
            if reply.finish_reason is not None
        ]
        assert turns[0].finish_reason is ChatReplyFinishReason.ToolCalls
        assert turns[0].message.tool_calls[0].identifier == results[0].identifier
        history = await session.messages()
        assert history[:3] == [*ASK, turns[0].message, ChatMessage.tool().with_block(results[0])]
        assert history[-1] == turns[-1].message and history[-1].role == ChatRole.Assistant()

    asyncio.run(run())


def test_what_a_tool_raises_is_told_to_the_model(loaded: Loaded) -> None:
    @uzu_tool_function
    def get_temperature() -> float:
        raise LookupError("no thermometer")

    async def run() -> None:
        results = results_of(await chunks_of(await with_tools(loaded, get_temperature)))
        assert results[0].value == {"error": "LookupError: no thermometer"}

    asyncio.run(run())


def test_a_tool_is_chosen_by_name_and_its_arguments_are_typed(loaded: Loaded) -> None:
    @dataclass
    class Place:
        city: str
        floor: int

    places: list[Place] = []

    @uzu_tool_function
    def get_weather(place: Place) -> str:
        """The weather in a place."""
        places.append(place)
        return "rain"

    @uzu_tool_function
    def get_time() -> str:
        return "noon"

    async def run() -> None:
        session = await with_tools(loaded, get_weather, get_time)
        config = GREEDY.with_tool_choice(ToolChoice.Named("get_weather")).with_token_limit(200)
        await session.reply([ChatMessage.user().with_text("Weather in Paris, floor 3?")], config)
        assert places and all(isinstance(place.city, str) and type(place.floor) is int for place in places)

    asyncio.run(run())


def test_cancelling_a_reply_cancels_its_tools(loaded: Loaded) -> None:
    async def run() -> None:
        started, ended = asyncio.Event(), asyncio.Event()

        @uzu_tool_function
        async def wait() -> None:
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        session = await with_tools(loaded, wait)
        stream = await session.reply_with_stream(ASK, CALL)
        reading = asyncio.create_task(stream.replies())
        await asyncio.wait_for(started.wait(), 60)
        await asyncio.to_thread(stream.cancel_token.cancel)
        await asyncio.wait_for(ended.wait(), 10)
        replies = await reading
        assert replies[-1].finish_reason in (ChatReplyFinishReason.Cancelled, ChatReplyFinishReason.ToolCalls)
        assert await session.state() is ChatSessionState.Idle
        assert not any(message.tool_calls for message in await session.messages())

    asyncio.run(run())


def test_a_tool_that_the_caller_runs_itself_ends_the_reply(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        tools = ChatContentBlock.Tools([ToolDeclaration("get_temperature", "The temperature.")])
        reply = (await session.reply([ChatMessage.system().with_block(tools), *ASK], CALL))[0]
        assert reply.finish_reason is ChatReplyFinishReason.ToolCalls
        call = reply.message.tool_calls[0]
        answer = ChatMessage.tool().with_block(ChatContentBlock.ToolCallResult(call.identifier, call.name, 25))
        assert (await session.reply([answer], GREEDY.with_token_limit(8)))[0].message.text

    asyncio.run(run())


def test_what_is_no_tool_is_refused(loaded: Loaded) -> None:
    async def run() -> None:
        session = await loaded.session()
        with pytest.raises(uzu.InvalidArgument, match="must be a UzuToolFunction"):
            await session.add_tool(print)  # type: ignore[arg-type]
        tool = uzu_tool_function(lambda: 5, name="five")
        await session.add_tool(tool)
        with pytest.raises(uzu.InvalidArgument, match="five"):
            await session.add_tool(tool)

    asyncio.run(run())
