from dataclasses import dataclass
from typing import Any, final

from ._models import DownloadState

class EngineEvent:
    @property
    def model(self) -> str: ...

    @final
    class Download(EngineEvent):
        __match_args__ = ("model", "state")
        @property
        def model(self) -> str: ...
        @property
        def state(self) -> DownloadState: ...
        def __init__(self, model: str, state: DownloadState) -> None: ...

    @final
    class ModelLoaded(EngineEvent):
        __match_args__ = ("model", "path", "weight_bytes")
        @property
        def model(self) -> str: ...
        @property
        def path(self) -> str: ...
        @property
        def weight_bytes(self) -> int: ...
        def __init__(self, model: str, path: str, weight_bytes: int) -> None: ...

    @final
    class ModelUnloaded(EngineEvent):
        __match_args__ = ("model",)
        @property
        def model(self) -> str: ...
        def __init__(self, model: str) -> None: ...

@dataclass(frozen=True)
class EngineInfo:
    matrix_kernels: str
    row_kernels: str
    kernel_library: str | None
    threads: int
    weight_bytes: int
    working_bytes: int

def event_of(chunk: dict[str, Any]) -> EngineEvent: ...
