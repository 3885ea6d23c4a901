import Foundation

/// Threads for calls that wait: those of Swift's own pool are few and must never block. As many as calls wait at a
/// time; who has been idle for a while ends.
final class Workers: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private static let idleSeconds = 20.0

    private let condition = NSCondition()
    private var waiting: [Work] = []
    private var idle = 0

    /// Soon, on a thread of its own.
    func start(_ work: @escaping Work) {
        condition.lock()
        defer { condition.unlock() }
        waiting.append(work)
        if idle >= waiting.count {
            condition.signal()
        } else {
            let thread = Thread { self.serve() }
            thread.name = "uzu-call"
            thread.start()
        }
    }

    /// The same, for a task that waits for it.
    func run<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            start { continuation.resume(with: Result(catching: work)) }
        }
    }

    private func serve() {
        while let work = next() {
            // Its end may be the end of what it holds, which starts more work: the lock is free here.
            work()
        }
    }

    private func next() -> Work? {
        condition.lock()
        defer { condition.unlock() }
        return take()
    }

    private func take() -> Work? {
        idle += 1
        defer { idle -= 1 }
        let end = Date(timeIntervalSinceNow: Workers.idleSeconds)
        while waiting.isEmpty {
            if !condition.wait(until: end) && waiting.isEmpty {
                return nil
            }
        }
        return waiting.removeFirst()
    }
}
