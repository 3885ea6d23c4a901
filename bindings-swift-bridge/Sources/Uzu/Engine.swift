import CUzu
import Foundation

/// An engine. Creating one opens no connection and loads nothing. It is closed when nobody has it any more, nor anything
/// made from it.
public final class Engine: Sendable {
    private let handle: Handle

    private init(_ handle: Handle) {
        self.handle = handle
    }

    /// Starts the runtime that engines live in, when it is the first of the process.
    public static func create(config: EngineConfig = .create()) async throws -> Engine {
        let settings = config.json.text
        let engine = try await Runtime.shared.make { try Native.make(uzu_engine_create, settings) }
        Runtime.shared.opened(engine: engine)
        return Engine(Handle(engine, of: nil))
    }

    /// The version of the engine.
    public static var version: String {
        String(cString: uzu_version())
    }

    /// What it computes with.
    public func info() async throws -> EngineInfo {
        try decoded(try await handle.call { uzu_engine_info($0, $1, $2) })
    }

    /// What happens from now on, whoever causes it. A slow reader gets the last step of a download for all before.
    public func events() async throws -> EngineEvents {
        let engine = handle.value
        return EngineEvents(try await Source.open(of: handle) { try Native.call(uzu_engine_events, engine) })
    }

    /// The same, as calls of a function while the result is held.
    public func registerCallback(
        _ callback: @escaping @Sendable (EngineEvent) -> Void
    ) async throws -> EngineCallback {
        EngineCallback(try await events(), callback)
    }

    /// The model for an identifier, a shorthand (`smollm2`), a repository id or a local path; nil: there is none.
    public func model(identifier: String) async throws -> Model? {
        try decoded(try await handle.call({ uzu_engine_model($0, $1, $2, $3, $4) }, identifier))
    }

    public func models() async throws -> [Model] { try await models([:]) }

    public func modelsLocal() async throws -> [Model] { try await models(["kind": .string("local")]) }

    public func modelsRemote() async throws -> [Model] { try await models(["kind": .string("remote")]) }

    public func modelsDownloadable() async throws -> [Model] { try await models(["kind": .string("downloadable")]) }

    public func modelsForChat() async throws -> [Model] { try await models(["kind": .string("chat")]) }

    public func modelsByVendor(vendor: ModelVendor) async throws -> [Model] {
        try await models(["vendor": .string(vendor.identifier)])
    }

    public func modelsByFamily(family: ModelFamily) async throws -> [Model] {
        try await models(["family": .string(family.identifier)])
    }

    public func modelVendors() async throws -> [ModelVendor] {
        try decoded(try await handle.call { uzu_engine_vendors($0, $1, $2) })
    }

    public func modelFamilies() async throws -> [ModelFamily] {
        try decoded(try await handle.call { uzu_engine_families($0, $1, $2) })
    }

    public func modelRegistries() async throws -> [ModelRegistry] {
        try decoded(try await handle.call { uzu_engine_registries($0, $1, $2) })
    }

    /// The file or folder that the model is loaded from; nil when it isn't on this machine.
    public func modelPath(model: Model) async throws -> String? {
        try decoded(try await handle.call({ uzu_engine_model_path($0, $1, $2, $3, $4) }, model.identifier))
    }

    /// What a model on this machine can do.
    public func capabilities(model: Model) async throws -> ModelCapabilities {
        try decoded(try await handle.call({ uzu_engine_capabilities($0, $1, $2, $3, $4) }, model.identifier))
    }

    public func countTokens(model: Model, text: String) async throws -> Int {
        let (engine, identifier) = (handle.value, model.identifier)
        let count: Int64 = try await Runtime.shared.workers.run {
            try Native.call(uzu_engine_count_tokens, engine, identifier, text)
        }
        return Int(count)
    }

    /// Starts fetching the model, or joins the download that runs; finished at once when nothing is to do.
    public func download(model: Model) async throws -> DownloaderStream {
        let (engine, identifier) = (handle.value, model.identifier)
        return DownloaderStream(
            try await Source.open(of: handle) { try Native.call(uzu_download_start, engine, identifier) })
    }

