import CUzu
import Foundation

/// Runs what one reply calls, all of a turn at the same time, and answers the engine. Made in the task that asks for
/// the reply, whose task-local values and priority the tools have.
final class ToolCalls: Sendable {
    private let calls: AsyncStream<(UInt64, CallJson)>.Continuation
    private let task: Task<Void, Never>

    init(_ tools: [String: ToolFunction], _ workers: Workers) {
        let (stream, continuation) = AsyncStream.makeStream(of: (UInt64, CallJson).self)
        calls = continuation
        task = Task {
            await withTaskGroup(of: Void.self) { group in
                for await (stream, call) in stream {
                    group.addTask { await ToolCalls.answer(call, of: stream, with: tools, workers) }
                }
                // What outlives its reply.
                group.cancelAll()
            }
        }
    }

    func start(_ calls: [CallJson], of stream: UInt64) {
        calls.forEach { self.calls.yield((stream, $0)) }
    }

    func end() {
        calls.finish()
    }

    /// Cancels what still runs.
    func cancel() {
        calls.finish()
        task.cancel()
    }

    private static func answer(
        _ call: CallJson, of stream: UInt64, with tools: [String: ToolFunction], _ workers: Workers
    ) async {
        let identifier = Json.string(call.identifier)
        let answer: Json
        do {
            guard let tool = tools[call.name] else {
                throw UzuError.toolFailed(message: "There is no tool \(call.name)")
            }
            let value = try await tool.invoke(arguments: Value(json: call.arguments))
            answer = .object(["identifier": identifier, "value": .text(value.json)])
        } catch {
            answer = .object(["identifier": identifier, "error": .string(ToolCalls.message(error))])
        }
        let text = Json.array([answer]).text
        // The stream may have been closed meanwhile.
        try? await workers.run { try Native.run(uzu_stream_tool_results, stream, text) }
    }

    private static func message(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
