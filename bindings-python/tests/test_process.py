"""What a process goes through: Ctrl-C, exit, fork, faulthandler."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Loaded

Program = Callable[..., "subprocess.CompletedProcess[str]"]

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and fork")

PROGRAMS = Path(__file__).parent / "programs"

STREAM = """
async def main():
    engine = await Engine.create(EngineConfig.create())
    stream = await start(engine)
    await stream.next()
    print("started", flush=True)
    async for chunk in stream:
        pass
"""


@posix
def test_ctrl_c_interrupts_a_reply(program: Program) -> None:
    done = program(STREAM + "asyncio.run(main())", interrupt=True)
    assert "KeyboardInterrupt" in done.stderr
    assert done.returncode in (130, -signal.SIGINT, 1)
    assert "SIGSEGV" not in done.stderr and "Fatal" not in done.stderr


@posix
def test_ctrl_c_can_be_caught_and_the_engine_used_on(program: Program) -> None:
    done = program(
        """
        async def stream_for_ever(engine):
            stream = await start(engine)
            await stream.next()
            print("started", flush=True)
            async for chunk in stream:
                pass

        engine = asyncio.run(Engine.create(EngineConfig.create()))
        try:
            asyncio.run(stream_for_ever(engine))
        except KeyboardInterrupt:
            print("interrupted")
        print(len(asyncio.run(engine.models())) >= 0)
        """,
        interrupt=True,
    )
    assert done.stdout.split() == ["started", "interrupted", "True"], done.stderr
    assert done.returncode == 0


def test_a_process_ends_with_a_live_stream(program: Program) -> None:
    done = program(
        """
        async def main():
            global engine, stream
            engine = await Engine.create(EngineConfig.create())
            stream = await start(engine)
            await stream.next()
        asyncio.run(main())
        print("bye")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")


def test_a_process_ends_while_another_thread_waits(program: Program) -> None:
    done = program(
        """
        import threading
        started = threading.Event()
        async def main():
            global engine
            engine = await Engine.create(EngineConfig.create())
            stream = await start(engine)
            started.set()
            async for chunk in stream:
                pass
        threading.Thread(target=lambda: asyncio.run(main()), daemon=True).start()
        started.wait()
        print("bye")
        """
    )
    assert (done.returncode, done.stdout) == (0, "bye\n"), done.stderr


@posix
def test_a_forked_child_gets_a_clear_error(program: Program) -> None:
    done = program(
        """
        engine = asyncio.run(Engine.create(EngineConfig.create()))
        child = os.fork()
        if child == 0:
            for use in (engine.models, lambda: Engine.create(EngineConfig.create())):
                try:
                    asyncio.run(use())
                except InvalidState as error:
                    print("fork" in str(error), flush=True)
            del engine
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), isinstance(asyncio.run(engine.models()), list))
        """
    )
    assert done.stdout.split() == ["True", "True", "0", "True"], done.stderr