    public func downloader(model: Model) -> Downloader {
        Downloader(engine: handle, model: model.identifier)
    }

    public func downloadState(model: Model) async throws -> DownloadState? {
        try await downloader(model: model).state()
    }

    /// States of all downloadable models, by identifier.
    public func downloadStates() async throws -> [String: DownloadState] {
        try decoded(try await handle.call { uzu_download_states($0, $1, $2) })
    }

    /// A new conversation; waits while the model loads.
    public func chat(model: Model, config: ChatConfig = .create()) async throws -> ChatSession {
        ChatSession(Handle(try await load(uzu_engine_chat, model, config), of: handle))
    }

    /// Loads the weights once, for any number of sessions.
    public func chatInstance(model: Model, config: ChatConfig = .create()) async throws -> ChatInstance {
        ChatInstance(Handle(try await load(uzu_engine_instance, model, config), of: handle))
    }

    /// A new conversation on loaded weights; sessions of one instance run at the same time.
    public func chatWithInstance(instance: ChatInstance) async throws -> ChatSession {
        let value = instance.handle.value
        let session = try await Runtime.shared.make { try Native.call(uzu_instance_chat, value) }
        return ChatSession(Handle(session, of: instance.handle))
    }

    /// Continues a text as it stands, without a chat template.
    public func complete(
        model: Model, text: String, config: ChatReplyConfig = .create()
    ) async throws -> Completion {
        let stream = try await completeWithStream(model: model, text: text, config: config)
        var last: Completion?
        while let next = try await stream.next() {
            last = next
        }
        try Task.checkCancellation()
        return try last.orMissing("end")
    }

    public func completeWithStream(
        model: Model, text: String, config: ChatReplyConfig = .create()
    ) async throws -> CompletionStream {
        let (engine, identifier, settings) = (handle.value, model.identifier, config.json.text)
        return CompletionStream(
            try await Source.open(of: handle) {
                try Native.call(uzu_engine_complete, engine, identifier, text, settings)
            })
    }

    /// Ends running replies and frees everything. Nothing happens the second time.
    public func close() async {
        await handle.close()
    }

    private func models(_ query: KeyValuePairs<String, Json>) async throws -> [Model] {
        let text = Json.object(query).text
        return try decoded(try await handle.call({ uzu_engine_models($0, $1, $2, $3, $4) }, text))
    }

    private typealias Loader = @Sendable (
        UInt64, Native.Text?, Int64, Native.Text?, Int64, Native.Out<UInt64>?, Native.Failure?
    ) -> Int32

    private func load(_ function: @escaping Loader, _ model: Model, _ config: ChatConfig) async throws -> UInt64 {
        let (engine, identifier, settings) = (handle.value, model.identifier, config.json.text)
        return try await Runtime.shared.make { try Native.call(function, engine, identifier, settings) }
    }
}

/// The download of one model.
public final class Downloader: Sendable {
    private let engine: Handle
    private let model: String

    init(engine: Handle, model: String) {
        self.engine = engine
        self.model = model
    }

    /// nil: the model can't be downloaded.
    public func state() async throws -> DownloadState? {
        try decoded(try await engine.call({ uzu_download_state($0, $1, $2, $3, $4) }, model))
    }

    /// Starts or goes on; after an error, starts again.
    public func resume() async throws {
        try await engine.run({ uzu_download_resume($0, $1, $2, $3) }, model)
    }

    /// Stops, keeping what was fetched. An error when nothing is being downloaded.
    public func pause() async throws {
        try await engine.run({ uzu_download_pause($0, $1, $2, $3) }, model)
    }

    /// Removes the model's files.
    public func delete() async throws {
        try await engine.run({ uzu_download_delete($0, $1, $2, $3) }, model)
    }

    /// Updates until the download ends, pauses or fails; empty when none runs.
    public func progress() async throws -> DownloaderStream {
        let (engine, model) = (engine.value, model)
        return DownloaderStream(
            try await Source.open(of: self.engine) { try Native.call(uzu_download_watch, engine, model) })
    }
}
