"""Bars of progress, such as tqdm's."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Any, Protocol

from ._models import DownloaderStreamUpdate


class Progress(Protocol):
    """What `DownloaderStream.show` needs of a bar: tqdm, in a terminal or a notebook, is one."""

    def reset(self, total: float | None = None) -> Any:
        """Begins at nothing, of so many."""

    def update(self, n: float | None = 1) -> Any:
        """There are so many more."""

    def refresh(self) -> Any:
        """Shows how far it is."""


async def follow(updates: AsyncIterable[DownloaderStreamUpdate], progress: Progress) -> None:
    """Shows how far it is until the updates end."""
    total, shown = 0, 0
    async for update in updates:
        if update.bytes_total != total:
            total, shown = update.bytes_total, 0
            progress.reset(total)
        progress.update(update.bytes_downloaded - shown)
        shown = update.bytes_downloaded
    progress.refresh()
