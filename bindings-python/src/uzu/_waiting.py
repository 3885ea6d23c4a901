"""How this package waits: on an event loop, or with `uzu.sync` on the thread itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

_thread = threading.local()


class Waiter(Protocol):
    """Something that one waits for once. Any thread may settle it."""

    def settle(self, result: Any, failure: BaseException | None) -> None: ...

    async def wait(self) -> Any: ...

    @property
    def is_done(self) -> bool:
        """Whether nobody waits: it was settled, or given up."""
        ...


def waiter() -> Waiter:
    """A waiter for the event loop that runs here or, below `blocking`, for this thread."""
    return _ThreadWaiter() if is_blocking() else _LoopWaiter()


def is_blocking() -> bool:
    """Whether this thread runs `blocking`."""
    return getattr(_thread, "blocking", False)


def blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine of this package to its end; where it would let others run, the thread waits.

    There may be a running event loop on the thread, as in a notebook, which then waits as well.
    """
    outer = is_blocking()
    _thread.blocking = True
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        _thread.blocking = outer
        coroutine.close()
    raise AssertionError("a coroutine waits for something else than a Waiter")


def post(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *arguments: Any) -> None:
    """Calls the function on the loop, unless that was closed: then nobody waits any more."""
    try:
        loop.call_soon_threadsafe(function, *arguments)
    except RuntimeError:
        pass


class _LoopWaiter:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Any] = self._loop.create_future()

    def settle(self, result: Any, failure: BaseException | None) -> None:
        post(self._loop, _settle, self._future, result, failure)

    async def wait(self) -> Any:
        return await self._future

    @property
    def is_done(self) -> bool:
        return self._future.done()


def _settle(future: asyncio.Future[Any], result: Any, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)


class _ThreadWaiter:
    def __init__(self) -> None:
        self._settled = threading.Event()
        self._result: Any = None
        self._failure: BaseException | None = None
        self.is_done = False

    def settle(self, result: Any, failure: BaseException | None) -> None:
        self._result, self._failure = result, failure
        self._settled.set()

    async def wait(self) -> Any:
        try:
            self._settled.wait()
        finally:
            self.is_done = True
        if self._failure is not None:
            raise self._failure
        return self._result


_loop_of_tools: asyncio.AbstractEventLoop | None = None
_starting = threading.Lock()


def loop_of_tools() -> asyncio.AbstractEventLoop:
    """The event loop that tools run on: the one that runs here or, below `blocking`, one on a thread of its own."""
    global _loop_of_tools
    if not is_blocking():
        return asyncio.get_running_loop()
    with _starting:
        if _loop_of_tools is None:
            _loop_of_tools = asyncio.new_event_loop()
            threading.Thread(target=_loop_of_tools.run_forever, name="uzu-tools", daemon=True).start()
        return _loop_of_tools
