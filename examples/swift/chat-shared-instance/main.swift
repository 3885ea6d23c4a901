import Foundation
import Uzu

// One loaded model, two conversations on it that reply at the same time.
let prompts = [
    "story": "Tell me a short story about a tiny robot",
    "capital": "What is the capital of France, and what is it known for?",
]
let config = ChatReplyConfig.create().withTokenLimit(tokenLimit: 128)

let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: "huggingface:smollm2:135m:gguf:q4_1:4") else {
    fatalError("Model not found")
}
for try await update in try await engine.download(model: model).iterator() {
    print("\rDownload progress: \(Int(100 * update.progress()))%", terminator: "")
}
print()

let instance = try await engine.chatInstance(model: model, config: .create())
let start = Date()
try await withThrowingTaskGroup(of: Void.self) { group in
    for (label, prompt) in prompts {
        group.addTask {
            let session = try await engine.chatWithInstance(instance: instance)
            let input = [ChatMessage.user().withText(text: prompt)]
            let replies = try await session.reply(input: input, config: config)
            print("[\(label)] \(replies.last?.message.text() ?? "")\n")
        }
    }
    try await group.waitForAll()
}
let seconds = String(format: "%.1f", Date().timeIntervalSince(start))
print("\(prompts.count) replies in \(seconds) s, in \(try await instance.memoryUsedBytes() / 1_000_000) MB")
