import { jsonOf } from './checks.js';
import { UzuError } from './errors.js';
import type { UzuToolFunction } from './tools.js';
import type { Transport } from './transport.js';

/** @internal A call as the engine wants it answered. */
export interface CallJson {
    readonly identifier: string;
    readonly name: string;
    readonly arguments: string;
}

/** @internal Runs what one reply calls, all of a turn at once, and answers the engine. */
export class ToolCalls {
    readonly #transport: Transport;
    readonly #tools: ReadonlyMap<string, UzuToolFunction>;
    readonly #controller = new AbortController();
    readonly #run: (stream: number, call: CallJson) => void;

    /** Handlers run in the asynchronous context in which this is called. */
    constructor(transport: Transport, tools: ReadonlyMap<string, UzuToolFunction>) {
        this.#transport = transport;
        this.#tools = new Map(tools);
        this.#run = transport.inContext((stream, call) => void this.#answer(stream, call));
    }

    start(stream: number, calls: readonly CallJson[]): void {
        calls.forEach((call) => this.#run(stream, call));
    }

    /** Aborts what still runs. */
    cancel(): void {
        this.#controller.abort();
    }

    async #answer(stream: number, call: CallJson): Promise<void> {
        const { identifier } = call;
        let results: string;
        try {
            const value = await this.#value(call);
            results = jsonOf([{ identifier, value: value === undefined ? null : value }], 'result');
        } catch (failure) {
            results = JSON.stringify([{ identifier, error: messageOf(failure) }]);
        }
        // The stream may have been closed meanwhile.
        await this.#transport.run('stream_tool_results', stream, results).catch(() => {});
    }

    async #value(call: CallJson): Promise<unknown> {
        const { signal } = this.#controller;
        signal.throwIfAborted();
        const tool = this.#tools.get(call.name);
        if (tool === undefined) {
            throw new Error(`There is no tool ${call.name}`);
        }
        return tool.answer(JSON.parse(call.arguments), signal);
    }
}

function messageOf(failure: unknown): string {
    return failure instanceof UzuError ? failure.message : String(failure);
}
