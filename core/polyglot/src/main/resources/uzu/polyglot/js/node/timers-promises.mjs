/** Promises that a timer settles, and a signal rejects. */
export function setTimeout(milliseconds, value, { signal, ref = true } = {}) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const timer = globalThis.setTimeout(resolve, milliseconds, value);
        if (!ref) {
            timer.unref();
        }
        signal?.addEventListener(
            'abort',
            () => {
                clearTimeout(timer);
                reject(signal.reason);
            },
            { once: true },
        );
    });
}

export const setImmediate = (value, options) => setTimeout(0, value, options);

export async function* setInterval(milliseconds, value, options) {
    while (true) {
        yield await setTimeout(milliseconds, value, options);
    }
}

export const scheduler = { wait: (milliseconds, options) => setTimeout(milliseconds, undefined, options) };
export default { setTimeout, setImmediate, setInterval, scheduler };
