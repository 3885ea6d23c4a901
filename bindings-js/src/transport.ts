/** @internal What comes out of a stream: a chunk, the error that ended it, or its end. */
export interface Entry {
    readonly stream: number;
    readonly chunk?: unknown;
    readonly error?: { readonly code: string; readonly message: string; readonly details?: Record<string, string> };
    readonly end?: true;
}

/**
 * @internal How calls reach the engine: its functions by their names in uzu.h without the prefix, with handles and JSON
 * texts. The event loop stays alive while a call runs, or while `hold` outnumbers `release`.
 */
export interface Transport {
    /** A call without a result. */
    run(name: string, handle: number, ...texts: string[]): Promise<void>;
    /** A call whose result is a text. */
    text(name: string, handle: number, ...texts: string[]): Promise<string>;
    /** A call whose result is a handle or a count; without a handle, one that makes something of nothing. */
    number(name: string, handle: number | null, ...texts: string[]): Promise<number>;
    /** A call without a handle whose result is a text: one that is over at once. */
    textNow(name: string, ...texts: string[]): string;
    /** What the stream gives from now on goes to `entries`. */
    read(stream: number): Promise<void>;
    /** The function, to be called from anywhere in the asynchronous context that is here now. */
    inContext<A extends unknown[]>(action: (...values: A) => void): (...values: A) => void;
    hold(): void;
    release(): void;
}

/** @internal Where a transport puts what its streams give, in order. */
export type Entries = (entries: readonly Entry[]) => void;
