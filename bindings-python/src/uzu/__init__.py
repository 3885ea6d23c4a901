"""Language models on your own machine.

engine = await Engine.create(EngineConfig.create())
model = await engine.model("huggingface:smollm2:135m:gguf:q4_1:4")
async for update in (await engine.download(model)).iterator():
    print(update.progress)
session = await engine.chat(model, ChatConfig.create())
replies = await session.reply([ChatMessage.user().with_text("Hello")], ChatReplyConfig.create())
print(replies[0].message.text)
"""

from ._configs import ChatConfig, ChatReplyConfig, EngineConfig
from ._content import ChatContentBlock, ChatRole
from ._engine import Downloader, Engine
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
from ._session import ChatInstance, ChatSession
from ._streams import CancelToken, ChatSessionStream, CompletionStream, DownloaderStream, EngineEvents
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

__version__ = "0.1.0"

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
