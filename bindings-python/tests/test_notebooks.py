"""What notebooks show: models, figures, bars of progress. `test_sync` has what they run."""

from __future__ import annotations

import asyncio
import io

import pytest

from uzu import (
    ChatReplyStats,
    DownloaderStreamUpdate,
    Model,
    ModelAccessibility,
    ModelFamily,
    ModelQuantization,
    ModelRegistry,
    ModelSpecialization,
    ModelVendor,
    Progress,
)

from .conftest import Loaded

MODEL = Model(
    identifier="a:b:1",
    name="B <1>",
    registry=ModelRegistry("r", "R & Co"),
    backends=("cpu",),
    family=ModelFamily("b", "B", ModelVendor("a", "A")),
    properties=None,
    quantization=ModelQuantization("q4_1", 5),
    specializations=(ModelSpecialization.Chat,),
    accessibility=ModelAccessibility.Local,
    is_downloadable=True,
)


def test_a_model_is_a_table() -> None:
    html = MODEL._repr_html_()
    assert html.startswith("<table>") and html.endswith("</table>")
    assert "B &lt;1&gt;" in html and "R &amp; Co" in html and "q4_1, 5 bits a weight" in html
    assert "Size" not in html


def test_figures_are_a_table() -> None:
    stats = ChatReplyStats(1.5, generate_tokens_per_second=123.456, tokens_count_output=1200, memory_used_bytes=10**8)
    html = stats._repr_html_()
    for text in ("1.50 s", "1,200 tokens", "123.5 tokens/s", "100 MB"):
        assert f">{text}<" in html
    assert "Seed" not in html


class Bar:
    """A bar that tells what was done with it."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def reset(self, total: float | None = None) -> None:
        self.done.append(("reset", total))

    def update(self, n: float | None = 1) -> None:
        self.done.append(n)

    def refresh(self) -> None:
        self.done.append("refresh")


class Updates:
    """A stream of updates that are there already."""

    def __init__(self, *updates: DownloaderStreamUpdate) -> None:
        self._updates = iter(updates)

    def __aiter__(self) -> Updates:
        return self

    async def __anext__(self) -> DownloaderStreamUpdate:
        for update in self._updates:
            return update
        raise StopAsyncIteration


def test_a_bar_gets_the_steps_of_a_download() -> None:
    from uzu._progress import follow

    bar = Bar()
    updates = Updates(*(DownloaderStreamUpdate(100, n, n / 100) for n in (0, 30, 100)))
    asyncio.run(follow(updates, bar))
    assert bar.done == [("reset", 100), 0, 30, 70, "refresh"]


def test_tqdm_is_a_bar(loaded: Loaded) -> None:
    tqdm = pytest.importorskip("tqdm")
    bar: Progress = tqdm.tqdm(unit="B", unit_scale=True, file=io.StringIO())

    async def run() -> None:
        await (await loaded.engine.download(loaded.model)).show(bar)

    asyncio.run(run())
