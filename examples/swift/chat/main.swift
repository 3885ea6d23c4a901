import Foundation
import Uzu

// A conversation whose replies appear as they are made: with you at a terminal, else with the prompt given.
let prompt = "What is the capital of France, and what is it known for?"
let config = ChatReplyConfig.create().withTokenLimit(tokenLimit: 256)

func answer(_ session: ChatSession, _ text: String) async throws {
    var shown = ""
    var stats: ChatReplyStats?
    let input = [ChatMessage.user().withText(text: text)]
    for try await chunk in await session.replyWithStream(input: input, config: config).iterator() {
        switch chunk {
        case .replies(let replies):
            let text = replies[0].message.text() ?? ""
            show(String(text.dropFirst(shown.count)))
            shown = text
            stats = replies[0].stats
        case .toolResults: break
        case .error(let error): throw error
        }
    }
    if let stats {
        report(stats)
    }
}

func report(_ stats: ChatReplyStats) {
    let speed = Int(stats.generateTokensPerSecond ?? 0)
    let passes = stats.speculatorStats.map { String(format: ", %.1f a pass", $0.tokensPerForwardPass) } ?? ""
    print("\n[\(stats.tokensCountOutput ?? 0) tokens, \(speed) a second\(passes)]")
}

func show(_ text: String, on file: FileHandle = .standardOutput) {
    file.write(Data(text.utf8))
}

let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: "huggingface:smollm2:135m:gguf:q4_1:4") else {
    fatalError("Model not found")
}
for try await update in try await engine.download(model: model).iterator() {
    show("\rDownload progress: \(Int(100 * update.progress()))%", on: .standardError)
}

let session = try await engine.chat(model: model, config: .create())
let words = CommandLine.arguments.dropFirst()
if !words.isEmpty || isatty(STDIN_FILENO) == 0 {
    try await answer(session, words.isEmpty ? prompt : words.joined(separator: " "))
} else {
    print("\nAsk something; an empty line or \"exit\" ends the conversation.")
    show("> ")
    while let line = readLine(), !["", "exit"].contains(line) {
        try await answer(session, line)
        show("> ")
    }
}
