"""Calls of a reply's tools, run on the event loop that the reply was asked for on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from ._arguments import json_text
from ._errors import UzuError
from ._waiting import loop_of_tools, post

if TYPE_CHECKING:
    from ._runtime import Runtime
    from ._tools import UzuToolFunction


class ToolCalls:
    """Runs what one reply calls, and answers the engine. Where the reply is asked for, loop and context are taken."""

    def __init__(self, runtime: Runtime, tools: Mapping[str, UzuToolFunction[..., Any]]) -> None:
        self._runtime = runtime
        self._tools = dict(tools)
        self._loop = loop_of_tools() if tools else None
        self._context = copy_context()
        self._tasks: set[asyncio.Task[None]] = set()
        self._cancelled = False

    def start(self, stream: int, calls: list[dict[str, str]]) -> None:
        """Starts the calls and returns; on any thread."""
        for call in calls:
            try:
                assert self._loop is not None, "only tools are called"
                self._loop.call_soon_threadsafe(self._begin, stream, call, context=self._context)
            except RuntimeError:
                self._answer(stream, call, {"error": "The event loop that asked for the reply was closed"})

    def cancel(self) -> None:
        """Cancels what still runs; on any thread."""
        self._cancelled = True
        if self._loop is not None:
            post(self._loop, self._cancel_tasks)  # where the loop was closed, its tasks were, too

    def _cancel_tasks(self) -> None:
        for task in list(self._tasks):
            task.cancel()

    def _begin(self, stream: int, call: dict[str, str]) -> None:
        if self._cancelled:
            return
        task = asyncio.get_running_loop().create_task(self._run(stream, call), name=f"uzu tool {call['name']}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, stream: int, call: dict[str, str]) -> None:
        try:
            tool = self._tools[call["name"]]
            value = await tool._answer(json.loads(call["arguments"]), self._runtime, self._context)
            answer = {"value": value}
            json_text(answer)
        except asyncio.CancelledError:
            self._answer(stream, call, {"error": "The call was cancelled"})
            raise
        except UzuError as error:
            answer = {"error": str(error)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        self._answer(stream, call, answer)

    def _answer(self, stream: int, call: dict[str, str], answer: dict[str, Any]) -> None:
        try:
            results = json_text([{"identifier": call["identifier"], **answer}])
            self._runtime.transport.run("stream_tool_results", stream, results)
        except UzuError:
            pass  # the stream was closed meanwhile
