import CUzu
import Foundation

/// A loaded model that several sessions share. It is freed with the last who has it.
public final class ChatInstance: Sendable {
    let handle: Handle

    init(_ handle: Handle) {
        self.handle = handle
    }

    /// Bytes held: weights, scratch, keys and values of all sessions.
    public func memoryUsedBytes() async throws -> Int64 {
        try await handle.call { uzu_instance_memory_used($0, $1, $2) }
    }

    /// Frees the weights and closes the sessions on them.
    public func close() async {
        await handle.close()
    }
}

/// A conversation. It keeps its history: each input holds only the new messages. One reply at a time.
public final class ChatSession: @unchecked Sendable {
    private let handle: Handle
    private let lock = NSLock()
    private var tools: [String: ToolFunction]

    init(_ handle: Handle, tools: [String: ToolFunction] = [:]) {
        self.handle = handle
        self.tools = tools
    }

    public func state() async throws -> ChatSessionState {
        let name: String = try await handle.call { uzu_session_state($0, $1, $2) }
        return try known(try decoded(name))
    }

    /// The conversation so far, finished replies included.
    public func messages() async throws -> [ChatMessage] {
        let text: String = try await handle.call { uzu_session_messages($0, $1, $2) }
        return try decoded(text, as: [MessageJson].self).map { try $0.message() }
    }

    /// Replaces the conversation. What it has in common with the old one isn't computed again.
    public func setMessages(messages: [ChatMessage]) async throws {
        try await handle.run({ uzu_session_set_messages($0, $1, $2, $3) }, ChatSession.text(messages))
    }

    /// Whether the model can be told of tools.
    public func supportsToolCalls() async throws -> Bool {
        let supports: Int64 = try await handle.call { uzu_session_supports_tool_calls($0, $1, $2) }
        return supports == 1
    }

    /// From the next reply on the model may call the function, which this session runs.
    public func addTool(_ tool: ToolFunction) async throws {
        try await handle.run({ uzu_session_add_tool($0, $1, $2, $3) }, tool.declaration.json.text)
        lock.withLock { tools[tool.name] = tool }
    }

    public func addTools(_ tools: [ToolFunction]) async throws {
        for tool in tools {
            try await addTool(tool)
        }
    }

    /// Most tokens of this conversation.
    public func contextLength() async throws -> Int {
        let tokens: Int64 = try await handle.call { uzu_session_context_length($0, $1, $2) }
        return Int(tokens)
    }

    /// A second session with the same conversation, tools and settings, which goes its own way from here. What was
    /// computed is shared.
    public func fork() async throws -> ChatSession {
        let value = handle.value
        let fork = try await Runtime.shared.make { try Native.call(uzu_session_fork, value) }
        return ChatSession(Handle(fork, of: handle), tools: lock.withLock { self.tools })
    }

    /// Writes the conversation to a file, in place of one that is there; tools are not saved.
    public func save(path: String) async throws {
        try await handle.run({ uzu_session_save($0, $1, $2, $3) }, path)
    }

    /// Goes on with a conversation that `save` wrote, in place of this one.
    public func restore(path: String) async throws {
        try await handle.run({ uzu_session_restore($0, $1, $2, $3) }, path)
    }

    /// Forgets the conversation.
    public func reset() async throws {
        try await handle.run { uzu_session_reset($0, $1) }
    }

    /// The model's answer to the conversation with the input added. When the task is cancelled, the reply stops within
    /// one forward pass.
    public func reply(input: [ChatMessage], config: ChatReplyConfig = .create()) async throws -> [ChatReply] {
        try Task.checkCancellation()
        let stream = try await open(input, config)
        let replies = try await stream.replies()
        try Task.checkCancellation()
        return replies
    }

    /// As `reply`, while it is made. What is wrong with the input is the stream's first chunk, and its last.
    public func replyWithStream(
        input: [ChatMessage], config: ChatReplyConfig = .create()
    ) async -> ChatSessionStream {
        do {
            return try await open(input, config)
        } catch let error as UzuError {
            return ChatSessionStream(refused: error)
        } catch {
            return ChatSessionStream(refused: .cancelled(message: "The task was cancelled before the reply began"))
        }
    }

    /// Cancels a running reply and frees the session.
    public func close() async {
        await handle.close()
    }

    private func open(_ input: [ChatMessage], _ config: ChatReplyConfig) async throws -> ChatSessionStream {
        let tools = lock.withLock { self.tools }
        let toolCalls = tools.isEmpty ? nil : ToolCalls(tools, Runtime.shared.workers)
        let (session, messages, settings) = (handle.value, ChatSession.text(input), config.json.text)
        do {
            let source = try await Source.open(of: handle, toolCalls: toolCalls) {
                try Native.call(uzu_session_reply, session, messages, settings)
            }
            return ChatSessionStream(source)
        } catch {
            toolCalls?.cancel()
            throw error
        }
    }

    private static func text(_ messages: [ChatMessage]) -> String {
        Json.array(messages.map(\.json)).text
    }
}
