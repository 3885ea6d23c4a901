"""Jupyter itself: a notebook that is run as it is, and a kernel that is interrupted, restarted and shut down."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import MODEL, Loaded

nbclient = pytest.importorskip("nbclient", reason="nbclient isn't installed: tools/tools test python --full does")
pytest.importorskip("ipykernel", reason="ipykernel isn't installed: tools/tools test python --full does")

import nbformat  # noqa: E402
from jupyter_client.blocking import BlockingKernelClient  # noqa: E402
from jupyter_client.manager import KernelManager  # noqa: E402

START = f"""
from uzu import *
engine = await Engine.create(EngineConfig.create())
model = await engine.model({MODEL!r})
session = await engine.chat(model)
ask = [ChatMessage.user().with_text("Tell me a short story about a tiny robot")]
greedy = ChatReplyConfig.create().with_sampling_method(SamplingMethod.Greedy())
"""
STREAM = """
print("started", flush=True)
async for chunk in await session.reply_with_stream(ask, greedy.with_token_limit(4000)):
    pass
"""
CELLS = [
    START + "model",
    "(await session.reply(ask, greedy.with_token_limit(8)))[0].stats",
    # What a bar of tqdm is to `show`, as text.
    "class Bar:\n"
    "    n = 0\n"
    "    def reset(self, total=None): self.n = 0\n"
    "    def update(self, n=1): self.n += n\n"
    "    def refresh(self): print(f'{self.n} bytes')\n"
    "await (await engine.download(model)).show(Bar())",
    "import asyncio, time\n"
    "ticks = 0\n"
    "async def tick():\n"
    "    global ticks\n"
    "    while True:\n"
    "        await asyncio.sleep(0.01)\n"
    "        ticks += 1\n"
    "ticking = asyncio.create_task(tick())\n"
    "await session.reply(ask, greedy.with_token_limit(64))\n"
    "ticking.cancel()\n"
    "print('the loop ran on' if ticks > 3 else ticks)",
    "from uzu import sync\n"
    f"with sync.Engine.create() as blocking, blocking.chat(blocking.model({MODEL!r})) as chat:\n"
    "    print(len(chat.reply(ask, greedy.with_token_limit(4))), 'reply')",
    "@uzu_tool_function\n"
    "def look_up(word: str) -> str:\n"
    "    '''Look a word up.'''\n"
    "    return 'found'\n"
    "session = await engine.chat(model)\n"
    "await session.add_tool(look_up)\n"
    "config = greedy.with_token_limit(120).with_tool_choice(ToolChoice.Required())\n"
    "results = [chunk async for chunk in await session.reply_with_stream("
    "[ChatMessage.user().with_text('Look up: uzu')], config)"
    " if isinstance(chunk, ChatSessionStreamChunk.ToolResults)]\n"
    "results[0].results[0].value",
    "await engine.close()",
]


def outputs(cell: Any) -> str:
    """What a cell shows: its HTML where there is some, else its text."""
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        shown.append(data.get("text/html") or data.get("text/plain") or output.get("text", ""))
    return "".join(shown)


def test_a_notebook_runs(loaded: Loaded, tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    model, stats, progress, ticks, blocking, tool, closed = map(outputs, notebook.cells)
    assert model.startswith("<table>") and MODEL in model
    assert stats.startswith("<table>") and "8 tokens" in stats
    assert progress.endswith(" bytes\n")
    assert (ticks, blocking, tool, closed) == ("the loop ran on\n", "1 reply\n", "'found'", "")


class Kernel:
    """A kernel, and what its cells print."""

    def __init__(self) -> None:
        self.manager = KernelManager()
        self.manager.start_kernel(env=dict(os.environ), cwd=os.getcwd())
        self.client = self._connected()

    def _connected(self) -> BlockingKernelClient:
        client: BlockingKernelClient = self.manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        return client

    def start(self, source: str) -> str:
        return self.client.execute(source)

    def wait_for(self, text: str) -> None:
        while self.message(timeout=60)["content"].get("text", "").find(text) < 0:
            pass

    def message(self, timeout: float) -> Any:
        return self.client.get_iopub_msg(timeout=timeout)

    def run(self, source: str) -> str:
        """The printed text, or the name of the error."""
        return self.finish(self.start(source))

    def finish(self, started: str) -> str:
        printed = ""
        while True:
            message = self.message(timeout=60)
            if message["parent_header"].get("msg_id") != started:
                continue
            content = message["content"]
            if message["msg_type"] == "stream":
                printed += content["text"]
            elif message["msg_type"] == "error":
                printed += content["ename"]
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return printed

    def restart(self) -> None:
        self.client.stop_channels()
        self.manager.restart_kernel(now=False)
        self.client = self._connected()


@pytest.fixture
def kernel(loaded: Loaded) -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    kernel.client.stop_channels()
    if kernel.manager.is_alive():
        kernel.manager.shutdown_kernel(now=True)


def test_a_cell_is_interrupted_and_its_session_used_on(kernel: Kernel) -> None:
    assert kernel.run(START) == ""
    reply = "print('started', flush=True)\nawait session.reply(ask, greedy.with_token_limit(4000))"
    # In a conversation of its own: after a reply cut somewhere the next one may be short.
    for source in (STREAM, "session = await engine.chat(model)\n" + reply):
        running = kernel.start(source)
        kernel.wait_for("started")
        time.sleep(0.3)
        begin = time.monotonic()
        kernel.manager.interrupt_kernel()
        assert kernel.finish(running) in ("KeyboardInterrupt", "CancelledError")  # by ipykernel's version
        assert time.monotonic() - begin < 5
        assert kernel.run("print(len(await session.reply(ask, greedy.with_token_limit(2))))") == "1\n"


def test_a_blocking_cell_is_interrupted_and_its_session_used_on(kernel: Kernel) -> None:
    assert kernel.run("from uzu.sync import *\n" + START.replace("from uzu import *", "").replace("await ", "")) == ""
    running = kernel.start("print('started', flush=True)\nsession.reply(ask, greedy.with_token_limit(4000))")
    kernel.wait_for("started")
    time.sleep(0.3)
    begin = time.monotonic()
    kernel.manager.interrupt_kernel()
    assert kernel.finish(running) == "KeyboardInterrupt"
    assert time.monotonic() - begin < 5
    assert kernel.run("print(len(session.reply(ask, greedy.with_token_limit(2))))") == "1\n"


def test_a_kernel_restarts_and_shuts_down_by_itself(kernel: Kernel) -> None:
    kernel.run(START)
    kernel.start(STREAM)
    kernel.wait_for("started")
    kernel.restart()
    assert kernel.run("engine") == "NameError"
    assert kernel.run(START + "print(len(await session.reply(ask, greedy.with_token_limit(2))))") == "1\n"
    # It is asked to end, and killed only after five seconds.
    begin = time.monotonic()
    kernel.manager.shutdown_kernel(now=False)
    assert time.monotonic() - begin < kernel.manager.shutdown_wait_time
