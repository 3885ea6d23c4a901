import { AsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { Closed, type ErrorJson, Internal, InvalidState, errorOf } from './errors.js';
import type { Entries, Entry, Transport } from './transport.js';

/** The addon, made from addon/*.c. */
interface Addon {
    open(path: string): string;
    connect(deliver: (id: number, result: number, value: string | number | undefined) => void): void;
    call(id: number, name: string, kind: number, handle: number | null, ...texts: string[]): void;
    read(id: number, stream: number): void;
    hold(held: boolean): void;
    end(): void;
}

interface Settled {
    readonly result: number;
    readonly value: string | number | undefined;
}

/** What a call has as its result, as in addon.h. */
const [NOTHING, TEXT, NUMBER] = [0, 1, 2];
const NATIVE = new URL('../native/', import.meta.url);

/** UZU_LIBRARY, else the library that the package carries. */
function libraryPath(): string {
    const name = process.platform === 'darwin' ? 'libuzu.dylib' : 'libuzu.so';
    return process.env['UZU_LIBRARY'] || fileURLToPath(new URL(name, NATIVE));
}

function load(): Addon {
    const path = fileURLToPath(new URL('uzu.node', NATIVE));
    const library = libraryPath();
    for (const file of [path, library]) {
        if (!existsSync(file)) {
            throw new InvalidState(`uzu's native library isn't there: ${file}`, { path: file });
        }
    }
    try {
        const addon = createRequire(import.meta.url)(path) as Addon;
        addon.open(library);
        return addon;
    } catch (failure) {
        const message = failure instanceof Error ? failure.message : String(failure);
        throw new InvalidState(
            `uzu's native library can't be loaded: ${message}`,
            { path: library },
            { cause: failure },
        );
    }
}

/** @internal The transport of Node.js: libuzu through the addon, whose threads wait so that the event loop doesn't. */
export class NativeTransport implements Transport {
    readonly #addon = load();
    readonly #entries: Entries;
    readonly #waiting = new Map<number, (settled: Settled) => void>();
    #last = 0;
    #held = 0;

    constructor(entries: Entries) {
        this.#entries = entries;
        this.#addon.connect((id, result, value) => this.#deliver(id, result, value));
        // Also where process.exit() leaves no time for more: replies end, and locks of downloads are given back.
        process.once('exit', () => this.#addon.end());
    }

    async run(name: string, handle: number, ...texts: string[]): Promise<void> {
        checked(await this.#settled((id) => this.#addon.call(id, name, NOTHING, handle, ...texts)));
    }

    async text(name: string, handle: number, ...texts: string[]): Promise<string> {
        return checked(await this.#settled((id) => this.#addon.call(id, name, TEXT, handle, ...texts))) as string;
    }

    async number(name: string, handle: number | null, ...texts: string[]): Promise<number> {
        return checked(await this.#settled((id) => this.#addon.call(id, name, NUMBER, handle, ...texts))) as number;
    }

    async read(stream: number): Promise<void> {
        checked(await this.#settled((id) => this.#addon.read(id, stream)));
    }

    inContext<A extends unknown[]>(action: (...values: A) => void): (...values: A) => void {
        return AsyncResource.bind(action);
    }

    hold(): void {
        if (this.#held++ === 0) {
            this.#addon.hold(true);
        }
    }

    release(): void {
        if (--this.#held === 0) {
            this.#addon.hold(false);
        }
    }

    async #settled(start: (id: number) => void): Promise<Settled> {
        const id = ++this.#last;
        try {
            start(id);
        } catch (failure) {
            throw new Closed(`The engine can't be called: ${String(failure)}`, {}, { cause: failure });
        }
        this.hold();
        try {
            return await new Promise((resolve) => this.#waiting.set(id, resolve));
        } finally {
            this.release();
        }
    }

    #deliver(id: number, result: number, value: string | number | undefined): void {
        if (id === 0) {
            this.#entries(entriesOf(value as string));
            return;
        }
        const resolve = this.#waiting.get(id);
        this.#waiting.delete(id);
        resolve?.({ result, value });
    }
}

/** Thrown here rather than where the result arrives, so that the error's stack leads to who called. */
function checked(settled: Settled): string | number | undefined {
    if (settled.result === 0) {
        return settled.value;
    }
    throw typeof settled.value === 'string'
        ? errorOf(JSON.parse(settled.value) as ErrorJson)
        : new Internal(`The engine failed with result ${settled.result}`);
}

/** A seed has 64 bits, of which a number would keep 53: it comes as a string then. */
function entriesOf(text: string): Entry[] {
    return JSON.parse(text.replace(/"seed":(-?\d{16,})/g, '"seed":"$1"')) as Entry[];
}
