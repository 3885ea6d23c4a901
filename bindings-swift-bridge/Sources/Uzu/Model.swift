/// Who made a family of models.
public struct ModelVendor: Sendable, Hashable, Decodable {
    public let identifier: String
    public let name: String
}

/// Models of one name in several sizes.
public struct ModelFamily: Sendable, Hashable, Decodable {
    public let identifier: String
    public let name: String
    public let vendor: ModelVendor
}

/// Where a model is known from.
public struct ModelRegistry: Sendable, Hashable, Decodable {
    public let identifier: String
    public let name: String
}

public struct ModelProperties: Sendable, Hashable, Decodable {
    public let size: String
    public let version: String?
}

/// How the weights were rounded.
public struct ModelQuantization: Sendable, Hashable, Decodable {
    public let method: String
    public let bitsPerWeight: Double

    private enum CodingKeys: String, CodingKey {
        case method
        case bitsPerWeight = "bits_per_weight"
    }
}

/// What a model on this machine can do.
public struct ModelCapabilities: Sendable, Hashable {
    /// Whether it has a chat template.
    public let chat: Bool
    /// Whether its template knows a reasoning mode.
    public let reasoning: Bool
    public let tools: ToolSupport
    /// Most tokens of a conversation.
    public let contextLength: Int
}

extension ModelCapabilities: Decodable {
    private enum CodingKeys: String, CodingKey {
        case chat, reasoning, tools
        case contextLength = "context_length"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        chat = try fields.decode(Bool.self, forKey: .chat)
        reasoning = try fields.decode(Bool.self, forKey: .reasoning)
        tools = try known(fields.decode(String.self, forKey: .tools))
        contextLength = try fields.decode(Int.self, forKey: .contextLength)
    }
}

/// A model that the engine knows. A model given by path has its absolute path as identifier.
public struct Model: Sendable, Hashable, Identifiable {
    public let identifier: String
    public let name: String
    public let registry: ModelRegistry
    public let backends: [String]
    public let family: ModelFamily?
    public let properties: ModelProperties?
    public let quantization: ModelQuantization?
    public let specializations: [ModelSpecialization]
    public let accessibility: ModelAccessibility
    private let downloadable: Bool

    public var id: String { identifier }

    public func isLocal() -> Bool { accessibility == .local }

    public func isRemote() -> Bool { accessibility == .remote }

    public func isDownloadable() -> Bool { downloadable }

    public func isChatCapable() -> Bool { specializations.contains(.chat) }

    public func isQuantized() -> Bool { quantization != nil }
}

extension Model: Decodable {
    private enum CodingKeys: String, CodingKey {
        case identifier, name, registry, backends, family, properties, quantization, specializations, accessibility
        case isDownloadable = "is_downloadable"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try fields.decode(String.self, forKey: .identifier)
        name = try fields.decode(String.self, forKey: .name)
        registry = try fields.decode(ModelRegistry.self, forKey: .registry)
        backends = try fields.decode([String].self, forKey: .backends)
        family = try fields.decodeIfPresent(ModelFamily.self, forKey: .family)
        properties = try fields.decodeIfPresent(ModelProperties.self, forKey: .properties)
        quantization = try fields.decodeIfPresent(ModelQuantization.self, forKey: .quantization)
        specializations = try fields.decode([String].self, forKey: .specializations).map { try known($0) }
        accessibility = try known(fields.decode(String.self, forKey: .accessibility))
        downloadable = try fields.decode(Bool.self, forKey: .isDownloadable)
    }
}
