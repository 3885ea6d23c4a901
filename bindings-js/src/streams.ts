import type { ChatContentBlockToolCallResult } from './content.js';
import { type DownloaderStreamUpdate, type UpdateJson, updateOf } from './downloads.js';
import { Closed, UzuError } from './errors.js';
import { type EngineEvent, type EventJson, eventOf } from './events.js';
import type { Inbox } from './inbox.js';
import { type BlockJson, toolCallResultOf } from './messages.js';
import { type ChatReply, type Completion, Folded, type ReplyJson } from './replies.js';
import { Owned, type Runtime, ignored } from './runtime.js';
import type { ToolCalls } from './tool-calls.js';

/** What may be given beside a call's arguments. */
export interface CallOptions {
    /** Ends the call, and what it has started, with the signal's reason. */
    readonly signal?: AbortSignal | undefined;
}

/** Asks for the end of a reply, at any time, any number of times. */
export class CancelToken {
    #onCancel: () => void;
    #cancelled = false;

    /** @internal */
    constructor(onCancel: () => void = ignored) {
        this.#onCancel = onCancel;
    }

    static create(): CancelToken {
        return new CancelToken();
    }

    cancel(): void {
        if (!this.#cancelled) {
            this.#cancelled = true;
            this.#onCancel();
        }
    }

    get isCancelled(): boolean {
        return this.#cancelled;
    }
}

/** @internal What a stream is made of. */
export interface Source {
    readonly runtime: Runtime;
    readonly handle: number;
    readonly inbox: Inbox;
    readonly of: object;
    readonly signal: AbortSignal | undefined;
}

/** @internal A stream that a call has made, read by the thread's runtime. */
export async function opened(
    runtime: Runtime,
    making: Promise<number>,
    of: object,
    signal: AbortSignal | undefined,
    toolCalls: ToolCalls | null = null,
): Promise<Source> {
    const handle = await making;
    try {
        return { runtime, handle, inbox: await runtime.read(handle, toolCalls), of, signal };
    } catch (failure) {
        await runtime.transport.run('handle_close', handle).catch(ignored);
        throw failure;
    }
}

/**
 * Results while they are made, by `for await` or `next`. A stream is read once. Leaving the loop early closes it.
 */
export abstract class ResultStream<T> implements AsyncIterable<T> {
    readonly #owned: Owned;
    readonly #inbox: Inbox;
    readonly #signal: AbortSignal | undefined;
    readonly #onAbort: () => void;

    /** @internal */
    constructor(source: Source) {
        const { runtime, handle, inbox, of, signal } = source;
        this.#owned = new Owned(runtime, handle, of);
        this.#inbox = inbox;
        this.#signal = signal;
        // It must not know this stream, which a signal may outlive.
        this.#onAbort = () => {
            cancel(runtime, handle, inbox);
            inbox.interrupt(signal?.reason);
        };
        signal?.addEventListener('abort', this.#onAbort, { once: true });
    }

    /** The next result; null after the last. */
    next(): Promise<T | null> {
        return this.take(true);
    }

    /** @internal As `next`; with `holds` the process doesn't end meanwhile. */
    protected take(holds: boolean): Promise<T | null> {
        if (this.#signal?.aborted) {
            return Promise.reject(this.#signal.reason);
        }
        return this.#inbox.take(holds).then(this.#decoded, this.#failed);
    }

    readonly #failed = (failure: unknown): T | null => this.recovered(failure);

    readonly #decoded = (chunk: unknown): T | null => {
        if (chunk === undefined) {
            this.#forgetSignal();
            return null;
        }
        return this.decode(chunk);
    };


    /** The stream itself. */
    iterator(): this {
        return this;
    }

    [Symbol.asyncIterator](): AsyncIterator<T, undefined, undefined> {
        return {
            next: () => this.next().then(resultOf),
            return: async () => {
                await this.close();
                return { done: true, value: undefined };
            },
        };
    }

    /** Stops what makes the results, and waits for that. */
    async close(): Promise<void> {
        this.#forgetSignal();
        await this.#owned.close();
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await this.close();
    }

    #forgetSignal(): void {
        this.#signal?.removeEventListener('abort', this.#onAbort);
    }

    /** @internal What the reader gets for a chunk as the engine has sent it. */
    protected abstract decode(chunk: unknown): T;

    /** @internal What the reader gets in place of an error. */
    protected recovered(failure: unknown): T | null {
        throw failure;
    }
}

