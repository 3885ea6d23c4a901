import CUzu
import Foundation

/// Asks for the end of a reply, at any time, any number of times.
public final class CancelToken: Sendable {
    private let onCancel: @Sendable () -> Void
    private let flag = Flag()

    init(onCancel: @escaping @Sendable () -> Void = {}) {
        self.onCancel = onCancel
    }

    public static func create() -> CancelToken { CancelToken() }

    public func cancel() {
        if flag.raise() {
            onCancel()
        }
    }

    public func isCancelled() -> Bool { flag.isRaised }
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var raised = false

    var isRaised: Bool { lock.withLock { raised } }

    /// Whether it wasn't yet.
    func raise() -> Bool {
        lock.withLock {
            defer { raised = true }
            return !raised
        }
    }
}

/// A stream of the engine and where it arrives.
final class Source: Sendable {
    let handle: Handle
    let inbox: Inbox

    private init(handle: Handle, inbox: Inbox) {
        self.handle = handle
        self.inbox = inbox
    }

    /// What a call makes, read by the process's reader.
    static func open(
        of: any AnyObject & Sendable, toolCalls: ToolCalls? = nil, _ make: @escaping @Sendable () throws -> UInt64
    ) async throws -> Source {
        let handle = Handle(try await Runtime.shared.make(make), of: of)
        let inbox = try await Runtime.shared.workers.run {
            try Runtime.shared.streams.open(handle.value, toolCalls: toolCalls)
        }
        return Source(handle: handle, inbox: inbox)
    }

    /// The next event. A cancelled task asks the engine to stop, whose last chunk then comes within one pass.
    func next() async -> StreamEvent {
        await withTaskCancellationHandler { await inbox.next() } onCancel: { inbox.cancel() }
    }
}

/// Cancels what it reads when nobody iterates over it any more: the loop was left, or its task cancelled.
private final class Iteration: Sendable {
    private let inbox: Inbox?

    init(_ inbox: Inbox?) {
        self.inbox = inbox
    }

    deinit {
        inbox?.cancel()
    }
}

/// Progress of a download. A failure is thrown; leaving the stream doesn't stop the download.
public final class DownloaderStream: Sendable {
    private let source: Source

    init(_ source: Source) {
        self.source = source
    }

    /// The next update; nil after the last.
    public func next() async throws -> DownloaderStreamUpdate? {
        try Task.checkCancellation()
        switch await source.next() {
        case .chunk(let chunk):
            return DownloaderStreamUpdate(
                bytesTotal: try chunk.bytesTotal.orMissing("bytes_total"),
                bytesDownloaded: try chunk.bytesDownloaded.orMissing("bytes_downloaded"),
                part: try chunk.progress.orMissing("progress"))
        case .failure(let error): throw error
        case .end:
            try Task.checkCancellation()
            return nil
        }
    }

    public func iterator() -> AsyncThrowingStream<DownloaderStreamUpdate, any Error> {
        AsyncThrowingStream { try await self.next() }
    }

    /// Lets the stream go; the download goes on.
    public func close() async {
        await source.handle.close()
    }
}

/// A completion while it is made: each result has the whole text so far. A failure is thrown.
public final class CompletionStream: @unchecked Sendable {
    private let source: Source
    private let token: CancelToken
    private let lock = NSLock()
    private var folded = FoldedReply()

    init(_ source: Source) {
        self.source = source
        let inbox = source.inbox
        token = CancelToken { inbox.cancel() }
    }

    /// The next result; nil after the last.
    public func next() async throws -> Completion? {
        switch await source.next() {
        case .chunk(let chunk): return try lock.withLock { try folded.completion(chunk) }
        case .failure(let error): throw error
        case .end: return nil
        }
    }

    public func iterator() -> AsyncThrowingStream<Completion, any Error> {
        let iteration = Iteration(source.inbox)
        return AsyncThrowingStream { try await withExtendedLifetime(iteration) { self }.next() }
    }

    /// Stops the completion within one forward pass; the stream then ends with what there is.
    public func cancelToken() -> CancelToken { token }

    /// Stops the completion, and waits for that.
    public func close() async {
        await source.handle.close()
    }
}

/// What a stream of a reply hands out.
public enum ChatSessionStreamChunk: Sendable {
    /// The replies so far, each with its whole message.
    case replies(replies: [ChatReply])
    /// What the tools that the model called came to; further replies follow.
    case toolResults(results: [ToolCallResult])
    /// The reply failed; the last chunk.
    case error(error: UzuError)
}

/// A reply while it is made. A failure is the last chunk, `error`.
public final class ChatSessionStream: @unchecked Sendable {
    private enum State {
        case open(Source)
        case refused(UzuError)
        case ended
    }

    private let token: CancelToken
    private let lock = NSLock()
    private var state: State
    private var folded = FoldedReply()

    init(_ source: Source) {
        state = .open(source)
        let inbox = source.inbox
        token = CancelToken { inbox.cancel() }
    }

    /// One that ends with its first chunk: the engine has refused the input.
    init(refused error: UzuError) {
        state = .refused(error)
        token = CancelToken()
    }

    /// The next chunk; nil after the last. A cancelled task stops the reply: what comes then is how far it got.
    public func next() async -> ChatSessionStreamChunk? {
        let state = lock.withLock {
            defer {
                if case .refused = self.state {
                    self.state = .ended
                }
            }
            return self.state
        }
        switch state {
        case .ended: return nil
        case .refused(let error): return .error(error: error)
        case .open(let source):
            switch await source.next() {
            case .chunk(let chunk): return decoded(chunk)
            case .failure(let error): return .error(error: error)
            case .end: return nil
            }
        }
    }

    public func iterator() -> AsyncThrowingStream<ChatSessionStreamChunk, any Error> {
        let iteration = Iteration(source?.inbox)
        return AsyncThrowingStream { await withExtendedLifetime(iteration) { self }.next() }
    }

    /// Waits for the end. The error that ended the reply is thrown.
    public func replies() async throws -> [ChatReply] {
        var last: [ChatReply] = []
        while let chunk = await next() {
            switch chunk {
            case .replies(let replies): last = replies
            case .toolResults: break
            case .error(let error): throw error
            }
        }
        return last
    }

    /// Stops the reply within one forward pass, in prefill too; the stream then ends with what there is.
    public func cancelToken() -> CancelToken { token }

    /// Stops the reply, and waits for that.
    public func close() async {
        await source?.handle.close()
    }

    private var source: Source? {
        lock.withLock {
            if case .open(let source) = state { source } else { nil }
        }
    }

    private func decoded(_ chunk: ChunkJson) -> ChatSessionStreamChunk {
        do {
            if let results = chunk.toolResults {
                return .toolResults(results: results.map { $0.result() })
            }
            return .replies(replies: [try lock.withLock { try folded.reply(chunk) }])
        } catch {
            return .error(error: error as? UzuError ?? .internal(message: "\(error)"))
        }
    }
}
