/// Something that a text is asked for, sentiment say, and the answers that are expected.
public struct Feature: Sendable, Equatable {
    public var name: String
    public var values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// Something that guesses the model's next tokens.
public enum ChatDrafter: Sendable, Equatable {
    /// What followed when the last tokens stood earlier in the conversation.
    case lookup
    /// What followed the last tokens in the model's replies of other conversations, since it was loaded. Nothing is
    /// written down; but how fast a reply comes may tell that another conversation had the same words.
    case recall
    /// Tables of what the model says after its last tokens, trained on its own answers.
    case tables
    /// The trained network that came with the model or was made for it.
    case network
    /// A smaller model with the same vocabulary.
    case draftModel(identifier: String)

    var json: Json {
        switch self {
        case .lookup: .string("lookup")
        case .recall: .string("recall")
        case .tables: .string("tables")
        case .network: .string("network")
        case .draftModel(let identifier):
            .object(["type": .string("draft_model"), "identifier": .string(identifier)])
        }
    }
}

/// How replies are sped up by verifying guesses. What the model answers stays the same.
public enum ChatSpeculationPreset: Sendable, Equatable {
    /// Everything that there are drafters for, as far as it pays.
    case auto
    /// Token by token.
    case off
    /// For conversations.
    case generalChat
    /// For answers that repeat much of what was said: summaries, edits, extracts.
    case summarization
    /// For answers that are one of the feature's values; others come as well.
    case classification(feature: Feature)
    /// Chosen drafters only; a model that lacks one of them refuses the session. `maxNodes`: most tokens that one pass
    /// verifies, the last certain one included; 2 to 64.
    case custom(drafters: [ChatDrafter], maxNodes: Int = 32, verifier: ChatVerifier = .sharedNoise)

    var json: Json {
        switch self {
        case .auto: .string("auto")
        case .off: .string("off")
        case .generalChat: .string("general_chat")
        case .summarization: .string("summarization")
        case .classification(let feature):
            .object([
                "type": .string("classification"),
                "feature": .object([
                    "name": .string(feature.name), "values": .array(feature.values.map { .string($0) }),
                ]),
            ])
        case .custom(let drafters, let maxNodes, let verifier):
            .object([
                "type": .string("custom"),
                "drafters": .array(drafters.map(\.json)),
                "max_nodes": .integer(Int64(maxNodes)),
                "verifier": .string(verifier.rawValue),
            ])
        }
    }
}
