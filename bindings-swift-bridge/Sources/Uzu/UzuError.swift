import Foundation

/// What went wrong: one case for each code of the engine, each with a message to act on and the path, field, keyword or
/// tensor at fault by name.
public enum UzuError: Error, Sendable, Equatable {
    case invalidArgument(message: String, details: [String: String] = [:])
    case invalidState(message: String, details: [String: String] = [:])
    case modelNotFound(message: String, details: [String: String] = [:])
    case modelUnsupported(message: String, details: [String: String] = [:])
    case modelCorrupt(message: String, details: [String: String] = [:])
    case tensorMissing(message: String, details: [String: String] = [:])
    case downloadFailed(message: String, details: [String: String] = [:])
    case diskFull(message: String, details: [String: String] = [:])
    case offline(message: String, details: [String: String] = [:])
    case outOfMemory(message: String, details: [String: String] = [:])
    case contextOverflow(message: String, details: [String: String] = [:])
    case grammarUnsupported(message: String, details: [String: String] = [:])
    case grammarDeadEnd(message: String, details: [String: String] = [:])
    case templateFailed(message: String, details: [String: String] = [:])
    case toolFailed(message: String, details: [String: String] = [:])
    case toolTurnLimit(message: String, details: [String: String] = [:])
    case cancelled(message: String, details: [String: String] = [:])
    case providerFailed(message: String, details: [String: String] = [:])
    case closed(message: String, details: [String: String] = [:])
    case `internal`(message: String, details: [String: String] = [:])

    /// The code that every language knows the error by, `invalid_argument` say.
    public var code: String { parts.code }

    public var message: String { parts.message }

    /// What is at fault: a `path`, `field`, `keyword` or `tensor`.
    public var details: [String: String] { parts.details }

    private var parts: (code: String, message: String, details: [String: String]) {
        switch self {
        case .invalidArgument(let message, let details): ("invalid_argument", message, details)
        case .invalidState(let message, let details): ("invalid_state", message, details)
        case .modelNotFound(let message, let details): ("model_not_found", message, details)
        case .modelUnsupported(let message, let details): ("model_unsupported", message, details)
        case .modelCorrupt(let message, let details): ("model_corrupt", message, details)
        case .tensorMissing(let message, let details): ("tensor_missing", message, details)
        case .downloadFailed(let message, let details): ("download_failed", message, details)
        case .diskFull(let message, let details): ("disk_full", message, details)
        case .offline(let message, let details): ("offline", message, details)
        case .outOfMemory(let message, let details): ("out_of_memory", message, details)
        case .contextOverflow(let message, let details): ("context_overflow", message, details)
        case .grammarUnsupported(let message, let details): ("grammar_unsupported", message, details)
        case .grammarDeadEnd(let message, let details): ("grammar_dead_end", message, details)
        case .templateFailed(let message, let details): ("template_failed", message, details)
        case .toolFailed(let message, let details): ("tool_failed", message, details)
        case .toolTurnLimit(let message, let details): ("tool_turn_limit", message, details)
        case .cancelled(let message, let details): ("cancelled", message, details)
        case .providerFailed(let message, let details): ("provider_failed", message, details)
        case .closed(let message, let details): ("closed", message, details)
        case .internal(let message, let details): ("internal", message, details)
        }
    }
}

extension UzuError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { message }

    public var description: String { "\(code): \(message)" }
}

/// An error as the engine writes it.
struct ErrorJson: Decodable {
    let code: String
    let message: String
    let details: [String: String]?

    var error: UzuError {
        let details = details ?? [:]
        return switch code {
        case "invalid_argument": .invalidArgument(message: message, details: details)
        case "invalid_state": .invalidState(message: message, details: details)
        case "model_not_found": .modelNotFound(message: message, details: details)
        case "model_unsupported": .modelUnsupported(message: message, details: details)
        case "model_corrupt": .modelCorrupt(message: message, details: details)
        case "tensor_missing": .tensorMissing(message: message, details: details)
        case "download_failed": .downloadFailed(message: message, details: details)
        case "disk_full": .diskFull(message: message, details: details)
        case "offline": .offline(message: message, details: details)
        case "out_of_memory": .outOfMemory(message: message, details: details)
        case "context_overflow": .contextOverflow(message: message, details: details)
        case "grammar_unsupported": .grammarUnsupported(message: message, details: details)
        case "grammar_dead_end": .grammarDeadEnd(message: message, details: details)
        case "template_failed": .templateFailed(message: message, details: details)
        case "tool_failed": .toolFailed(message: message, details: details)
        case "tool_turn_limit": .toolTurnLimit(message: message, details: details)
        case "cancelled": .cancelled(message: message, details: details)
        case "provider_failed": .providerFailed(message: message, details: details)
        case "closed": .closed(message: message, details: details)
        default: .internal(message: message, details: details)
        }
    }
}
