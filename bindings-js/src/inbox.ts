import { InvalidState, errorOf } from './errors.js';
import type { CallJson, ToolCalls } from './tool-calls.js';
import type { Entry, Transport } from './transport.js';

/** @internal Where a stream's entries arrive, for one reader. It doesn't know the stream, which may be collected. */
export class Inbox {
    readonly #transport: Transport;
    readonly #entries: Entry[] = [];
    #first = 0;
    #ended = false;
    #wake: (() => void) | null = null;

    constructor(
        transport: Transport,
        readonly toolCalls: ToolCalls | null,
    ) {
        this.#transport = transport;
    }

    put(entry: Entry): void {
        const calls = (entry.chunk as { readonly call_tools?: readonly CallJson[] } | undefined)?.call_tools;
        if (calls !== undefined) {
            this.toolCalls?.start(entry.stream, calls);
            return;
        }
        this.#entries.push(entry);
        this.wake();
    }

    /** Lets the reader look again. */
    wake(): void {
        this.#wake?.();
        this.#wake = null;
    }

    /** Whoever still waits gets Closed. */
    close(stream: number, message: string): void {
        this.toolCalls?.cancel();
        this.put({ stream, error: { code: 'closed', message } });
        this.put({ stream, end: true });
    }

    /** The next chunk; undefined after the last. Throws the error that ended the stream, or the signal's reason. */
    async take(signal?: AbortSignal): Promise<unknown> {
        signal?.throwIfAborted();
        while (!this.#ended && this.#first === this.#entries.length) {
            await this.#changed();
            signal?.throwIfAborted();
        }
        if (this.#ended) {
            return undefined;
        }
        const entry = this.#next();
        if (entry.error !== undefined) {
            throw errorOf(entry.error);
        }
        this.#ended = entry.end === true;
        return entry.chunk;
    }

    #next(): Entry {
        const entry = this.#entries[this.#first++] as Entry;
        if (this.#first === this.#entries.length) {
            this.#entries.length = 0;
            this.#first = 0;
        }
        return entry;
    }

    async #changed(): Promise<void> {
        if (this.#wake !== null) {
            throw new InvalidState('Something else reads this stream already');
        }
        this.#transport.hold();
        try {
            await new Promise<void>((resolve) => (this.#wake = resolve));
        } finally {
            this.#transport.release();
        }
    }
}
