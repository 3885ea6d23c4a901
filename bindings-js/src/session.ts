import { checked, checkedList, checkedText, jsonOf } from './checks.js';
import { ChatSessionState, ofWire } from './enums.js';
import { type ChatMessage, type MessageJson, declarationJson, messageOf, messagesText } from './messages.js';
import type { ChatReply } from './replies.js';
import { ChatReplyConfig } from './reply-config.js';
import { Owned, type Runtime, ignored, unlessAborted } from './runtime.js';
import { type CallOptions, ChatSessionStream, opened } from './streams.js';
import { ToolCalls } from './tool-calls.js';
import { type AnyTool, UzuToolFunction } from './tools.js';

/** A loaded model that several sessions share. */
export class ChatInstance {
    /** @internal */
    readonly owned: Owned;

    /** @internal */
    constructor(runtime: Runtime, handle: number, engine: object) {
        this.owned = new Owned(runtime, handle, engine);
    }

    /** Bytes held: weights, scratch, keys and values of all sessions. */
    get memoryUsedBytes(): Promise<number> {
        return this.owned.runtime.transport.number('instance_memory_used', this.owned.handle);
    }

    /** Frees the weights and closes the sessions on them. */
    async close(): Promise<void> {
        await this.owned.close();
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await this.close();
    }
}

/** A conversation. It keeps its history: each input holds only the new messages. One reply at a time. */
export class ChatSession {
    readonly #owned: Owned;
    readonly #tools = new Map<string, UzuToolFunction>();
    #begun: Promise<unknown> = Promise.resolve();

    /** @internal */
    constructor(runtime: Runtime, handle: number, of: object) {
        this.#owned = new Owned(runtime, handle, of);
    }

    get state(): Promise<ChatSessionState> {
        return this.#json<string>('session_state').then((name) => ofWire(ChatSessionState, name));
    }

    /** The conversation so far, finished replies included. */
    get messages(): Promise<ChatMessage[]> {
        return this.#json<MessageJson[]>('session_messages').then((messages) => messages.map(messageOf));
    }

    /** Replaces the conversation. What it has in common with the old one isn't computed again. */
    async setMessages(messages: Iterable<ChatMessage>): Promise<void> {
        await this.#run('session_set_messages', messagesText(messages, 'messages'));
    }

    /** Whether the model can be told of tools. */
    get supportsToolCalls(): Promise<boolean> {
        return this.#owned.runtime.transport
            .number('session_supports_tool_calls', this.#owned.handle)
            .then((supports) => supports !== 0);
    }

    /**
     * From the next reply on the model is told of the tool, and its calls are answered by it. A reply that calls any
     * tool that isn't added ends with the finish reason ToolCalls; the next input then begins with the results.
     */
    async addTool(tool: AnyTool): Promise<void> {
        const added = checked(tool as unknown as UzuToolFunction, UzuToolFunction, 'tool');
        await this.#run('session_add_tool', jsonOf(declarationJson(added.declaration), 'tool'));
        this.#tools.set(added.name, added);
    }

    async addTools(tools: Iterable<AnyTool>): Promise<void> {
        for (const tool of checkedList(tools, 'tools')) {
            await this.addTool(tool);
        }
    }

    /** Most tokens of this conversation. */
    get contextLength(): Promise<number> {
        return this.#owned.runtime.transport.number('session_context_length', this.#owned.handle);
    }

    /** Forgets the conversation. */
    async reset(): Promise<void> {
        await this.#run('session_reset');
    }

    /**
     * A second session with the same conversation and tools, which goes its own way from here. What was computed is
     * shared. An InvalidState while a reply is made, as for `save` and `restore`.
     */
    async fork(): Promise<ChatSession> {
        const { runtime, handle, of } = this.#owned;
        const fork = new ChatSession(runtime, await runtime.transport.number('session_fork', handle), of ?? this);
        this.#tools.forEach((tool, name) => fork.#tools.set(name, tool));
        return fork;
    }

    /** Writes the conversation to a file, in place of one that is there. Tools are code and not saved. */
    async save(path: string): Promise<void> {
        await this.#run('session_save', checkedText(path, 'path'));
    }

    /** Goes on with a conversation that `save` wrote, in place of this one, with this session's model and tools. */
    async restore(path: string): Promise<void> {
        await this.#run('session_restore', checkedText(path, 'path'));
    }

    /** The model's answer to the conversation with the input added. An aborted signal cancels the reply. */
    async reply(
        input: Iterable<ChatMessage>,
        config: ChatReplyConfig = ChatReplyConfig.create(),
        options: CallOptions = {},
    ): Promise<ChatReply[]> {
        const stream = await this.replyWithStream(input, config, options);
        try {
            return await stream.replies();
        } finally {
            await stream.close();
        }
    }

    /** As `reply`, while it is made; errors in the input are thrown here already. */
    async replyWithStream(
        input: Iterable<ChatMessage>,
        config: ChatReplyConfig = ChatReplyConfig.create(),
        options: CallOptions = {},
    ): Promise<ChatSessionStream> {
        const messages = messagesText(input, 'input');
        const settings = checked(config, ChatReplyConfig, 'config').text();
        const { signal } = options;
        signal?.throwIfAborted();
        const { runtime, handle } = this.#owned;
        const toolCalls = new ToolCalls(runtime.transport, this.#tools);
        const making = this.#begun.then(() => runtime.transport.number('session_reply', handle, messages, settings));
        // A reply that was given up before it began is cancelled before the next one asks whether there is one.
        this.#begun = making
            .then((stream) => (signal?.aborted ? runtime.transport.run('stream_cancel', stream) : undefined))
            .catch(ignored);
        const started = unlessAborted(runtime, making, signal);
        return new ChatSessionStream(await opened(runtime, started, this, signal, toolCalls));
    }

    /** Cancels a running reply and frees the session. */
    async close(): Promise<void> {
        await this.#owned.close();
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await this.close();
    }

    async #run(name: string, ...texts: string[]): Promise<void> {
        await this.#owned.runtime.transport.run(name, this.#owned.handle, ...texts);
    }

    async #json<T>(name: string): Promise<T> {
        return JSON.parse(await this.#owned.runtime.transport.text(name, this.#owned.handle)) as T;
    }
}
