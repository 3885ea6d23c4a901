"""The examples run as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Loaded

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


@pytest.mark.parametrize("name", sorted(folder.name for folder in EXAMPLES.iterdir() if (folder / "main.py").is_file()))
def test_an_example_ends_well_and_says_something(loaded: Loaded, name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name / "main.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    if name == "tool-calls":
        assert re.search(r"^calling get_\w+ with \{", done.stdout, re.MULTILINE), done.stdout
        assert re.search(r"^get_\w+ said .", done.stdout, re.MULTILINE), done.stdout
    if name == "chat-shared-instance":
        assert re.search(r"^\[story\] .", done.stdout, re.MULTILINE), done.stdout
        assert re.search(r"^\[capital\] .", done.stdout, re.MULTILINE), done.stdout
        assert re.search(r"^2 replies in [\d.]+ s, in \d+ MB$", done.stdout, re.MULTILINE), done.stdout
    # Drawn texts may end anywhere, so no line by itself tells.
    assert len(done.stdout.split()) > 12, done.stdout


def test_programs_of_uzu_06_run_with_another_model(loaded: Loaded) -> None:
    program = Path(__file__).parent / "programs/snippets.py"
    done = subprocess.run(
        [sys.executable, str(program), loaded.model.identifier], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("== ") == 6
    assert "Error" not in done.stdout
    assert "Countries: ['Country'" in done.stdout and "Finished: True" in done.stdout, done.stdout
