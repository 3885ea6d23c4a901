"""The package and the examples are typed, strictly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "bindings-python/src"
PROGRAMS = ROOT / "bindings-python/tests/programs"
SCRIPTS = [*sorted((ROOT / "examples/python").glob("*/main.py")), *sorted(PROGRAMS.glob("*.py"))]
PYRIGHT = "pyright@1.1.414"


def test_mypy_finds_nothing() -> None:
    # One cache for all: the package is read once, and again only where it changed.
    cache = ROOT / "build/mypy"
    for path in [SOURCES / "uzu", *SCRIPTS]:
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), str(path)],
            env={**os.environ, "MYPYPATH": str(SOURCES)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("npm") is None, reason="pyright comes from npm, which isn't there")
def test_pyright_finds_nothing() -> None:
    # What has a .pyi is typed there.
    sources = [path for path in (SOURCES / "uzu").glob("*.py*") if not path.with_suffix(".pyi").exists()]
    stubs = (SOURCES / "uzu").glob("*.pyi")
    done = subprocess.run(
        ["npm", "exec", "--yes", "--package", PYRIGHT, "--", "pyright", "--pythonversion", "3.10"]
        + ["--pythonpath", sys.executable, *map(str, [*sources, *stubs, *SCRIPTS])],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
