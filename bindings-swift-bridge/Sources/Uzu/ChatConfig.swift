/// Most tokens of a conversation: the model's own context length up to 16,384, all of it, or a number.
public enum ContextLength: Sendable, Equatable {
    case `default`
    case maximal
    case custom(length: Int)

    var json: Json {
        switch self {
        case .default: .string("default")
        case .maximal: .string("maximal")
        case .custom(let length): .integer(Int64(length))
        }
    }
}

/// How a session or an instance is set up.
public struct ChatConfig: Sendable, Equatable {
    public var contextLength: ContextLength
    public var samplingSeed: SamplingSeed
    /// nil: the same as `auto`.
    public var speculationPreset: ChatSpeculationPreset?
    public var kvCache: KvCache
    /// How the model writes calls and reasoning, for one whose template doesn't tell: a name of docs/messages.md.
    public var messageFormat: String?

    public init(
        contextLength: ContextLength = .default, samplingSeed: SamplingSeed = .default,
        speculationPreset: ChatSpeculationPreset? = .auto, kvCache: KvCache = .f16,
        messageFormat: String? = nil
    ) {
        self.contextLength = contextLength
        self.samplingSeed = samplingSeed
        self.speculationPreset = speculationPreset
        self.kvCache = kvCache
        self.messageFormat = messageFormat
    }

    public static func create() -> ChatConfig {
        ChatConfig()
    }

    public func withContextLength(contextLength: ContextLength) -> ChatConfig {
        copied(self) { $0.contextLength = contextLength }
    }

    public func withSamplingSeed(samplingSeed: SamplingSeed) -> ChatConfig {
        copied(self) { $0.samplingSeed = samplingSeed }
    }

    public func withSpeculationPreset(speculationPreset: ChatSpeculationPreset?) -> ChatConfig {
        copied(self) { $0.speculationPreset = speculationPreset }
    }

    public func withKvCache(kvCache: KvCache) -> ChatConfig {
        copied(self) { $0.kvCache = kvCache }
    }

    public func withMessageFormat(messageFormat: String?) -> ChatConfig {
        copied(self) { $0.messageFormat = messageFormat }
    }

    var json: Json {
        .object([
            "context_length": contextLength.json,
            "sampling_seed": samplingSeed.json,
            "speculation_preset": (speculationPreset ?? .auto).json,
            "kv_cache": .string(kvCache.rawValue),
            "message_format": .optional(messageFormat),
        ])
    }
}
