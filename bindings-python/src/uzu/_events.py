"""What happens in an engine, and what it computes with. The events are typed in the .pyi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._models import DownloadState, state_of
from ._variants import Union, variant


class EngineEvent(Union):
    """What happens in an engine, whoever caused it. `model` is an identifier."""


@variant
@dataclass(frozen=True)
class _Download(EngineEvent):
    """A download began, moved on, stopped or failed, or the model was deleted."""

    model: str
    state: DownloadState


@variant
@dataclass(frozen=True)
class _ModelLoaded(EngineEvent):
    """The model's weights came into memory, from the file or folder `path`."""

    model: str
    path: str
    weight_bytes: int


@variant
@dataclass(frozen=True)
class _ModelUnloaded(EngineEvent):
    """The model's weights left memory: nothing uses them any more, or the engine was closed."""

    model: str


@dataclass(frozen=True)
class EngineInfo:
    """What an engine computes with, and the memory that it holds now."""

    matrix_kernels: str
    """The instruction set that multiplies matrices: avx2, neon, …, or vector or scalar where Java does."""
    row_kernels: str
    """The same for norms, activations and attention."""
    kernel_library: str | None
    """The file of the kernels in C; None where none was found."""
    threads: int
    """Workers of a pass."""
    weight_bytes: int
    """Of all models in memory."""
    working_bytes: int
    """Their keys, values and scratch."""


def event_of(chunk: dict[str, Any]) -> EngineEvent:
    """The event that the engine has written."""
    match chunk["type"]:
        case "download":
            return EngineEvent.Download(chunk["model"], state_of(chunk["state"]))
        case "model_loaded":
            return EngineEvent.ModelLoaded(chunk["model"], chunk["path"], chunk["weight_bytes"])
        case "model_unloaded":
            return EngineEvent.ModelUnloaded(chunk["model"])
    raise ValueError(f"the engine says {chunk['type']}, which is no event")
