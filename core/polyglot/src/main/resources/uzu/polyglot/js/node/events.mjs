/** EventEmitter, and promises of events. */
export class EventEmitter {
    #listeners = new Map();

    static once = once;

    #of(event) {
        return this.#listeners.get(event) ?? [];
    }

    #add(event, entry, isFirst) {
        if (typeof entry.listener !== 'function') {
            throw new TypeError(`A listener is a function, not ${entry.listener}`);
        }
        if (this.#listeners.has('newListener')) {
            this.emit('newListener', event, entry.listener);
        }
        this.#listeners.set(event, isFirst ? [entry, ...this.#of(event)] : [...this.#of(event), entry]);
        return this;
    }

    on(event, listener) {
        return this.#add(event, { listener, call: listener }, false);
    }

    addListener(event, listener) {
        return this.on(event, listener);
    }

    prependListener(event, listener) {
        return this.#add(event, { listener, call: listener }, true);
    }

    once(event, listener) {
        const call = (...values) => {
            this.#remove(event, (each) => each.call === call);
            return listener.apply(this, values);
        };
        return this.#add(event, { listener, call }, false);
    }

    #remove(event, isIt) {
        const entries = this.#of(event);
        const at = entries.findLastIndex(isIt);
        const rest = entries.filter((_, index) => index !== at);
        rest.length === 0 ? this.#listeners.delete(event) : this.#listeners.set(event, rest);
        if (at >= 0 && this.#listeners.has('removeListener')) {
            this.emit('removeListener', event, entries[at].listener);
        }
    }

    off(event, listener) {
        this.#remove(event, (each) => each.listener === listener);
        return this;
    }

    removeListener(event, listener) {
        return this.off(event, listener);
    }

    removeAllListeners(event) {
        event === undefined ? this.#listeners.clear() : this.#listeners.delete(event);
        return this;
    }

    /** An error that nobody listens for is thrown. */
    emit(event, ...values) {
        const entries = this.#of(event);
        if (entries.length === 0 && event === 'error') {
            throw values[0] instanceof Error ? values[0] : new Error(`Unhandled error. (${values[0]})`);
        }
        entries.forEach((each) => each.call.apply(this, values));
        return entries.length > 0;
    }

    eventNames() {
        return [...this.#listeners.keys()];
    }

    listeners(event) {
        return this.#of(event).map((each) => each.listener);
    }

    rawListeners(event) {
        return this.#of(event).map((each) => each.call);
    }

    listenerCount(event) {
        return this.#of(event).length;
    }

    setMaxListeners() {
        return this;
    }

    getMaxListeners() {
        return 0;
    }
}

/** What the event comes with; an `error` rejects it. */
export function once(emitter, event, { signal } = {}) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (typeof emitter.addEventListener === 'function') {
            emitter.addEventListener(event, (value) => resolve([value]), { once: true, signal });
            return;
        }
        const end = (settle) => (value) => {
            emitter.off(event, came);
            emitter.off('error', failed);
            settle(value);
        };
        const came = (...values) => end(resolve)(values);
        const failed = end(reject);
        emitter.on(event, came);
        if (event !== 'error') {
            emitter.on('error', failed);
        }
        signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
    });
}
export default Object.assign(EventEmitter, { EventEmitter, once });
