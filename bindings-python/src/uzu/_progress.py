"""Bars of progress, such as tqdm's."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """What `DownloaderStream.show` needs of a bar: tqdm, in a terminal or a notebook, is one."""

    def reset(self, total: float | None = None) -> Any:
        """Begins at nothing, of so many."""

    def update(self, n: float | None = 1) -> Any:
        """There are so many more."""

    def refresh(self) -> Any:
        """Shows how far it is."""