function resultOf<T>(value: T | null): IteratorResult<T, undefined> {
    return value === null ? { done: true, value: undefined } : { done: false, value };
}

/** Asks without waiting for it; what was closed meanwhile needs no cancelling. */
function cancel(runtime: Runtime, handle: number, inbox: Inbox): void {
    inbox.toolCalls?.cancel();
    runtime.transport.run('stream_cancel', handle).catch(ignored);
}

/** Progress of a download. A failure is thrown; leaving the stream doesn't stop the download. */
export class DownloaderStream extends ResultStream<DownloaderStreamUpdate> {
    protected override decode(chunk: unknown): DownloaderStreamUpdate {
        return updateOf(chunk as UpdateJson);
    }
}

/**
 * What happens in an engine from when this was made, until one of the two is closed. Nothing is lost to a slow reader but
 * the steps of a download, of which it gets the last.
 */
export class EngineEvents extends ResultStream<EngineEvent> {
    /** @internal Calls back for each, and holds up nothing. What the callback throws is uncaught. */
    async callBack(callback: (event: EngineEvent) => unknown): Promise<void> {
        for (let event = await this.take(false); event !== null; event = await this.take(false)) {
            try {
                await callback(event);
            } catch (failure) {
                queueMicrotask(() => {
                    throw failure;
                });
            }
        }
    }

    protected override recovered(failure: unknown): null {
        if (failure instanceof Closed) {
            return null;
        }
        throw failure;
    }

    protected override decode(chunk: unknown): EngineEvent {
        return eventOf(chunk as EventJson);
    }
}

abstract class ReplyStream<T> extends ResultStream<T> {
    /** Stops the reply within one forward pass; the stream then ends with what there is. */
    readonly cancelToken: CancelToken;
    /** @internal */
    protected readonly folded = new Folded();

    /** @internal */
    constructor(source: Source) {
        super(source);
        // Not the stream itself, which the token may outlive and must not keep running.
        const { runtime, handle, inbox } = source;
        this.cancelToken = new CancelToken(() => cancel(runtime, handle, inbox));
    }
}

/** A completion while it is made: each result has the whole text so far. A failure is thrown. */
export class CompletionStream extends ReplyStream<Completion> {
    protected override decode(chunk: unknown): Completion {
        return this.folded.completion(chunk as ReplyJson);
    }
}

/** The replies so far, each with its whole message. */
export class ChatSessionStreamChunkReplies {
    readonly type = 'Replies';

    constructor(readonly replies: readonly ChatReply[]) {}
}

/** What the tools that the model called came to; further replies follow. */
export class ChatSessionStreamChunkToolResults {
    readonly type = 'ToolResults';

    constructor(readonly results: readonly ChatContentBlockToolCallResult[]) {}
}

/** The reply failed; the last chunk. */
export class ChatSessionStreamChunkError {
    readonly type = 'Error';

    constructor(readonly error: UzuError) {}
}

/** What a stream of a reply hands out. */
export type ChatSessionStreamChunk =
    ChatSessionStreamChunkReplies | ChatSessionStreamChunkToolResults | ChatSessionStreamChunkError;
export const ChatSessionStreamChunk = {
    Replies: ChatSessionStreamChunkReplies,
    ToolResults: ChatSessionStreamChunkToolResults,
    Error: ChatSessionStreamChunkError,
} as const;

/** A reply while it is made. A failure is the last chunk, `ChatSessionStreamChunkError`. */
export class ChatSessionStream extends ReplyStream<ChatSessionStreamChunk> {
    /** Waits for the end. The error that ended the reply is thrown. */
    async replies(): Promise<ChatReply[]> {
        let replies: readonly ChatReply[] = [];
        for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
            if (chunk.type === 'Error') {
                throw chunk.error;
            }
            if (chunk.type === 'Replies') {
                replies = chunk.replies;
            }
        }
        return [...replies];
    }

    protected override recovered(failure: unknown): ChatSessionStreamChunk {
        if (failure instanceof UzuError) {
            return new ChatSessionStreamChunkError(failure);
        }
        throw failure;
    }

    protected override decode(chunk: unknown): ChatSessionStreamChunk {
        const { tool_results } = chunk as { readonly tool_results?: readonly BlockJson[] };
        return tool_results === undefined
            ? new ChatSessionStreamChunkReplies([this.folded.reply(chunk as ReplyJson)])
            : new ChatSessionStreamChunkToolResults(tool_results.map(toolCallResultOf));
    }
}
