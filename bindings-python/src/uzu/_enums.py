"""Plain enums. Their values are the names that the engine uses."""

from enum import Enum


class ReasoningEffort(Enum):
    """How long a model may reason before it answers."""

    Disabled = "disabled"
    Default = "default"
    Low = "low"
    Medium = "medium"
    High = "high"


class ChatReplyFinishReason(Enum):
    """Why a reply ended."""

    Stop = "stop"
    Length = "length"
    Cancelled = "cancelled"
    ContextLimitReached = "context_limit_reached"
    ToolCalls = "tool_calls"
    Rejected = "rejected"


class ChatSessionState(Enum):
    """What a session is doing."""

    Idle = "idle"
    Generation = "generation"
    ToolCalling = "tool_calling"
    Resetting = "resetting"


class Precision(Enum):
    """How matrices are multiplied: with int8 activations, or exactly, for comparisons."""

    Fast = "fast"
    Exact = "exact"


class Backend(Enum):
    """What runs the passes."""

    Auto = "auto"
    Cpu = "cpu"
    Metal = "metal"


class KvCache(Enum):
    """How keys and values are stored."""

    F16 = "f16"
    F32 = "f32"
    BF16 = "bf16"
    Q8 = "q8"
    Q4 = "q4"


class ChatVerifier(Enum):
    """How drafted tokens are judged where tokens are drawn by chance. Both keep the model's distribution."""

    SharedNoise = "shared_noise"
    """Draws what would be drawn without speculation, for the same seed."""
    Rejection = "rejection"
    """Accepts a token drafted with chance q with min(1, p/q), else draws from what is left of p."""


class ModelAccessibility(Enum):
    """Where a model runs."""

    Local = "local"
    Remote = "remote"


class ModelSpecialization(Enum):
    """What a model was made for."""

    Chat = "chat"
    Code = "code"


class PropertyOrder(Enum):
    """How the properties of objects are ordered."""

    AsGiven = "as_given"
    """As the schema lists them, which models find easier and drafts can foresee."""
    Free = "free"
    """In any order, as JSON Schema has it."""


class ToolSupport(Enum):
    """How a model is told of tools."""

    None_ = "none"
    """Not at all: the model has no chat template."""
    Generic = "generic"
    """In a system message, as its template doesn't know tools; calls follow a grammar."""
    Template = "template"
    """By its own template."""
