import CUzu
import Foundation

/// What a process has once: threads that wait for the engine, and the one that reads all its streams.
final class Runtime: Sendable {
    static let shared = Runtime()

    let workers = Workers()
    let streams: StreamReader
    private let engines = OpenHandles()

    private init() {
        streams = StreamReader(workers)
        // Replies end, and locks of downloads are given back, however the program ends.
        atexit { Runtime.shared.engines.closeAll() }
    }

    /// A call that makes something which has to be closed. Nobody waits for what a cancelled task has asked for: it is
    /// closed when it is there.
    func make(_ call: @escaping @Sendable () throws -> UInt64) async throws -> UInt64 {
        try Task.checkCancellation()
        let made = Made()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                made.wait(continuation)
                workers.start {
                    let result = Result(catching: call)
                    if !made.settle(result), case .success(let handle) = result {
                        try? Native.run(uzu_handle_close, handle)
                    }
                }
            }
        } onCancel: {
            _ = made.settle(.failure(CancellationError()))
        }
    }

    func opened(engine: UInt64) {
        engines.insert(engine)
    }

    func closed(_ handle: UInt64) {
        engines.remove(handle)
    }
}

/// Engines that are open, to be closed when the process ends.
private final class OpenHandles: @unchecked Sendable {
    private static let secondsAtExit = 5.0

    private let lock = NSLock()
    private var handles: Set<UInt64> = []

    func insert(_ handle: UInt64) {
        lock.withLock { _ = handles.insert(handle) }
    }

    func remove(_ handle: UInt64) {
        lock.withLock { _ = handles.remove(handle) }
    }

    func closeAll() {
        let open = lock.withLock { handles }
        if open.isEmpty {
            return
        }
        let closed = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            open.forEach { try? Native.run(uzu_handle_close, $0) }
            closed.signal()
        }
        _ = closed.wait(timeout: .now() + OpenHandles.secondsAtExit)
    }
}

/// One result for one who waits, whichever comes first: the result or the end of the waiting.
private final class Made: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<UInt64, any Error>?
    private var early: Result<UInt64, any Error>?
    private var isSettled = false

    func wait(_ continuation: CheckedContinuation<UInt64, any Error>) {
        let early = lock.withLock {
            self.continuation = self.early == nil ? continuation : nil
            return self.early
        }
        if let early {
            continuation.resume(with: early)
        }
    }

    /// Whether this was the first.
    func settle(_ result: Result<UInt64, any Error>) -> Bool {
        let (isFirst, waiting) = lock.withLock {
            defer {
                isSettled = true
                continuation = nil
            }
            if !isSettled && continuation == nil {
                early = result
            }
            return (!isSettled, continuation)
        }
        waiting?.resume(with: result)
        return isFirst
    }
}

/// A handle that is closed with its object, by hand or when nobody has it any more. What it was made of isn't closed
/// before.
final class Handle: @unchecked Sendable {
    let value: UInt64
    private let of: (any AnyObject & Sendable)?
    private let lock = NSLock()
    private var isClosed = false

    init(_ value: UInt64, of: (any AnyObject & Sendable)?) {
        self.value = value
        self.of = of
    }

    deinit {
        if !isClosed {
            // Closing waits for the engine to let go, which whoever drops an object must not.
            let value = value
            Runtime.shared.workers.start { Handle.close(value) }
        }
    }

    /// Waits until nothing of it runs any more. Nothing happens the second time.
    func close() async {
        let isFirst = lock.withLock {
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst {
            let value = value
            try? await Runtime.shared.workers.run { Handle.close(value) }
        }
    }

    private static func close(_ value: UInt64) {
        Runtime.shared.closed(value)
        Runtime.shared.streams.forget(value)
        try? Native.run(uzu_handle_close, value)
    }

    func run(_ function: @escaping @Sendable (UInt64, Native.Failure?) -> Int32) async throws {
        try await Runtime.shared.workers.run { try Native.run(function, self.value) }
    }

    func run(
        _ function: @escaping @Sendable (UInt64, Native.Text?, Int64, Native.Failure?) -> Int32, _ text: String
    ) async throws {
        try await Runtime.shared.workers.run { try Native.run(function, self.value, text) }
    }

    func call<R: NativeResult>(
        _ function: @escaping @Sendable (UInt64, Native.Out<R>?, Native.Failure?) -> Int32
    ) async throws -> R {
        try await Runtime.shared.workers.run { try Native.call(function, self.value) }
    }

    func call<R: NativeResult>(
        _ function: @escaping @Sendable (UInt64, Native.Text?, Int64, Native.Out<R>?, Native.Failure?) -> Int32,
        _ text: String
    ) async throws -> R {
        try await Runtime.shared.workers.run { try Native.call(function, self.value, text) }
    }
}
