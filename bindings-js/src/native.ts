import { AsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { type Addon, AddonTransport } from './addon.js';
import { InvalidState } from './errors.js';
import type { Entries, Transport } from './transport.js';

const NATIVE = new URL('../native/', import.meta.url);

/** Made from addon/*.c. */
interface NativeAddon extends Addon {
    open(path: string): string;
}

/** UZU_LIBRARY, else the library that the package carries. */
function libraryPath(): string {
    const name = process.platform === 'darwin' ? 'libuzu.dylib' : 'libuzu.so';
    return process.env['UZU_LIBRARY'] || fileURLToPath(new URL(name, NATIVE));
}

function load(): NativeAddon {
    const path = fileURLToPath(new URL('uzu.node', NATIVE));
    const library = libraryPath();
    for (const file of [path, library]) {
        if (!existsSync(file)) {
            throw new InvalidState(`uzu's native library isn't there: ${file}`, { path: file });
        }
    }
    try {
        const addon = createRequire(import.meta.url)(path) as NativeAddon;
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

/** @internal The transport of Node.js: libuzu through the addon. */
export function openTransport(entries: Entries): Transport {
    const addon = load();
    // Also where process.exit() leaves no time for more: replies end, and locks of downloads are given back.
    process.once('exit', () => addon.end());
    return new AddonTransport(addon, entries, (action) => AsyncResource.bind(action));
}
