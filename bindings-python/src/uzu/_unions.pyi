from collections.abc import Sequence
from typing import final

from ._content import ChatContentBlock
from ._enums import ChatVerifier
from ._errors import UzuError
from ._features import Feature
from ._replies import ChatReply

class ContextLength:
    @final
    class Default(ContextLength):
        def __init__(self) -> None: ...

    @final
    class Maximal(ContextLength):
        def __init__(self) -> None: ...

    @final
    class Custom(ContextLength):
        __match_args__ = ("length",)
        @property
        def length(self) -> int: ...
        def __init__(self, length: int) -> None: ...

class SamplingSeed:
    @final
    class Default(SamplingSeed):
        def __init__(self) -> None: ...

    @final
    class Custom(SamplingSeed):
        __match_args__ = ("seed",)
        @property
        def seed(self) -> int: ...
        def __init__(self, seed: int) -> None: ...

class SamplingMethod:
    @final
    class Greedy(SamplingMethod):
        def __init__(self) -> None: ...

    @final
    class Stochastic(SamplingMethod):
        __match_args__ = (
            "temperature",
            "top_k",
            "top_p",
            "min_p",
            "repetition_penalty",
            "suffix_repetition_length",
            "presence_penalty",
            "frequency_penalty",
            "logit_bias",
        )
        @property
        def temperature(self) -> float | None: ...
        @property
        def top_k(self) -> int | None: ...
        @property
        def top_p(self) -> float | None: ...
        @property
        def min_p(self) -> float | None: ...
        @property
        def repetition_penalty(self) -> float | None: ...
        @property
        def suffix_repetition_length(self) -> int | None: ...
        @property
        def presence_penalty(self) -> float | None: ...
        @property
        def frequency_penalty(self) -> float | None: ...
        @property
        def logit_bias(self) -> dict[int, float] | None: ...
        def __init__(
            self,
            temperature: float | None = None,
            top_k: int | None = None,
            top_p: float | None = None,
            min_p: float | None = None,
            repetition_penalty: float | None = None,
            suffix_repetition_length: int | None = None,
            presence_penalty: float | None = None,
            frequency_penalty: float | None = None,
            logit_bias: dict[int, float] | None = None,
        ) -> None: ...

class SamplingPolicy:
    @final
    class Default(SamplingPolicy):
        def __init__(self) -> None: ...

    @final
    class Custom(SamplingPolicy):
        __match_args__ = ("method",)
        @property
        def method(self) -> SamplingMethod: ...
        def __init__(self, method: SamplingMethod) -> None: ...

class ChatDrafter:
    @final
    class Lookup(ChatDrafter):
        def __init__(self) -> None: ...

    @final
    class Recall(ChatDrafter):
        def __init__(self) -> None: ...

    @final
    class Tables(ChatDrafter):
        def __init__(self) -> None: ...

    @final
    class Network(ChatDrafter):
        def __init__(self) -> None: ...

    @final
    class DraftModel(ChatDrafter):
        __match_args__ = ("identifier",)
        @property
        def identifier(self) -> str: ...
        def __init__(self, identifier: str) -> None: ...

class ChatSpeculationPreset:
    @final
    class Auto(ChatSpeculationPreset):
        def __init__(self) -> None: ...

    @final
    class Off(ChatSpeculationPreset):
        def __init__(self) -> None: ...

    @final
    class GeneralChat(ChatSpeculationPreset):
        def __init__(self) -> None: ...

    @final
    class Summarization(ChatSpeculationPreset):
        def __init__(self) -> None: ...

    @final
    class Classification(ChatSpeculationPreset):
        __match_args__ = ("feature",)
        @property
        def feature(self) -> Feature: ...
        def __init__(self, feature: Feature) -> None: ...

    @final
    class Custom(ChatSpeculationPreset):
        __match_args__ = ("drafters", "max_nodes", "verifier")
        @property
        def drafters(self) -> tuple[ChatDrafter, ...]: ...
        @property
        def max_nodes(self) -> int: ...
        @property
        def verifier(self) -> ChatVerifier: ...
        def __init__(
            self, drafters: Sequence[ChatDrafter], max_nodes: int = 32, verifier: ChatVerifier = ...
        ) -> None: ...

class DownloadPhase:
    @final
    class NotDownloaded(DownloadPhase):
        def __init__(self) -> None: ...

    @final
    class Downloading(DownloadPhase):
        def __init__(self) -> None: ...

    @final
    class Paused(DownloadPhase):
        def __init__(self) -> None: ...

    @final
    class Downloaded(DownloadPhase):
        def __init__(self) -> None: ...

    @final
    class Locked(DownloadPhase):
        def __init__(self) -> None: ...

    @final
    class Error(DownloadPhase):
        __match_args__ = ("message",)
        @property
        def message(self) -> str: ...
        def __init__(self, message: str) -> None: ...

class ChatSessionStreamChunk:
    @final
    class Replies(ChatSessionStreamChunk):
        __match_args__ = ("replies",)
        @property
        def replies(self) -> list[ChatReply]: ...
        def __init__(self, replies: list[ChatReply]) -> None: ...

    @final
    class ToolResults(ChatSessionStreamChunk):
        __match_args__ = ("results",)
        @property
        def results(self) -> list[ChatContentBlock.ToolCallResult]: ...
        def __init__(self, results: list[ChatContentBlock.ToolCallResult]) -> None: ...

    @final
    class Error(ChatSessionStreamChunk):
        __match_args__ = ("error",)
        @property
        def error(self) -> UzuError: ...
        def __init__(self, error: UzuError) -> None: ...
