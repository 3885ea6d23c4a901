import { InvalidState, errorOf } from './errors.js';
import type { CallJson, ToolCalls } from './tool-calls.js';
import type { Entry, Transport } from './transport.js';

/** A promise that a reader waits for. */
interface Reader {
    readonly resolve: (chunk: unknown) => void;
    readonly reject: (reason: unknown) => void;
    readonly holds: boolean;
}

/** @internal Where a stream's entries arrive, for one reader. It doesn't know the stream, which may be collected. */
export class Inbox {
    readonly #transport: Transport;
    readonly #entries: Entry[] = [];
    #first = 0;
    #ended = false;
    #reader: Reader | null = null;

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
        const reader = this.#takeReader();
        if (reader === null) {
            this.#entries.push(entry);
        } else {
            this.#hand(entry, reader);
        }
    }

    /** Whoever waits gets the reason instead of a chunk. */
    interrupt(reason: unknown): void {
        this.#takeReader()?.reject(reason);
    }

    /** Whoever still waits gets Closed. */
    close(stream: number, message: string): void {
        this.toolCalls?.cancel();
        this.put({ stream, error: { code: 'closed', message } });
        this.put({ stream, end: true });
    }

    /**
     * The next chunk; undefined after the last. Rejects with the error that ended the stream. With `holds` the event loop
     * stays alive for it.
     */
    take(holds = true): Promise<unknown> {
        return new Promise((resolve, reject) => {
            const reader = { resolve, reject, holds };
            if (this.#ended) {
                resolve(undefined);
            } else if (this.#first < this.#entries.length) {
                this.#hand(this.#next(), reader);
            } else if (this.#reader !== null) {
                reject(new InvalidState('Something else reads this stream already'));
            } else {
                if (holds) {
                    this.#transport.hold();
                }
                this.#reader = reader;
            }
        });
    }

    #hand(entry: Entry, reader: Reader): void {
        if (entry.error === undefined) {
            this.#ended = entry.end === true;
            reader.resolve(entry.chunk);
        } else {
            reader.reject(errorOf(entry.error));
        }
    }

    #takeReader(): Reader | null {
        const reader = this.#reader;
        this.#reader = null;
        if (reader?.holds) {
            this.#transport.release();
        }
        return reader;
    }

    #next(): Entry {
        const entry = this.#entries[this.#first++] as Entry;
        if (this.#first === this.#entries.length) {
            this.#entries.length = 0;
            this.#first = 0;
        }
        return entry;
    }
}
