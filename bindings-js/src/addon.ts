import { Closed, type ErrorJson, Internal, errorOf } from './errors.js';
import type { Entries, Entry, Transport } from './transport.js';

/** @internal Functions of the host's: in Node.js those of addon/*.c, and the launcher's in GraalJS. */
export interface Addon {
    connect(deliver: (id: number, result: number, value: string | number | undefined) => void): void;
    call(id: number, name: string, kind: number, handle: number | null, ...texts: string[]): void;
    /** The result and its value, as `deliver` gets them. */
    now(name: string, ...texts: string[]): readonly [number, string | undefined];
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
/** @internal Calls through an addon, whose threads wait so that the event loop doesn't. */
export class AddonTransport implements Transport {
    readonly inContext: Transport['inContext'];
    readonly #addon: Addon;
    readonly #entries: Entries;
    readonly #waiting = new Map<number, (settled: Settled) => void>();
    #last = 0;
    #held = 0;

    constructor(addon: Addon, entries: Entries, inContext: Transport['inContext']) {
        this.#addon = addon;
        this.#entries = entries;
        this.inContext = inContext;
        this.#addon.connect((id, result, value) => this.#deliver(id, result, value));
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

    textNow(name: string, ...texts: string[]): string {
        const [result, value] = this.#addon.now(name, ...texts);
        return checked({ result, value }) as string;
    }

    async read(stream: number): Promise<void> {
        checked(await this.#settled((id) => this.#addon.read(id, stream)));
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
