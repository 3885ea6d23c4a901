"""The published package, in an environment of its own on a machine without Java."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from .conftest import Loaded

WHEEL = os.environ.get("UZU_WHEEL", "")
SCRIPT = """
import asyncio, sys, uzu
from uzu import ChatMessage, ChatReplyConfig, Engine

async def main():
    async with await Engine.create() as engine:
        session = await engine.chat(await engine.model(sys.argv[1]))
        replies = await session.reply([ChatMessage.user().with_text("Hi")], ChatReplyConfig(token_limit=4))
        print(replies[0].stats.tokens_count_output, (await engine.info()).kernel_library is not None)

asyncio.run(main())
print(uzu.__file__)
"""


@pytest.mark.skipif(not WHEEL, reason="UZU_WHEEL names none")
def test_the_wheel_works_in_a_clean_environment_without_a_jdk(loaded: Loaded, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    installed = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
        + ["install", "--quiet", "--no-index", WHEEL],
        capture_output=True,
        text=True,
    )
    assert installed.returncode == 0, installed.stderr
    # Neither by these nor on the PATH is there a Java, but for the one in the package.
    names = ("UZU_JAVA_HOME", "JAVA_HOME", "UZU_CLASSPATH", "UZU_LIBRARY", "PYTHONPATH")
    variables = {**{name: value for name, value in os.environ.items() if name not in names}, "PATH": "/nowhere"}
    classes = tmp_path / "classes.txt"
    variables["UZU_JAVA_OPTIONS"] = f"-Xlog:class+load:file={classes}"
    done = subprocess.run(
        [str(python), "-c", SCRIPT, loaded.model.identifier],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    result, file = done.stdout.splitlines()
    assert result == "4 True"
    assert Path(file).is_relative_to(environment)
    # Nearly all come from the cache of its start, which holds wherever an installer puts the package.
    assert classes.read_text().count("source: jrt:/") < 100
