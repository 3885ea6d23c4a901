"""Data enums of configurations, downloads and streams. Typed in the .pyi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ._enums import ChatVerifier
from ._features import Feature
from ._variants import Union, variant


class ContextLength(Union):
    """Most tokens of a conversation: the model's own up to 16,384, the model's own, or a number."""


@variant
@dataclass(frozen=True)
class _Default(ContextLength):
    pass


@variant
@dataclass(frozen=True)
class _Maximal(ContextLength):
    pass


@variant
@dataclass(frozen=True)
class _Custom(ContextLength):
    length: int


class SamplingSeed(Union):
    """A fresh seed for each reply, reported in its stats, or the same one for each."""


@variant
@dataclass(frozen=True)
class _Default(SamplingSeed):  # noqa: F811
    pass


@variant
@dataclass(frozen=True)
class _Custom(SamplingSeed):  # noqa: F811
    seed: int


class SamplingMethod(Union):
    """How the next token is chosen."""


@variant
@dataclass(frozen=True)
class _Greedy(SamplingMethod):
    """The likeliest token."""


@variant
@dataclass(frozen=True)
class _Stochastic(SamplingMethod):
    """A draw. None leaves a step out."""

    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    suffix_repetition_length: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logit_bias: dict[int, float] | None = field(default=None, hash=False)


class SamplingPolicy(Union):
    """The model makers' own sampling, or a method."""


@variant
@dataclass(frozen=True)
class _Default(SamplingPolicy):  # noqa: F811
    pass


@variant
@dataclass(frozen=True)
class _Custom(SamplingPolicy):  # noqa: F811
    method: SamplingMethod


class ChatDrafter(Union):
    """Something that guesses the model's next tokens."""


@variant
@dataclass(frozen=True)
class _Lookup(ChatDrafter):
    """What followed when the last tokens stood earlier in the conversation."""


@variant
@dataclass(frozen=True)
class _Recall(ChatDrafter):
    """What followed the last tokens in the model's replies of other conversations, since it was loaded.

    Nothing is written down; but how fast a reply comes may tell that another conversation had the same words.
    """


@variant
@dataclass(frozen=True)
class _Tables(ChatDrafter):
    """Tables of what the model says after its last tokens, trained on its own answers."""


@variant
@dataclass(frozen=True)
class _Network(ChatDrafter):
    """The trained network that came with the model or was made for it."""


@variant
@dataclass(frozen=True)
class _DraftModel(ChatDrafter):
    """A smaller model with the same vocabulary."""

    identifier: str


class ChatSpeculationPreset(Union):
    """How replies are sped up by verifying guesses. What the model answers stays the same."""


@variant
@dataclass(frozen=True)
class _Auto(ChatSpeculationPreset):
    """Everything that there are drafters for, as far as it pays. The default."""


@variant
@dataclass(frozen=True)
class _Off(ChatSpeculationPreset):
    """Token by token."""


@variant
@dataclass(frozen=True)
class _GeneralChat(ChatSpeculationPreset):
    """For conversations."""


@variant
@dataclass(frozen=True)
class _Summarization(ChatSpeculationPreset):
    """For answers that repeat much of what was said: summaries, edits, extracts."""


@variant
@dataclass(frozen=True)
class _Classification(ChatSpeculationPreset):
    """For answers that are one of the feature's values; others come as well."""

    feature: Feature


@variant
@dataclass(frozen=True)
class _Custom(ChatSpeculationPreset):  # noqa: F811
    """Chosen drafters only. A model that lacks one of them refuses the session.

    `max_nodes`: most tokens that one pass verifies, the last certain one included; 2 to 64.
    """

    drafters: Sequence[ChatDrafter]
    max_nodes: int = 32
    verifier: ChatVerifier = ChatVerifier.SharedNoise

    def __post_init__(self) -> None:
        object.__setattr__(self, "drafters", tuple(self.drafters))


class DownloadPhase(Union):
    """The phases of a download."""


@variant
@dataclass(frozen=True)
class _NotDownloaded(DownloadPhase):
    pass


@variant
@dataclass(frozen=True)
class _Downloading(DownloadPhase):
    pass


@variant
@dataclass(frozen=True)
class _Paused(DownloadPhase):
    pass


@variant
@dataclass(frozen=True)
class _Downloaded(DownloadPhase):
    pass


@variant
@dataclass(frozen=True)
class _Locked(DownloadPhase):
    """Another process is downloading the model."""


@variant
@dataclass(frozen=True)
class _Error(DownloadPhase):
    message: str


class ChatSessionStreamChunk(Union):
    """What a stream of a reply hands out."""


@variant
@dataclass(frozen=True)
class _Replies(ChatSessionStreamChunk):
    """The replies so far, each with its whole message."""

    replies: list


@variant
@dataclass(frozen=True)
class _ToolResults(ChatSessionStreamChunk):
    """What the tools that the model called came to; further replies follow."""

    results: list


@variant
@dataclass(frozen=True)
class _Error(ChatSessionStreamChunk):  # noqa: F811
    """The reply failed; the last chunk."""

    error: Exception
