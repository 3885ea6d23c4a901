import Foundation

/// A call as the engine wants it answered.
struct CallJson: Decodable, Sendable {
    let identifier: String
    let name: String
    let arguments: String
}

/// A chunk of any stream as the engine writes it: what the last one didn't hold.
struct ChunkJson: Decodable, Sendable {
    let text: String?
    let reasoning: String?
    let toolCalls: [CallDelta]?
    let stats: ChatReplyStats?
    let finishReason: String?
    let logprobs: [TokenLogprob]?
    let unenforced: [String]?
    let message: MessageJson?
    let callTools: [CallJson]?
    let toolResults: [BlockJson]?
    let bytesTotal: Int64?
    let bytesDownloaded: Int64?
    let progress: Double?
    let type: String?
    let model: String?
    let state: DownloadState?
    let path: String?
    let weightBytes: Int64?

    struct CallDelta: Decodable, Sendable {
        let index: Int
        let identifier: String
        let name: String
        let arguments: String
    }

    private enum CodingKeys: String, CodingKey {
        case text, reasoning, stats, logprobs, unenforced, message, progress, type, model, state, path
        case toolCalls = "tool_calls"
        case finishReason = "finish_reason"
        case callTools = "call_tools"
        case toolResults = "tool_results"
        case bytesTotal = "bytes_total"
        case bytesDownloaded = "bytes_downloaded"
        case weightBytes = "weight_bytes"
    }
}

/// A reply put together from the chunks of a stream; a new one begins after each turn of tool calls.
struct FoldedReply {
    private var text = ""
    private var reasoning = ""
    private var calls: [ToolCall] = []
    private var logprobs: [TokenLogprob] = []

    mutating func reply(_ chunk: ChunkJson) throws -> ChatReply {
        add(chunk)
        let reply = ChatReply(
            message: try chunk.message?.message() ?? messageSoFar(),
            stats: try chunk.stats.orMissing("stats"),
            finishReason: try chunk.finishReason.map { try known($0) },
            unenforced: chunk.unenforced ?? [],
            logprobs: logprobs)
        if chunk.message != nil {
            self = FoldedReply()
        }
        return reply
    }

    mutating func completion(_ chunk: ChunkJson) throws -> Completion {
        add(chunk)
        return Completion(
            text: text, stats: try chunk.stats.orMissing("stats"),
            finishReason: try chunk.finishReason.map { try known($0) }, logprobs: logprobs)
    }

    private mutating func add(_ chunk: ChunkJson) {
        text += chunk.text ?? ""
        reasoning += chunk.reasoning ?? ""
        logprobs += chunk.logprobs ?? []
        for delta in chunk.toolCalls ?? [] {
            while calls.count <= delta.index {
                calls.append(ToolCall(identifier: delta.identifier, name: "", arguments: Value(json: "")))
            }
            let call = calls[delta.index]
            calls[delta.index] = ToolCall(
                identifier: delta.identifier, name: call.name + delta.name,
                arguments: Value(json: call.arguments.json + delta.arguments))
        }
    }

    private func messageSoFar() -> ChatMessage {
        var message = ChatMessage.assistant()
        if !reasoning.isEmpty {
            message = message.withReasoning(reasoning: reasoning)
        }
        if !text.isEmpty {
            message = message.withText(text: text)
        }
        return calls.reduce(message) { $0.withBlock(block: FoldedReply.block($1)) }
    }

    private static func block(_ call: ToolCall) -> ChatContentBlock {
        let isWhole = (try? JSONSerialization.jsonObject(with: Data(call.arguments.json.utf8))) != nil
        return isWhole ? .toolCall(value: call) : .toolCallCandidate(text: "\(call.name) \(call.arguments.json)")
    }
}

extension Optional {
    func orMissing(_ field: String) throws -> Wrapped {
        guard let self else {
            throw UzuError.internal(message: "The engine's chunk has no \(field)")
        }
        return self
    }
}
