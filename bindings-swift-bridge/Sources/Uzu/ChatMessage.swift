import Foundation

/// One message. The `with` methods return a copy with one block more.
public struct ChatMessage: Sendable, Hashable {
    public var role: ChatRole
    public var content: [ChatContentBlock]

    public init(role: ChatRole, content: [ChatContentBlock] = []) {
        self.role = role
        self.content = content
    }

    public static func system() -> ChatMessage { ChatMessage(role: .system) }

    public static func developer() -> ChatMessage { ChatMessage(role: .developer) }

    public static func user() -> ChatMessage { ChatMessage(role: .user) }

    public static func assistant() -> ChatMessage { ChatMessage(role: .assistant) }

    public static func tool() -> ChatMessage { ChatMessage(role: .tool) }

    public static func forRole(role: ChatRole) -> ChatMessage { ChatMessage(role: role) }

    public func withBlock(block: ChatContentBlock) -> ChatMessage {
        ChatMessage(role: role, content: content + [block])
    }

    public func withText(text: String) -> ChatMessage {
        withBlock(block: .text(value: text))
    }

    public func withReasoning(reasoning: String) -> ChatMessage {
        withBlock(block: .reasoning(value: reasoning))
    }

    public func withReasoningEffort(reasoningEffort: ReasoningEffort) -> ChatMessage {
        withBlock(block: .reasoningEffort(value: reasoningEffort))
    }

    public func withToolCall(toolCall: ToolCall) -> ChatMessage {
        withBlock(block: .toolCall(value: toolCall))
    }

    /// All text blocks joined; nil when there is none.
    public func text() -> String? {
        joined { if case .text(let value) = $0 { value } else { nil } }
    }

    /// All reasoning blocks joined; nil when there is none.
    public func reasoning() -> String? {
        joined { if case .reasoning(let value) = $0 { value } else { nil } }
    }

    /// The calls that the model makes, in order.
    public func toolCalls() -> [ToolCall] {
        content.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
    }

    /// The last effort asked for.
    public func reasoningEffort() -> ReasoningEffort? {
        for case .reasoningEffort(let effort) in content.reversed() {
            return effort
        }
        return nil
    }

    private func joined(_ part: (ChatContentBlock) -> String?) -> String? {
        let parts = content.compactMap(part)
        return parts.isEmpty ? nil : parts.joined()
    }

    var json: Json {
        .object(["role": .string(role.name), "content": .array(content.map(\.json))])
    }
}

/// A message as the engine writes it.
struct MessageJson: Decodable, Sendable {
    let role: String
    let content: [BlockJson]

    func message() throws -> ChatMessage {
        ChatMessage(role: ChatRole(named: role), content: try content.map { try $0.block() })
    }
}