@posix
@pytest.mark.parametrize("when", ["before", "after"])
def test_faulthandler_and_the_jvm_live_together(program: Program, when: str) -> None:
    done = program(
        f"""
        import faulthandler, gc
        async def main():
            if {when == "before"}:
                faulthandler.enable()
            engine = await Engine.create(EngineConfig.create())
            session = await engine.chat(await engine.model(MODEL), ChatConfig.create())
            if {when == "after"}:
                faulthandler.enable()
            for _ in range(3):
                await session.reply(ASK, GREEDY.with_token_limit(20))
                gc.collect()
            await engine.close()
            print("done")
        asyncio.run(main())
        """
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@posix
def test_faulthandler_still_reports_a_crash_of_the_program(program: Program) -> None:
    done = program(
        """
        import ctypes, faulthandler
        async def main():
            engine = await Engine.create(EngineConfig.create())
            faulthandler.enable()
            await engine.models()
            ctypes.string_at(0)
        asyncio.run(main())
        """
    )
    assert "Fatal Python error: Segmentation fault" in done.stderr
    assert done.returncode in (-signal.SIGSEGV, -signal.SIGABRT)


def test_nothing_is_warned_of_in_development_mode(loaded: Loaded, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"MODEL = {loaded.model.identifier!r}\n" + DEVELOPMENT)
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(file)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


DEVELOPMENT = """
import asyncio, gc
from uzu import *

@uzu_tool_function
async def look_up(word: str) -> str:
    "Look a word up."
    return "found"

async def main():
    # How long a step takes is the machine's business here.
    asyncio.get_running_loop().slow_callback_duration = 60
    ask = [ChatMessage.user().with_text("Look up: uzu")]
    async with await Engine.create(EngineConfig.create()) as engine:
        model = await engine.model(MODEL)
        async for update in await engine.download(model):
            pass
        session = await engine.chat(model)
        await session.add_tool(look_up)
        config = ChatReplyConfig(token_limit=120).with_tool_choice(ToolChoice.Required())
        await session.reply(ask, config)
        try:
            await asyncio.wait_for(session.reply(ask, ChatReplyConfig(token_limit=4000)), 0.2)
        except asyncio.TimeoutError:
            pass
        # Left in the middle, and to the collector.
        stream = await (await engine.chat(model)).reply_with_stream(ask)
        await stream.next()
        del stream, session
        gc.collect()
    print("done")

asyncio.run(main())
"""


@pytest.mark.skipif(sys.version_info < (3, 13), reason="before Python 3.13 ctypes refuses to be imported in one")
def test_a_subinterpreter_gets_a_clear_error(program: Program) -> None:
    done = program(
        """
        import _interpreters
        asyncio.run(Engine.create(EngineConfig.create()))
        inner = _interpreters.create()
        lines = [
            f"import asyncio, sys; sys.path[:] = {sys.path!r}",
            "from uzu import *",
            "try: asyncio.run(Engine.create(EngineConfig.create()))",
            "except InvalidState as error: print('main interpreter' in str(error), flush=True)",
        ]
        print(_interpreters.run_string(inner, chr(10).join(lines)))
        """
    )
    assert (done.returncode, done.stdout) == (0, "True\nNone\n"), done.stderr


def test_options_that_java_refuses_are_an_error(program: Program) -> None:
    done = program(
        """
        os.environ["UZU_JAVA_OPTIONS"] = "-Xmx1"
        try:
            asyncio.run(Engine.create(EngineConfig.create()))
        except InvalidState as error:
            print("heap" in str(error))
        """
    )
    assert done.stdout == "True\n", done.stderr
    assert done.returncode == 0


def test_a_java_that_is_not_there_is_an_error(program: Program, tmp_path: Path) -> None:
    done = program(
        f"""
        os.environ["UZU_JAVA_HOME"] = {str(tmp_path)!r}
        try:
            asyncio.run(Engine.create(EngineConfig.create()))
        except InvalidArgument as error:
            print(error.details)
        """
    )
    assert done.stdout == f"{{'path': '{tmp_path}'}}\n", done.stderr


@posix
def test_a_path_may_have_any_letters_in_any_locale(program: Program, loaded: Loaded, tmp_path: Path) -> None:
    import asyncio

    file = asyncio.run(loaded.engine.model_path(loaded.model))
    assert file is not None
    copy = tmp_path / "modèle 日本" / "a b.gguf"
    copy.parent.mkdir()
    copy.symlink_to(file)
    done = program(
        f"""
        os.environ["LC_ALL"] = "C"
        async def main():
            engine = await Engine.create(EngineConfig.create())
            model = await engine.model({ascii(str(copy))})
            print(await engine.count_tokens(model, "hello"), os.environ["LC_ALL"])
        asyncio.run(main())
        """
    )
    assert done.stdout == "1 C\n", done.stderr


@posix
def test_a_thread_with_a_small_stack_gets_an_error(program: Program) -> None:
    done = program(
        """
        import threading
        threading.stack_size(64 << 10)
        try:
            asyncio.run(Engine.create(EngineConfig.create()))
        except InvalidState as error:
            print("stack" in str(error))
        """
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


@pytest.mark.parametrize("cycles", [200, pytest.param(1000, marks=pytest.mark.full)])
def test_engines_and_sessions_made_and_closed_leave_no_memory_behind(loaded: Loaded, cycles: int) -> None:
    command = [sys.executable, str(PROGRAMS / "cycles.py"), str(cycles), loaded.model.identifier]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    growth = json.loads(done.stdout)["growth"]
    assert growth < 48 << 20, f"grew by {growth >> 20} MiB"


@pytest.mark.parametrize("tokens", [200, pytest.param(2000, marks=pytest.mark.full)])
@pytest.mark.parametrize("way", [[], ["sync"]])
def test_a_token_costs_python_little(loaded: Loaded, tokens: int, way: list[str]) -> None:
    command = [sys.executable, str(PROGRAMS / "overhead.py"), loaded.model.identifier, *way]
    done = subprocess.run(command, input=f"{tokens}\ncancel\n", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    stream, cancel = map(json.loads, done.stdout.splitlines())
    # Tests run on busy machines; docs/benchmarks.md has what a quiet one takes.
    assert stream["tokens"] >= tokens - 50 and stream["busyMicrosecondsPerToken"] < 3000, done.stdout
    assert cancel["cancelMilliseconds"] < 3000, done.stdout


MULTIPROCESSING = """
import asyncio, multiprocessing, sys
from uzu import ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig, InvalidState

async def ask():
    async with await Engine.create(EngineConfig.create()) as engine:
        session = await engine.chat(await engine.model(MODEL), ChatConfig.create())
        replies = await session.reply([ChatMessage.user().with_text("Hi")], ChatReplyConfig(token_limit=2))
        return replies[0].stats.tokens_count_output

def work(_):
    try:
        return asyncio.run(ask())
    except InvalidState as error:
        return "fork" in str(error)

if __name__ == "__main__":
    asyncio.run(ask())
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
"""


@posix
@pytest.mark.parametrize(("method", "result"), [("spawn", "[2]"), ("fork", "[True]")])
def test_multiprocessing_works_by_spawn_and_says_what_is_wrong_with_fork(
    loaded: Loaded, tmp_path: Path, method: str, result: str
) -> None:
    file = tmp_path / "pool.py"
    file.write_text(MULTIPROCESSING.replace("MODEL", repr(loaded.model.identifier)))
    done = subprocess.run([sys.executable, str(file), method], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == result, done.stderr


def test_pytest_with_its_faulthandler_runs_programs_that_use_it(loaded: Loaded, tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import gc\n"
        "from uzu.sync import ChatMessage, ChatReplyConfig, Engine\n"
        "def test_one():\n"
        "    with Engine.create() as engine:\n"
        f"        session = engine.chat(engine.model({loaded.model.identifier!r}))\n"
        "        gc.collect()\n"
        "        assert session.reply([ChatMessage.user().with_text('Hi')], ChatReplyConfig(token_limit=9))\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "faulthandler", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fatal" not in done.stdout + done.stderr
