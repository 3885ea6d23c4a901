"""The threads that wait, so that event loops don't: a pool for calls, and for each engine one that reads its streams.

They are daemons: an interpreter that ends doesn't wait for a model that is loading. What is still open then is closed
at exit, for at most a few seconds.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from ._errors import InvalidState, UzuError, error_of
from ._tool_calls import ToolCalls
from ._transport import Transport, open_transport
from ._waiting import Waiter, waiter

T = TypeVar("T")

_SECONDS_AT_EXIT = 5.0
_FORKED = (
    "uzu was started in the parent process and can't be used in a forked child. Start the child with subprocess, or "
    'multiprocessing\'s "spawn" method.'
)


class Runtime:
    """What one process has once."""

    def __init__(self) -> None:
        self.transport: Transport = open_transport()
        self._process = os.getpid()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._closing: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._owned: weakref.WeakSet[Owned] = weakref.WeakSet()
        threading.Thread(target=self._close, name="uzu-close", daemon=True).start()
        atexit.register(self._close_all)

    @property
    def forked(self) -> bool:
        return os.getpid() != self._process

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Runs a call that may wait on a thread of the pool. What it makes for a cancelled task is collected."""
        if self.forked:
            raise InvalidState(_FORKED)
        waiting = waiter()

        def run() -> None:
            try:
                result = function(*arguments)
            except BaseException as failure:
                waiting.settle(None, failure)
            else:
                waiting.settle(result, None)

        self._submit(run)
        made: T = await waiting.wait()
        return made

    def _submit(self, task: Callable[[], None]) -> None:
        with self._lock:
            reserved = self._idle > 0
            if reserved:
                self._idle -= 1
        self._work.put(task)
        if not reserved:
            threading.Thread(target=self._serve, name="uzu-call", daemon=True).start()

    def _serve(self) -> None:
        while True:
            task = self._work.get()
            task()
            del task
            with self._lock:
                self._idle += 1

    def close_later(self, task: Callable[[], None]) -> None:
        """For finalizers, which run anywhere: starts no thread, takes no lock and waits for nothing."""
        if not self.forked:
            self._closing.put(task)

    def _close(self) -> None:
        while True:
            self._closing.get()()

    def own(self, owned: Owned) -> None:
        self._owned.add(owned)

    def _close_all(self) -> None:
        if self.forked:
            return
        closed = threading.Event()

        def close() -> None:
            for owned in list(self._owned):
                owned.close_now()
            closed.set()

        self._closing.put(close)
        closed.wait(_SECONDS_AT_EXIT)


class Owned:
    """A handle that is closed with its object: by hand, or when the object is collected."""

    def __init__(self, runtime: Runtime, handle: int, forget: Callable[[], object] | None = None) -> None:
        self.runtime = runtime
        self.handle = handle
        self._forget = forget
        self._finalizer = weakref.finalize(self, _collected, runtime, handle, forget)
        self._finalizer.atexit = False
        runtime.own(self)

    async def close(self) -> None:
        """Waits until nothing of it runs any more. Nothing happens the second time."""
        if self._finalizer.detach():
            await self.runtime.call(_close, self.runtime, self.handle, self._forget)

    def close_now(self) -> None:
        """As `close`, for callers without an event loop."""
        if self._finalizer.detach() and not self.runtime.forked:
            _close(self.runtime, self.handle, self._forget)


def _close(runtime: Runtime, handle: int, forget: Callable[[], object] | None) -> None:
    if forget is not None:
        forget()
    runtime.transport.run("handle_close", handle)


def _collected(runtime: Runtime, handle: int, forget: Callable[[], object] | None) -> None:
    # Closing waits for the engine to let go, so a thread of ours does it.
    runtime.close_later(lambda: _close(runtime, handle, forget))


