// What Swift's threads have to do for each chunk of a stream that is read as it comes, on Linux:
//     tools/tools run swift bindings-swift-bridge/Tests/Programs/overhead.swift TOKENS MODEL
import Foundation
import Uzu

/// Seconds that this program's threads were running, those of the Java VM left out: Java names its own.
func busy() throws -> Double {
    let tasks = "/proc/self/task"
    let program = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    let names: Set<String> = [program, "uzu-streams\n", "uzu-call\n"]
    return try FileManager.default.contentsOfDirectory(atPath: tasks)
        .filter { names.contains((try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)) ?? "") }
        .map { try String(contentsOfFile: "\(tasks)/\($0)/schedstat", encoding: .utf8) }
        .reduce(0) { $0 + Double($1.prefix { $0 != " " })! / 1e9 }
}

let (tokens, identifier) = (Int(CommandLine.arguments[1])!, CommandLine.arguments[2])
let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: identifier) else {
    fatalError("Model not found")
}
let question = [ChatMessage.user().withText(text: "Tell me a short story about a tiny robot")]
let greedy = ChatReplyConfig.create().withSamplingMethod(samplingMethod: .greedy)
let instance = try await engine.chatInstance(
    model: model, config: .create().withSpeculationPreset(speculationPreset: .off))
_ = try await engine.chatWithInstance(instance: instance)
    .reply(input: question, config: greedy.withTokenLimit(tokenLimit: 50))

let session = try await engine.chatWithInstance(instance: instance)
let stream = await session.replyWithStream(input: question, config: greedy.withTokenLimit(tokenLimit: tokens))
_ = await stream.next()
let (before, start) = (try busy(), Date())
var chunks = 0
while await stream.next() != nil {
    chunks += 1
}
let (active, seconds) = (try busy() - before, Date().timeIntervalSince(start))
print(
    """
    {"chunks": \(chunks), "seconds": \(seconds), "microsecondsPerChunk": \(1e6 * active / Double(max(1, chunks)))}
    """)
await engine.close()
