/** Lines asked for at a terminal, which itself lets them be edited. */
export class Interface {
    #input;
    #output;
    #prompt;
    #closed = false;
    #listeners = new Map();

    constructor({ input, output, prompt = '> ' }) {
        this.#input = input;
        this.#output = output;
        this.#prompt = prompt;
    }

    get closed() {
        return this.#closed;
    }

    /** Never settled when the input ends before an answer, as with Node.js. */
    question(text, { signal } = {}) {
        return new Promise((resolve, reject) => {
            if (this.#closed) {
                throw Object.assign(new Error('readline was closed'), { code: 'ERR_USE_AFTER_CLOSE' });
            }
            signal?.throwIfAborted();
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
            this.#output?.write(text);
            void this.#input.line().then((line) => (line === null ? this.close() : resolve(line)));
        });
    }

    async *[Symbol.asyncIterator]() {
        for (let line = await this.#input.line(); line !== null && !this.#closed; line = await this.#input.line()) {
            yield line;
        }
        this.close();
    }

    setPrompt(text) {
        this.#prompt = text;
    }

    prompt() {
        this.#output?.write(this.#prompt);
        void this.#input.line().then((line) => (line === null ? this.close() : this.#emit('line', line)));
    }

    on(event, listener) {
        this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
        return this;
    }

    once(event, listener) {
        return this.on(event, listener);
    }

    close() {
        if (!this.#closed) {
            this.#closed = true;
            this.#emit('close');
        }
    }

    [Symbol.dispose]() {
        this.close();
    }

    #emit(event, ...values) {
        (this.#listeners.get(event) ?? []).forEach((listener) => listener(...values));
    }
}

export const createInterface = (options) => new Interface(options);
export default { Interface, createInterface };
