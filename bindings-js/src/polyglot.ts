import { type Addon, AddonTransport } from './addon.js';
import { InvalidState } from './errors.js';
import type { Entries, Transport } from './transport.js';

const ENGINE: unique symbol = Symbol.for('uzu.engine');

interface Host {
    [ENGINE]?: Addon;
    /** Where the context has the option `js.async-context`, as the launcher's has. */
    AsyncContext?: { Snapshot: new () => { run<A extends unknown[]>(action: (...values: A) => void, ...values: A): void } };
}

/** @internal The transport of GraalJS: the engine of the Java program that runs the script, which core/polyglot binds. */
export function openTransport(entries: Entries): Transport {
    const host = globalThis as Host;
    const addon = host[ENGINE];
    if (addon === undefined) {
        throw new InvalidState("uzu isn't installed in this context: the Java program calls UzuPolyglot.install");
    }
    return new AddonTransport(addon, entries, (action) => {
        if (host.AsyncContext === undefined) {
            return action;
        }
        const snapshot = new host.AsyncContext.Snapshot();
        return (...values) => snapshot.run(action, ...values);
    });
}