class Inbox:
    """Where a stream's entries arrive, for one task that waits. Calls of tools start as they arrive, read or not."""

    def __init__(self, tool_calls: ToolCalls | None = None) -> None:
        self.tool_calls = tool_calls
        self._lock = threading.Lock()
        self._entries: deque[dict[str, Any]] = deque()
        self._waiting: Waiter | None = None
        self._ended = False

    def put(self, entry: dict[str, Any]) -> None:
        with self._lock:
            self._entries.append(entry)
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.settle(None, None)

    def close(self, reason: str) -> None:
        """Whoever still waits gets Closed."""
        self.put({"error": {"code": "closed", "message": reason, "details": {}}})
        self.put({"end": True})

    async def get(self) -> Any:
        """The next chunk; None after the last. Raises the error that ended the stream."""
        while True:
            with self._lock:
                if self._ended:
                    return None
                if self._entries:
                    entry = self._entries.popleft()
                    break
                if self._waiting is not None and not self._waiting.is_done:
                    raise InvalidState("Another task reads this stream")
                waiting = self._waiting = waiter()
            await waiting.wait()
        if "chunk" in entry:
            return entry["chunk"]
        if "error" in entry:
            raise error_of(entry["error"])
        self._ended = True
        return None


class StreamReader(Owned):
    """The thread that reads all streams of an engine, through one queue."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime, runtime.transport.number("queue_create", 0))
        self._inboxes: dict[int, Inbox] = {}
        threading.Thread(
            target=_read, args=(runtime.transport, self.handle, self._inboxes), name="uzu-streams", daemon=True
        ).start()

    def read(self, stream: int, tool_calls: ToolCalls | None = None) -> Inbox:
        """Where the stream's chunks will be; call it once a stream."""
        inbox = self._inboxes[stream] = Inbox(tool_calls)
        self.runtime.transport.queue_add(self.handle, stream)
        return inbox

    def forget(self, stream: int) -> Callable[[], object]:
        """What a stream does when it is closed before its end."""
        inboxes = self._inboxes

        def forget() -> None:
            inbox = inboxes.pop(stream, None)
            if inbox is not None:
                if inbox.tool_calls is not None:
                    inbox.tool_calls.cancel()
                inbox.close("The stream was closed")

        return forget


def _read(transport: Transport, queue_handle: int, inboxes: dict[int, Inbox]) -> None:
    # Holds no reference to the reader, which ends this thread by closing the queue when it is collected.
    while True:
        try:
            ready = transport.queue_next(queue_handle, -1)
        except UzuError:
            ready = None  # the queue was closed before this thread came to wait
        if ready is None:
            for inbox in list(inboxes.values()):
                inbox.close("The engine was closed")
            return
        for entry in json.loads(ready) if ready else []:
            ended = "end" in entry
            inbox_of = inboxes.pop(entry["stream"], None) if ended else inboxes.get(entry["stream"])
            if inbox_of is not None:
                _deliver(entry, inbox_of)


def _deliver(entry: dict[str, Any], inbox: Inbox) -> None:
    calls = entry.get("chunk", {}).get("call_tools")
    if inbox.tool_calls is None:
        inbox.put(entry)
    elif calls is not None:
        inbox.tool_calls.start(entry["stream"], calls)
    else:
        if "end" in entry:
            inbox.tool_calls.cancel()  # what outlives its reply
        inbox.put(entry)


_runtime: Runtime | None = None
_starting = threading.Lock()


def runtime() -> Runtime:
    """The process's runtime, made when first needed."""
    global _runtime
    if _runtime is not None:
        if _runtime.forked:
            raise InvalidState(_FORKED)
        return _runtime
    with _starting:
        if _runtime is None:
            try:
                _runtime = Runtime()
            except UzuError:
                raise
            except RuntimeError as failure:
                # Subinterpreters may start no daemons, and would wait for any other thread of ours at their end.
                raise InvalidState(f"uzu runs in the main interpreter alone: {failure}") from failure
        return _runtime
