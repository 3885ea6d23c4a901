import Foundation

/// What an engine computes with.
public struct EngineInfo: Sendable, Hashable, Decodable {
    /// The instruction set that multiplies matrices: `avx2`, `avx512vnni`, `neon`, …, or `vector` or `scalar` where Java
    /// does.
    public let matrixKernels: String
    /// The same for norms, activations and attention.
    public let rowKernels: String
    /// The file of the kernels in C; nil where none was found.
    public let kernelLibrary: String?
    /// Workers of a pass.
    public let threads: Int
    /// Bytes of the weights of all models in memory.
    public let weightBytes: Int64
    /// Bytes of their keys, values and scratch.
    public let workingBytes: Int64

    private enum CodingKeys: String, CodingKey {
        case threads
        case matrixKernels = "matrix_kernels"
        case rowKernels = "row_kernels"
        case kernelLibrary = "kernel_library"
        case weightBytes = "weight_bytes"
        case workingBytes = "working_bytes"
    }
}

/// What happens in an engine, whoever caused it; models by their identifiers.
public enum EngineEvent: Sendable, Hashable {
    /// A download began, moved on, stopped or failed, or the model was deleted.
    case download(model: String, state: DownloadState)
    /// The model's weights came into memory from a file or folder.
    case modelLoaded(model: String, path: String, weightBytes: Int64)
    /// The model's weights left memory.
    case modelUnloaded(model: String)
}

/// Events from the call on, until the engine is closed.
public final class EngineEvents: Sendable {
    private let source: Source

    init(_ source: Source) {
        self.source = source
    }

    /// The next event; nil once the engine was closed.
    public func next() async throws -> EngineEvent? {
        try Task.checkCancellation()
        switch await source.next() {
        case .chunk(let chunk): return try chunk.engineEvent()
        case .failure(let error) where error.code == "closed": return nil
        case .failure(let error): throw error
        case .end:
            try Task.checkCancellation()
            return nil
        }
    }

    public func iterator() -> AsyncThrowingStream<EngineEvent, any Error> {
        AsyncThrowingStream { try await self.next() }
    }

    public func close() async {
        await source.handle.close()
    }
}

/// Calls back for each event until it is cancelled or nobody has it any more.
public final class EngineCallback: Sendable {
    private let events: EngineEvents
    private let task: Task<Void, Never>

    init(_ events: EngineEvents, _ callback: @escaping @Sendable (EngineEvent) -> Void) {
        self.events = events
        task = Task {
            while let event = try? await events.next() {
                callback(event)
            }
        }
    }

    deinit {
        task.cancel()
    }

    public func cancel() {
        task.cancel()
    }
}

extension ChunkJson {
    fileprivate func engineEvent() throws -> EngineEvent {
        let model = try model.orMissing("model")
        switch type {
        case "download":
            return .download(model: model, state: try state.orMissing("state"))
        case "model_loaded":
            return .modelLoaded(
                model: model, path: try path.orMissing("path"), weightBytes: try weightBytes.orMissing("weight_bytes"))
        case "model_unloaded":
            return .modelUnloaded(model: model)
        default:
            throw UzuError.internal(message: "The engine says \(type ?? "nothing"), which is no event")
        }
    }
}
