import { openTransport } from '#transport';

import { Inbox } from './inbox.js';
import type { ToolCalls } from './tool-calls.js';
import type { Entry, Transport } from './transport.js';

/** @internal What a thread of JavaScript has once: the way to the engine, and where its streams arrive. */
export class Runtime {
    readonly transport: Transport;
    readonly #inboxes = new Map<number, Inbox>();
    readonly #collected: FinalizationRegistry<number>;

    constructor() {
        this.transport = openTransport((entries) => entries.forEach((entry) => this.#put(entry)));
        this.#collected = new FinalizationRegistry((handle) => void this.#close(handle).catch(ignored));
    }

    /** Where the stream's chunks will be. */
    async read(stream: number, toolCalls: ToolCalls | null): Promise<Inbox> {
        const inbox = new Inbox(this.transport, toolCalls);
        this.#inboxes.set(stream, inbox);
        try {
            await this.transport.read(stream);
        } catch (failure) {
            this.#inboxes.delete(stream);
            throw failure;
        }
        return inbox;
    }

    own(owner: Owned): void {
        this.#collected.register(owner, owner.handle, owner);
    }

    async close(owner: Owned): Promise<void> {
        this.#collected.unregister(owner);
        await this.#close(owner.handle);
    }

    async #close(handle: number): Promise<void> {
        const inbox = this.#inboxes.get(handle);
        this.#inboxes.delete(handle);
        inbox?.close(handle, 'The stream was closed');
        await this.transport.run('handle_close', handle);
    }

    #put(entry: Entry): void {
        this.#inboxes.get(entry.stream)?.put(entry);
        if (entry.end) {
            this.#inboxes.delete(entry.stream);
        }
    }
}

/**
 * @internal A handle that is closed with its object: by hand, or when the object is collected. What it was made of
 * isn't collected before.
 */
export class Owned {
    #closing: Promise<void> | null = null;

    constructor(
        readonly runtime: Runtime,
        readonly handle: number,
        readonly of: object | null,
    ) {
        runtime.own(this);
    }

    /** Waits until nothing of it runs any more. Nothing happens the second time. */
    close(): Promise<void> {
        this.#closing ??= this.runtime.close(this);
        return this.#closing;
    }
}

/** @internal What a call makes for somebody who doesn't wait any more is closed. */
export async function unlessAborted(
    runtime: Runtime,
    making: Promise<number>,
    signal: AbortSignal | undefined,
): Promise<number> {
    if (signal === undefined) {
        return making;
    }
    let stop = ignored;
    const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
    });
    try {
        signal.throwIfAborted();
        return await Promise.race([making, aborted]);
    } catch (failure) {
        making.then((handle) => runtime.transport.run('handle_close', handle)).catch(ignored);
        throw failure;
    } finally {
        signal.removeEventListener('abort', stop);
    }
}

/** @internal For what nobody waits for: an engine that has ended closes everything itself. */
export function ignored(): void {}

let current: Runtime | null = null;

/** @internal The thread's runtime, made when first needed. */
export function runtime(): Runtime {
    current ??= new Runtime();
    return current;
}
