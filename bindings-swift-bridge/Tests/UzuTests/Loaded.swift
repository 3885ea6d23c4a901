import Foundation
import Uzu

/// The default model, loaded once for all tests of a process.
enum Loaded {
    static let identifier = "huggingface:smollm2:135m:gguf:q4_1:4"

    private static let everything = Task {
        let engine = try await Engine.create(config: .create())
        guard let model = try await engine.model(identifier: identifier) else {
            throw UzuError.modelNotFound(message: "The test model isn't known")
        }
        for try await _ in try await engine.download(model: model).iterator() {}
        return (engine, model, try await engine.chatInstance(model: model))
    }

    static var engine: Engine {
        get async throws { try await everything.value.0 }
    }

    static var model: Model {
        get async throws { try await everything.value.1 }
    }

    static var instance: ChatInstance {
        get async throws { try await everything.value.2 }
    }

    static func session() async throws -> ChatSession {
        try await engine.chatWithInstance(instance: instance)
    }
}

/// A question in a list, as sessions take it.
func question(_ text: String) -> [ChatMessage] {
    [ChatMessage.user().withText(text: text)]
}

/// Replies that are the same each time, and short.
func greedy(_ tokens: Int) -> ChatReplyConfig {
    .create().withTokenLimit(tokenLimit: tokens).withSamplingMethod(samplingMethod: .greedy)
}

/// What is thrown, as the engine's error.
func failure(_ body: () async throws -> Void) async -> UzuError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? UzuError
    }
}
