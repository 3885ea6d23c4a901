import { checked } from './checks.js';
import { ChatSessionState, ofWire } from './enums.js';
import { type ChatMessage, type MessageJson, messageOf, messagesText } from './messages.js';
import type { ChatReply } from './replies.js';
import { ChatReplyConfig } from './reply-config.js';
import { Owned, type Runtime, unlessAborted } from './runtime.js';
import { type CallOptions, ChatSessionStream, opened } from './streams.js';

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

    /** Most tokens of this conversation. */
    get contextLength(): Promise<number> {
        return this.#owned.runtime.transport.number('session_context_length', this.#owned.handle);
    }

    /** Forgets the conversation. */
    async reset(): Promise<void> {
        await this.#owned.runtime.transport.run('session_reset', this.#owned.handle);
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
        const messages = messagesText(input);
        const settings = checked(config, ChatReplyConfig, 'config').text();
        const { signal } = options;
        signal?.throwIfAborted();
        const { runtime, handle } = this.#owned;
        const making = runtime.transport.number('session_reply', handle, messages, settings);
        return new ChatSessionStream(await opened(runtime, unlessAborted(runtime, making, signal), this, signal));
    }

    /** Cancels a running reply and frees the session. */
    async close(): Promise<void> {
        await this.#owned.close();
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await this.close();
    }

    async #json<T>(name: string): Promise<T> {
        return JSON.parse(await this.#owned.runtime.transport.text(name, this.#owned.handle)) as T;
    }
}
