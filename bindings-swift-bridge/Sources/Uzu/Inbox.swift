import CUzu
import Foundation

/// What a stream gives, in order.
enum StreamEvent: Sendable {
    case chunk(ChunkJson)
    case failure(UzuError)
    case end
}

/// Where a stream's events arrive, for one reader. Calls of tools start as they arrive, read or not.
final class Inbox: @unchecked Sendable {
    let stream: UInt64
    private let workers: Workers
    private let toolCalls: ToolCalls?
    private let lock = NSLock()
    private var events: [StreamEvent] = []
    private var first = 0
    private var hasEnded = false
    private var isCancelled = false
    private var reader: CheckedContinuation<StreamEvent, Never>?

    init(stream: UInt64, workers: Workers, toolCalls: ToolCalls?) {
        self.stream = stream
        self.workers = workers
        self.toolCalls = toolCalls
    }

    func put(_ event: StreamEvent) {
        if case .chunk(let chunk) = event, let calls = chunk.callTools {
            toolCalls?.start(calls, of: stream)
            return
        }
        if case .end = event {
            toolCalls?.end()
        }
        let waiting = lock.withLock {
            events.append(event)
            return reader.take().map { ($0, pop()) }
        }
        if let (reader, event) = waiting {
            reader.resume(returning: event)
        }
    }

    /// Whoever still waits gets `closed`.
    func close(_ message: String) {
        toolCalls?.cancel()
        put(.failure(.closed(message: message)))
        put(.end)
    }

    /// The next event, again and again `.end` after the last.
    func next() async -> StreamEvent {
        await withCheckedContinuation { continuation in
            let event: StreamEvent? = lock.withLock {
                if hasEnded || first < events.count {
                    return pop()
                }
                if reader != nil {
                    return .failure(.invalidState(message: "Another task reads this stream already"))
                }
                reader = continuation
                return nil
            }
            if let event {
                continuation.resume(returning: event)
            }
        }
    }

    /// Asks the engine to stop, and doesn't wait for it. What was closed meanwhile needs no cancelling.
    func cancel() {
        let isFirst = lock.withLock {
            defer { isCancelled = true }
            return !isCancelled
        }
        if isFirst {
            toolCalls?.cancel()
            let stream = stream
            workers.start { try? Native.run(uzu_stream_cancel, stream) }
        }
    }

    private func pop() -> StreamEvent {
        if hasEnded {
            return .end
        }
        let event = events[first]
        first += 1
        if first == events.count {
            events.removeAll(keepingCapacity: true)
            first = 0
        }
        if case .end = event {
            hasEnded = true
        }
        return event
    }
}

/// The thread that reads all streams of the process, through one queue.
final class StreamReader: @unchecked Sendable {
    private let workers: Workers
    private let lock = NSLock()
    private var inboxes: [UInt64: Inbox] = [:]
    private var queue: UInt64 = 0

    init(_ workers: Workers) {
        self.workers = workers
    }

    /// Where the stream's chunks will be; once a stream. It waits.
    func open(_ stream: UInt64, toolCalls: ToolCalls?) throws -> Inbox {
        let inbox = Inbox(stream: stream, workers: workers, toolCalls: toolCalls)
        let queue = try lock.withLock {
            if self.queue == 0 {
                self.queue = try Native.make(uzu_queue_create)
                start(self.queue)
            }
            inboxes[stream] = inbox
            return self.queue
        }
        do {
            try Native.add(stream, to: queue)
        } catch {
            forget(stream)
            throw error
        }
        return inbox
    }

    /// For a stream that is closed before its end.
    func forget(_ stream: UInt64) {
        lock.withLock { inboxes.removeValue(forKey: stream) }?.close("The stream was closed")
    }

    private func start(_ queue: UInt64) {
        let thread = Thread {
            while let ready = try? Native.next(queue: queue) {
                self.deliver(ready)
            }
            let left = self.lock.withLock {
                defer { self.inboxes = [:] }
                return self.inboxes.values.map { $0 }
            }
            left.forEach { $0.close("The engine was closed") }
        }
        thread.name = "uzu-streams"
        thread.start()
    }

    private func deliver(_ ready: String) {
        do {
            for entry in try decoded(ready, as: [EntryJson].self) {
                let isEnd = entry.end == true
                let inbox = lock.withLock {
                    isEnd ? inboxes.removeValue(forKey: entry.stream) : inboxes[entry.stream]
                }
                inbox?.put(entry.event)
            }
        } catch {
            // Nobody knows whose chunk it was.
            lock.withLock { inboxes.values.map { $0 } }.forEach { $0.close("\(error)") }
        }
    }
}

/// What comes out of the queue: a chunk, the error that ended its stream, or its end.
private struct EntryJson: Decodable {
    let stream: UInt64
    let chunk: ChunkJson?
    let error: ErrorJson?
    let end: Bool?

    var event: StreamEvent {
        if let chunk {
            .chunk(chunk)
        } else if let error {
            .failure(error.error)
        } else {
            .end
        }
    }
}
