/** What programs expect of the web's globals and GraalJS lacks: timers, events, abort signals. */
(host, engine) => {
    const define = (name, value) => {
        if (!(name in globalThis)) {
            Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
        }
    };

    /** What the package's transport is made of. */
    Object.defineProperty(globalThis, Symbol.for('uzu.engine'), { value: engine });

    for (const name of ['dispose', 'asyncDispose']) {
        if (!(name in Symbol)) {
            Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
        }
    }

    /** What an action's AsyncLocalStorages hold is what they hold now. */
    const inContext = (action) => {
        if (globalThis.AsyncContext === undefined) {
            return action;
        }
        const snapshot = new AsyncContext.Snapshot();
        return (...values) => snapshot.run(action, ...values);
    };

    class Timeout {
        #id;
        #holds = true;

        constructor(action, milliseconds, values, repeats) {
            if (typeof action !== 'function') {
                throw new TypeError(`A timer needs a function, not ${action}`);
            }
            const delay = milliseconds >= 1 && milliseconds <= 2 ** 31 - 1 ? Math.trunc(milliseconds) : 1;
            const run = () => void action(...values);
            this.#id = host.setTimer(inContext(run), delay, repeats);
        }

        ref() {
            return this.#hold(true);
        }

        unref() {
            return this.#hold(false);
        }

        hasRef() {
            return this.#holds;
        }

        close() {
            host.clearTimer(this.#id);
            return this;
        }

        #hold(holds) {
            this.#holds = holds;
            host.holdTimer(this.#id, holds);
            return this;
        }

        [Symbol.toPrimitive]() {
            return this.#id;
        }
    }
    const clear = (timer) => {
        if (timer instanceof Timeout) {
            timer.close();
        } else if (typeof timer === 'number' || typeof timer === 'string') {
            host.clearTimer(Number(timer));
        }
    };
    define('setTimeout', (action, milliseconds, ...values) => new Timeout(action, milliseconds, values, false));
    define('setInterval', (action, milliseconds, ...values) => new Timeout(action, milliseconds, values, true));
    define('setImmediate', (action, ...values) => new Timeout(action, 0, values, false));
    define('clearTimeout', clear);
    define('clearInterval', clear);
    define('clearImmediate', clear);
    define('queueMicrotask', (action) => void Promise.resolve().then(action));

    const started = Date.now();
    define('performance', { timeOrigin: started, now: () => Date.now() - started });

    define(
        'DOMException',
        class DOMException extends Error {
            #name;

            constructor(message = '', name = 'Error') {
                super(message);
                this.#name = String(name);
            }

            get name() {
                return this.#name;
            }
        },
    );

    define(
        'Event',
        class Event {
            #type;
            #cancelable;
            #prevented = false;
            target = null;

            constructor(type, { cancelable = false } = {}) {
                this.#type = String(type);
                this.#cancelable = cancelable;
            }

            get type() {
                return this.#type;
            }

            get defaultPrevented() {
                return this.#prevented;
            }

            preventDefault() {
                this.#prevented ||= this.#cancelable;
            }
        },
    );

    define(
        'EventTarget',
        class EventTarget {
            #listeners = [];

            addEventListener(type, listener, options) {
                const { once = false, signal } = typeof options === 'object' && options !== null ? options : {};
                if (!listener || signal?.aborted || this.#listeners.some((each) => is(each, type, listener))) {
                    return;
                }
                this.#listeners.push({ type, listener, once });
                signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true });
            }

            removeEventListener(type, listener) {
                this.#listeners = this.#listeners.filter((each) => !is(each, type, listener));
            }

            /** A listener that throws doesn't keep the others from being called. */
            dispatchEvent(event) {
                event.target = this;
                for (const each of this.#listeners.filter(({ type }) => type === event.type)) {
                    if (each.once) {
                        this.removeEventListener(each.type, each.listener);
                    }
                    try {
                        typeof each.listener === 'function'
                            ? each.listener.call(this, event)
                            : each.listener.handleEvent(event);
                    } catch (failure) {
                        setTimeout(() => {
                            throw failure;
                        });
                    }
                }
                return !event.defaultPrevented;
            }
        },
    );
    function is(each, type, listener) {
        return each.type === type && each.listener === listener;
    }

    let abort;
    class AbortSignal extends EventTarget {
        #reason;
        #aborted = false;
        onabort = null;

        static {
            abort = (signal, reason = new DOMException('This operation was aborted', 'AbortError')) => {
                if (!signal.#aborted) {
                    signal.#aborted = true;
                    signal.#reason = reason;
                    const event = new Event('abort');
                    signal.onabort?.(event);
                    signal.dispatchEvent(event);
                }
            };
        }

        static abort(reason) {
            const signal = new AbortSignal();
            abort(signal, reason);
            return signal;
        }

        static timeout(milliseconds) {
            const signal = new AbortSignal();
            const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
            setTimeout(() => abort(signal, reason()), milliseconds).unref();
            return signal;
        }

        static any(signals) {
            const all = [...signals];
            const joined = new AbortSignal();
            const first = all.find((each) => each.aborted);
            if (first !== undefined) {
                abort(joined, first.reason);
            } else {
                all.forEach((each) =>
                    each.addEventListener('abort', () => abort(joined, each.reason), { once: true }),
                );
            }
            return joined;
        }

        get aborted() {
            return this.#aborted;
        }

        get reason() {
            return this.#reason;
        }

        throwIfAborted() {
            if (this.#aborted) {
                throw this.#reason;
            }
        }
    }
    define('AbortSignal', AbortSignal);
    define(
        'AbortController',
        class AbortController {
            signal = new AbortSignal();

            abort(reason) {
                abort(this.signal, reason);
            }
        },
    );
};
