import Foundation

/// How an engine runs. `create` reads the environment; what is given wins. Keys are for cloud models, which this
/// version doesn't know yet; they don't show when a configuration is printed.
public struct EngineConfig: Sendable, Equatable {
    public var openaiApiKey: String?
    public var anthropicApiKey: String?
    public var geminiApiKey: String?
    public var xaiApiKey: String?
    public var basetenApiKey: String?
    public var openrouterApiKey: String?
    public var huggingfaceApiKey: String?
    public var miraiApiKey: String?
    /// A folder of one's own models.
    public var localPath: String?
    public var lalamoPath: String?
    public var allowOllamaUsage: Bool
    public var allowLmstudioUsage: Bool
    /// Where downloaded models lie; nil: `UZU_CACHE`, else `~/.cache/uzu`.
    public var cachePath: String?
    public var precision: Precision
    /// nil: `UZU_BACKEND`, else `auto`.
    public var backend: Backend?
    /// Worker threads of a pass; 0: the physical cores that this process may use.
    public var threads: Int
    /// Whether nothing may be fetched.
    public var offline: Bool

    public init(
        openaiApiKey: String? = nil, anthropicApiKey: String? = nil, geminiApiKey: String? = nil,
        xaiApiKey: String? = nil, basetenApiKey: String? = nil, openrouterApiKey: String? = nil,
        huggingfaceApiKey: String? = nil, miraiApiKey: String? = nil, localPath: String? = nil,
        lalamoPath: String? = nil, allowOllamaUsage: Bool = true, allowLmstudioUsage: Bool = true,
        cachePath: String? = nil, precision: Precision = .fast, backend: Backend? = nil, threads: Int = 0,
        offline: Bool = false
    ) {
        self.openaiApiKey = openaiApiKey
        self.anthropicApiKey = anthropicApiKey
        self.geminiApiKey = geminiApiKey
        self.xaiApiKey = xaiApiKey
        self.basetenApiKey = basetenApiKey
        self.openrouterApiKey = openrouterApiKey
        self.huggingfaceApiKey = huggingfaceApiKey
        self.miraiApiKey = miraiApiKey
        self.localPath = localPath
        self.lalamoPath = lalamoPath
        self.allowOllamaUsage = allowOllamaUsage
        self.allowLmstudioUsage = allowLmstudioUsage
        self.cachePath = cachePath
        self.precision = precision
        self.backend = backend
        self.threads = threads
        self.offline = offline
    }

    /// What the environment says, else the defaults.
    public static func create() -> EngineConfig {
        let environment = ProcessInfo.processInfo.environment
        func read(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        var config = EngineConfig()
        config.openaiApiKey = read("OPENAI_API_KEY")
        config.anthropicApiKey = read("ANTHROPIC_API_KEY")
        config.geminiApiKey = read("GEMINI_API_KEY")
        config.xaiApiKey = read("XAI_API_KEY")
        config.basetenApiKey = read("BASETEN_API_KEY")
        config.openrouterApiKey = read("OPENROUTER_API_KEY")
        config.huggingfaceApiKey = read("HF_TOKEN")
        config.miraiApiKey = read("MIRAI_API_KEY")
        config.localPath = read("LOCAL_PATH")
        config.lalamoPath = read("LALAMO_PATH")
        config.cachePath = read("UZU_CACHE")
        return config
    }

    public func withOpenaiApiKey(openaiApiKey: String?) -> EngineConfig {
        copied(self) { $0.openaiApiKey = openaiApiKey }
    }

    public func withAnthropicApiKey(anthropicApiKey: String?) -> EngineConfig {
        copied(self) { $0.anthropicApiKey = anthropicApiKey }
    }

    public func withGeminiApiKey(geminiApiKey: String?) -> EngineConfig {
        copied(self) { $0.geminiApiKey = geminiApiKey }
    }

    public func withXaiApiKey(xaiApiKey: String?) -> EngineConfig {
        copied(self) { $0.xaiApiKey = xaiApiKey }
    }

    public func withBasetenApiKey(basetenApiKey: String?) -> EngineConfig {
        copied(self) { $0.basetenApiKey = basetenApiKey }
    }

    public func withOpenrouterApiKey(openrouterApiKey: String?) -> EngineConfig {
        copied(self) { $0.openrouterApiKey = openrouterApiKey }
    }

    public func withHuggingfaceApiKey(huggingfaceApiKey: String?) -> EngineConfig {
        copied(self) { $0.huggingfaceApiKey = huggingfaceApiKey }
    }

    public func withMiraiApiKey(miraiApiKey: String?) -> EngineConfig {
        copied(self) { $0.miraiApiKey = miraiApiKey }
    }

    public func withLocalPath(localPath: String?) -> EngineConfig {
        copied(self) { $0.localPath = localPath }
    }

    public func withLalamoPath(lalamoPath: String?) -> EngineConfig {
        copied(self) { $0.lalamoPath = lalamoPath }
    }

    public func withAllowOllamaUsage(allowOllamaUsage: Bool) -> EngineConfig {
        copied(self) { $0.allowOllamaUsage = allowOllamaUsage }
    }

    public func withAllowLmstudioUsage(allowLmstudioUsage: Bool) -> EngineConfig {
        copied(self) { $0.allowLmstudioUsage = allowLmstudioUsage }
    }

    public func withCachePath(cachePath: String?) -> EngineConfig {
        copied(self) { $0.cachePath = cachePath }
    }

    public func withPrecision(precision: Precision) -> EngineConfig {
        copied(self) { $0.precision = precision }
    }

    public func withBackend(backend: Backend?) -> EngineConfig {
        copied(self) { $0.backend = backend }
    }

    public func withThreads(threads: Int) -> EngineConfig {
        copied(self) { $0.threads = threads }
    }

    public func withOffline(offline: Bool) -> EngineConfig {
        copied(self) { $0.offline = offline }
    }

    var json: Json {
        .object([
            "local_path": .optional(localPath),
            "cache_path": .optional(cachePath),
            "precision": .string(precision.rawValue),
            "backend": .optional(backend?.rawValue),
            "threads": .integer(Int64(threads)),
            "offline": .bool(offline),
        ])
    }
}

extension EngineConfig: CustomStringConvertible, CustomReflectable {
    public var description: String {
        "EngineConfig(\(json.text))"
    }

    public var customMirror: Mirror {
        Mirror(self, children: [
            "localPath": localPath as Any, "cachePath": cachePath as Any, "precision": precision,
            "backend": backend as Any, "threads": threads, "offline": offline,
        ])
    }
}

/// A copy with a change.
func copied<T>(_ value: T, _ change: (inout T) -> Void) -> T {
    var copy = value
    change(&copy)
    return copy
}
