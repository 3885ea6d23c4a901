import Foundation
import Uzu

// A model is found, fetched, loaded, and asked once.
let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: "huggingface:smollm2:135m:gguf:q4_1:4") else {
    fatalError("Model not found")
}

for try await update in try await engine.download(model: model).iterator() {
    print("\rDownload progress: \(Int(100 * update.progress()))%", terminator: "")
}
print()

let session = try await engine.chat(model: model, config: .create())
let messages = [
    ChatMessage.system().withText(text: "You are a helpful assistant"),
    ChatMessage.user().withText(text: "Tell me a short story about a tiny robot"),
]
let replies = try await session.reply(input: messages, config: .create().withTokenLimit(tokenLimit: 256))
print(replies.last?.message.text() ?? "")
