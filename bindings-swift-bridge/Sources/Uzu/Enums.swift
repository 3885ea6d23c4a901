/// How long a model may reason before it answers.
public enum ReasoningEffort: String, Sendable, CaseIterable {
    case disabled
    case `default`
    case low
    case medium
    case high
}

/// Why a reply ended.
public enum ChatReplyFinishReason: String, Sendable, CaseIterable {
    case stop
    case length
    case cancelled
    case contextLimitReached = "context_limit_reached"
    case toolCalls = "tool_calls"
    case rejected
}

/// What a session is doing.
public enum ChatSessionState: String, Sendable, CaseIterable {
    case idle
    case generation
    case toolCalling = "tool_calling"
    case resetting
}

/// How matrices are multiplied: with int8 activations, or exactly, for comparisons.
public enum Precision: String, Sendable, CaseIterable {
    case fast
    case exact
}

/// What runs the passes.
public enum Backend: String, Sendable, CaseIterable {
    case auto
    case cpu
    case metal
}

/// How keys and values are stored.
public enum KvCache: String, Sendable, CaseIterable {
    case f16
    case f32
    case bf16
    case q8
    case q4
}

/// How drafted tokens are judged where tokens are drawn by chance; both keep the model's distribution. `sharedNoise`
/// draws what would be drawn without speculation, for the same seed.
public enum ChatVerifier: String, Sendable, CaseIterable {
    case sharedNoise = "shared_noise"
    case rejection
}

/// Where a model runs.
public enum ModelAccessibility: String, Sendable, CaseIterable {
    case local
    case remote
}

/// What a model was made for.
public enum ModelSpecialization: String, Sendable, CaseIterable {
    case chat
    case code
}

/// How the properties of objects are ordered: as the schema lists them, or in any order.
public enum PropertyOrder: String, Sendable, CaseIterable {
    case asGiven = "as_given"
    case free
}

/// How a model is told of tools: not at all, for want of a chat template; in a system message, where its template
/// doesn't know tools; or by its own template.
public enum ToolSupport: String, Sendable, CaseIterable {
    case none
    case generic
    case template
}

/// The value for the engine's name of it.
func known<E: RawRepresentable<String> & CaseIterable>(_ name: String, as type: E.Type = E.self) throws -> E {
    guard let value = E(rawValue: name) else {
        let names = E.allCases.map(\.rawValue).joined(separator: ", ")
        throw UzuError.internal(message: "The engine says \(name) where \(names) are known")
    }
    return value
}
