"""The same as `uzu`, for programs without an event loop: calls block, streams are iterators.

engine = Engine.create(EngineConfig.create())
model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4")
for update in engine.download(model):
    print(update.progress)
session = engine.chat(model, ChatConfig.create())
replies = session.reply([ChatMessage.user().with_text("Hello")], ChatReplyConfig.create())
print(replies[0].message.text)

It may be used where an event loop runs, as in a notebook: that waits meanwhile. Tools run on threads of their own.
"""

from ._configs import ChatConfig, ChatReplyConfig, EngineConfig
from ._content import ChatContentBlock, ChatRole
from ._enums import (
    Backend,
    ChatReplyFinishReason,
    ChatSessionState,
    ChatVerifier,
    KvCache,
    ModelAccessibility,
    ModelSpecialization,
    Precision,
    PropertyOrder,
    ReasoningEffort,
    ToolSupport,
)
from ._errors import (
    Cancelled,
    Closed,
    ContextOverflow,
    DiskFull,
    DownloadFailed,
    GrammarDeadEnd,
    GrammarUnsupported,
    Internal,
    InvalidArgument,
    InvalidState,
    ModelCorrupt,
    ModelNotFound,
    ModelUnsupported,
    Offline,
    OutOfMemory,
    ProviderFailed,
    TemplateFailed,
    TensorMissing,
    ToolFailed,
    ToolTurnLimit,
    UzuError,
)
from ._events import EngineEvent, EngineInfo
from ._features import Feature
from ._grammar import Grammar, ToolChoice
from ._messages import ChatMessage
from ._models import (
    DownloaderStreamUpdate,
    DownloadState,
    Model,
    ModelCapabilities,
    ModelFamily,
    ModelProperties,
    ModelQuantization,
    ModelRegistry,
    ModelVendor,
)
from ._progress import Progress
from ._replies import ChatReply, ChatReplySpeculatorStats, ChatReplyStats, Completion, TokenLogprob
from ._streams import CancelToken
from ._sync import (
    ChatInstance,
    ChatSession,
    ChatSessionStream,
    CompletionStream,
    Downloader,
    DownloaderStream,
    Engine,
    EngineEvents,
)
from ._tool_declaration import ToolDeclaration
from ._tools import UzuToolFunction, uzu_tool_function
from ._unions import (
    ChatDrafter,
    ChatSessionStreamChunk,
    ChatSpeculationPreset,
    ContextLength,
    DownloadPhase,
    SamplingMethod,
    SamplingPolicy,
    SamplingSeed,
)

__all__ = [
    "Backend",
    "Cancelled",
    "CancelToken",
    "ChatConfig",
    "ChatContentBlock",
    "ChatDrafter",
    "ChatInstance",
    "ChatMessage",
    "ChatReply",
    "ChatReplyConfig",
    "ChatReplyFinishReason",
    "ChatReplySpeculatorStats",
    "ChatReplyStats",
    "ChatRole",
    "ChatSession",
    "ChatSessionState",
    "ChatSessionStream",
    "ChatSessionStreamChunk",
    "ChatSpeculationPreset",
    "ChatVerifier",
    "Closed",
    "Completion",
    "CompletionStream",
    "ContextLength",
    "ContextOverflow",
    "DiskFull",
    "Downloader",
    "DownloaderStream",
    "DownloaderStreamUpdate",
    "DownloadFailed",
    "DownloadPhase",
    "DownloadState",
    "Engine",
    "EngineConfig",
    "EngineEvent",
    "EngineEvents",
    "EngineInfo",
    "Feature",
    "Grammar",
    "GrammarDeadEnd",
    "GrammarUnsupported",
    "Internal",
    "InvalidArgument",
    "InvalidState",
    "KvCache",
    "Model",
    "ModelAccessibility",
    "ModelCapabilities",
    "ModelCorrupt",
    "ModelFamily",
    "ModelNotFound",
    "ModelProperties",
    "ModelQuantization",
    "ModelRegistry",
    "ModelSpecialization",
    "ModelUnsupported",
    "ModelVendor",
    "Offline",
    "OutOfMemory",
    "Precision",
    "Progress",
    "PropertyOrder",
    "ProviderFailed",
    "ReasoningEffort",
    "SamplingMethod",
    "SamplingPolicy",
    "SamplingSeed",
    "TemplateFailed",
    "TensorMissing",
    "TokenLogprob",
    "ToolChoice",
    "ToolDeclaration",
    "ToolFailed",
    "ToolSupport",
    "ToolTurnLimit",
    "UzuError",
    "UzuToolFunction",
    "uzu_tool_function",
]
