package uzu.kotlin

/** How long a model may reason before it answers. */
enum class ReasoningEffort {
    Disabled,
    Default,
    Low,
    Medium,
    High,
}

/** Why a reply ended. */
enum class ChatReplyFinishReason {
    Stop,
    Length,
    Cancelled,
    ContextLimitReached,
    ToolCalls,
    Rejected,
}

/** What a session is doing. */
enum class ChatSessionState {
    Idle,
    Generation,
    ToolCalling,
    Resetting,
}

/** How matrices are multiplied: with int8 activations, or exactly, for comparisons. */
enum class Precision {
    Fast,
    Exact,
}

/** What runs the passes. */
enum class Backend {
    Auto,
    Cpu,
    Metal,
}

/** How keys and values are stored. */
enum class KvCache {
    F16,
    F32,
    BF16,
    Q8,
    Q4,
}

/** How drafted tokens are judged where tokens are drawn by chance. Both keep the model's distribution. */
enum class ChatVerifier {
    /** Draws what would be drawn without speculation, for the same seed. */
    SharedNoise,

    /** Accepts a token drafted with chance q with min(1, p/q), else draws from what is left of p. */
    Rejection,
}

/** Where a model runs. */
enum class ModelAccessibility {
    Local,
    Remote,
}

/** What a model was made for. */
enum class ModelSpecialization {
    Chat,
    Code,
}

/** How the properties of objects are ordered. */
enum class PropertyOrder {
    /** As the schema lists them, which models find easier and drafts can foresee. */
    AsGiven,

    /** In any order, as JSON Schema has it. */
    Free,
}

/** How a model is told of tools. */
enum class ToolSupport {
    /** Not at all: the model has no chat template. */
    None,

    /** In a system message, as its template doesn't know tools; calls follow a grammar. */
    Generic,

    /** By its own template. */
    Template,
}
