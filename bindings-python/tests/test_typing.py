"""The package and the examples are typed, strictly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples/python").glob("*/main.py"))


@pytest.mark.full
@pytest.mark.parametrize("path", [ROOT / "bindings-python/src/uzu", *EXAMPLES], ids=lambda path: path.parent.name)
def test_mypy_finds_nothing(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(path)],
        env={**os.environ, "MYPYPATH": str(ROOT / "bindings-python/src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
