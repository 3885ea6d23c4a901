"""Data enums: a base class with its variants as nested classes, for ``isinstance`` and ``match``. Typed in the .pyi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ._enums import ChatVerifier
from ._features import Feature


def _variant(cls):
    """Puts the class into its base: SamplingMethod.Greedy rather than a name of the module."""
    base, name = cls.__bases__[0], cls.__name__.removeprefix("_")
    cls.__name__ = name
    cls.__qualname__ = f"{base.__qualname__}.{name}"
    setattr(base, name, cls)
    return cls


class _Union:
    def __new__(cls, *args, **kwargs):
        if cls.__bases__ == (_Union,):
            raise TypeError(f"{cls.__name__} is one of its variants, {cls.__name__}.…")
        return super().__new__(cls)


class ContextLength(_Union):
    """Most tokens of a conversation: the model's own up to 16,384, the model's own, or a number."""


@_variant
@dataclass(frozen=True)
class _Default(ContextLength):
    pass


@_variant
@dataclass(frozen=True)
class _Maximal(ContextLength):
    pass


@_variant
@dataclass(frozen=True)
class _Custom(ContextLength):
    length: int


class SamplingSeed(_Union):
    """A fresh seed for each reply, reported in its stats, or the same one for each."""


@_variant
@dataclass(frozen=True)
class _Default(SamplingSeed):  # noqa: F811
    pass


@_variant
@dataclass(frozen=True)
class _Custom(SamplingSeed):  # noqa: F811
    seed: int


class SamplingMethod(_Union):
    """How the next token is chosen."""


@_variant
@dataclass(frozen=True)
class _Greedy(SamplingMethod):
    """The likeliest token."""


@_variant
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


class SamplingPolicy(_Union):
    """The model makers' own sampling, or a method."""


@_variant
@dataclass(frozen=True)
class _Default(SamplingPolicy):  # noqa: F811
    pass


@_variant
@dataclass(frozen=True)
class _Custom(SamplingPolicy):  # noqa: F811
    method: SamplingMethod


class ChatDrafter(_Union):
    """Something that guesses the model's next tokens."""


@_variant
@dataclass(frozen=True)
class _Lookup(ChatDrafter):
    """What followed when the last tokens stood earlier in the conversation."""


@_variant
@dataclass(frozen=True)
class _Tables(ChatDrafter):
    """Tables of what the model says after its last tokens, trained on its own answers."""


@_variant
@dataclass(frozen=True)
class _Network(ChatDrafter):
    """The trained network that came with the model or was made for it."""


@_variant
@dataclass(frozen=True)
class _DraftModel(ChatDrafter):
    """A smaller model with the same vocabulary."""

    identifier: str


class ChatSpeculationPreset(_Union):
    """How replies are sped up by verifying guesses. What the model answers stays the same."""


@_variant
@dataclass(frozen=True)
class _Auto(ChatSpeculationPreset):
    """Everything that there are drafters for, as far as it pays. The default."""


@_variant
@dataclass(frozen=True)
class _Off(ChatSpeculationPreset):
    """Token by token."""


@_variant
@dataclass(frozen=True)
class _GeneralChat(ChatSpeculationPreset):
    """For conversations."""


@_variant
@dataclass(frozen=True)
class _Summarization(ChatSpeculationPreset):
    """For answers that repeat much of what was said: summaries, edits, extracts."""


@_variant
@dataclass(frozen=True)
class _Classification(ChatSpeculationPreset):
    """For answers that are one of the feature's values; others come as well."""

    feature: Feature


@_variant
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


class Grammar(_Union):
    """What a reply's text must look like."""


@_variant
@dataclass(frozen=True)
class _JsonAny(Grammar):
    pass


@_variant
@dataclass(frozen=True)
class _JsonSchema(Grammar):
    schema: str


@_variant
@dataclass(frozen=True)
class _Regex(Grammar):
    pattern: str


class ChatRole(_Union):
    """Who a message is from."""


@_variant
@dataclass(frozen=True)
class _User(ChatRole):
    pass


@_variant
@dataclass(frozen=True)
class _Assistant(ChatRole):
    pass


@_variant
@dataclass(frozen=True)
class _System(ChatRole):
    pass


@_variant
@dataclass(frozen=True)
class _Developer(ChatRole):
    pass


@_variant
@dataclass(frozen=True)
class _Tool(ChatRole):
    pass


@_variant
@dataclass(frozen=True)
class _Custom(ChatRole):  # noqa: F811
    name: str


class ChatContentBlock(_Union):
    """A part of a message. A block that the model can't take is an error that says so."""


@_variant
@dataclass(frozen=True)
class _Text(ChatContentBlock):
    value: str


@_variant
@dataclass(frozen=True)
class _Reasoning(ChatContentBlock):
    """What the model thought before it answered."""

    value: str


@_variant
@dataclass(frozen=True)
class _ReasoningEffort(ChatContentBlock):
    """The effort asked for from this message on."""

    value: object


@_variant
@dataclass(frozen=True)
class _Image(ChatContentBlock):
    """A picture, by path, URL or data URL."""

    url: str


@_variant
@dataclass(frozen=True)
class _Audio(ChatContentBlock):
    """A sound, by path, URL or data URL."""

    url: str


@_variant
@dataclass(frozen=True)
class _Video(ChatContentBlock):
    """A film, by path, URL or data URL."""

    url: str


@_variant
@dataclass(frozen=True)
class _File(ChatContentBlock):
    """A document, by path, URL or data URL."""

    url: str


class DownloadPhase(_Union):
    """The phases of a download."""


@_variant
@dataclass(frozen=True)
class _NotDownloaded(DownloadPhase):
    pass


@_variant
@dataclass(frozen=True)
class _Downloading(DownloadPhase):
    pass


@_variant
@dataclass(frozen=True)
class _Paused(DownloadPhase):
    pass


@_variant
@dataclass(frozen=True)
class _Downloaded(DownloadPhase):
    pass


@_variant
@dataclass(frozen=True)
class _Locked(DownloadPhase):
    """Another process is downloading the model."""


@_variant
@dataclass(frozen=True)
class _Error(DownloadPhase):
    message: str


class ChatSessionStreamChunk(_Union):
    """What a stream of a reply hands out."""


@_variant
@dataclass(frozen=True)
class _Replies(ChatSessionStreamChunk):
    """The replies so far, each with its whole message."""

    replies: list


@_variant
@dataclass(frozen=True)
class _Error(ChatSessionStreamChunk):  # noqa: F811
    """The reply failed; the last chunk."""

    error: Exception
