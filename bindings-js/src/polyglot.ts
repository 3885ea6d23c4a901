import { type Addon, AddonTransport } from './addon.js';
import { InvalidState } from './errors.js';
import type { Entries, Transport } from './transport.js';

const ENGINE: unique symbol = Symbol.for('uzu.engine');

/** @internal The transport of GraalJS: the engine of the Java program that runs the script, which core/polyglot binds. */
export function openTransport(entries: Entries): Transport {
    const addon = (globalThis as { [ENGINE]?: Addon })[ENGINE];
    if (addon === undefined) {
        throw new InvalidState("uzu isn't installed in this context: the Java program calls UzuPolyglot.install");
    }
    return new AddonTransport(addon, entries, (action) => action);
}
