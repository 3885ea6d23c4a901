/** ReadableStream, WritableStream and TransformStream of the web: of any chunks, without byte readers. */
(host) => {
    const DEFAULT_ROOM = 1;

    class ReadableStream {
        #source;
        #room;
        #queue = [];
        #waiting = [];
        #reader = null;
        #state = 'readable';
        #failure;
        #isPulling = false;
        #pullsAgain = false;
        #isClosing = false;
        #started;

        constructor(source = {}, { highWaterMark = DEFAULT_ROOM } = {}) {
            this.#source = source;
            this.#room = highWaterMark;
            const controller = this.#controller();
            this.#started = Promise.resolve(source.start?.(controller)).then(
                () => this.#pull(controller),
                (failure) => this.#fail(failure),
            );
        }

        static from(iterable) {
            const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
            return new ReadableStream({
                async pull(controller) {
                    const { done, value } = await iterator.next();
                    done ? controller.close() : controller.enqueue(value);
                },
                cancel: (reason) => iterator.return?.(reason),
            });
        }

        get locked() {
            return this.#reader !== null;
        }

        #controller() {
            const stream = this;
            return {
                get desiredSize() {
                    return stream.#state === 'errored' ? null : stream.#room - stream.#queue.length;
                },
                enqueue(chunk) {
                    if (stream.#state !== 'readable' || stream.#isClosing) {
                        throw new TypeError('The stream is closed');
                    }
                    const waiting = stream.#waiting.shift();
                    waiting === undefined ? stream.#queue.push(chunk) : waiting.resolve({ done: false, value: chunk });
                    void stream.#started?.then(() => stream.#pull(this));
                },
                close() {
                    if (stream.#state !== 'readable' || stream.#isClosing) {
                        throw new TypeError('The stream is closed');
                    }
                    stream.#isClosing = true;
                    stream.#endIfEmpty();
                },
                error: (failure) => stream.#fail(failure),
            };
        }

        #pull(controller) {
            const hasRoom = this.#waiting.length > 0 || this.#queue.length < this.#room;
            if (this.#state !== 'readable' || this.#isClosing || !hasRoom || !this.#source.pull) {
                return;
            }
            if (this.#isPulling) {
                this.#pullsAgain = true;
                return;
            }
            this.#isPulling = true;
            Promise.resolve()
                .then(() => this.#source.pull(controller))
                .then(
                    () => {
                        this.#isPulling = false;
                        // Not by itself: a source that has nothing now enqueues when it has.
                        if (this.#pullsAgain) {
                            this.#pullsAgain = false;
                            this.#pull(controller);
                        }
                    },
                    (failure) => this.#fail(failure),
                );
        }

        #endIfEmpty() {
            if (this.#isClosing && this.#queue.length === 0 && this.#state === 'readable') {
                this.#state = 'closed';
                this.#waiting.splice(0).forEach(({ resolve }) => resolve({ done: true, value: undefined }));
                this.#reader?.closed.resolve();
            }
        }

        #fail(failure) {
            if (this.#state === 'readable') {
                this.#state = 'errored';
                this.#failure = failure;
                this.#queue = [];
                this.#waiting.splice(0).forEach(({ reject }) => reject(failure));
                this.#reader?.closed.reject(failure);
            }
        }

        #read() {
            if (this.#queue.length > 0) {
                const value = this.#queue.shift();
                this.#endIfEmpty();
                this.#pull(this.#controller());
                return Promise.resolve({ done: false, value });
            }
            if (this.#state === 'errored') {
                return Promise.reject(this.#failure);
            }
            if (this.#state === 'closed') {
                return Promise.resolve({ done: true, value: undefined });
            }
            const waiting = Promise.withResolvers();
            this.#waiting.push(waiting);
            void this.#started.then(() => this.#pull(this.#controller()));
            return waiting.promise;
        }

        async #cancel(reason) {
            if (this.#state === 'errored') {
                throw this.#failure;
            }
            if (this.#state === 'readable') {
                this.#queue = [];
                this.#isClosing = true;
                this.#endIfEmpty();
                await this.#source.cancel?.(reason);
            }
        }

        async cancel(reason) {
            if (this.locked) {
                throw new TypeError('The stream is locked');
            }
            await this.#cancel(reason);
        }

        getReader({ mode } = {}) {
            if (mode !== undefined) {
                throw new TypeError(`There are no ${mode} readers here`);
            }
            if (this.locked) {
                throw new TypeError('The stream is locked');
            }
            const closed = Promise.withResolvers();
            closed.promise.catch(() => {});
            this.#reader = { closed };
            if (this.#state !== 'readable') {
                this.#state === 'closed' ? closed.resolve() : closed.reject(this.#failure);
            }
            const mine = this.#reader;
            const held = (action) =>
                this.#reader === mine ? action() : Promise.reject(new TypeError('The reader has let the stream go'));
            return {
                closed: closed.promise,
                read: () => held(() => this.#read()),
                cancel: (reason) => held(() => this.#cancel(reason)),
                releaseLock: () => {
                    if (this.#reader === mine) {
                        this.#reader = null;
                        const failure = new TypeError('The reader has let the stream go');
                        this.#waiting.splice(0).forEach(({ reject }) => reject(failure));
                        closed.reject(failure);
                    }
                },
            };
        }

        async *values({ preventCancel = false } = {}) {
            const reader = this.getReader();
            let isOver = false;
            try {
                while (true) {
                    const { done, value } = await reader.read().catch((failure) => {
                        isOver = true;
                        throw failure;
                    });
                    if (done) {
                        isOver = true;
                        return;
                    }
                    yield value;
                }
            } finally {
                if (!isOver && !preventCancel) {
                    await reader.cancel();
                }
                reader.releaseLock();
            }
        }

        [Symbol.asyncIterator](options) {
            return this.values(options);
        }

        /** Two that have the chunks of this one, which ends when nobody wants them. */
        tee() {
            const reader = this.getReader();
            const controllers = [];
            let left = 2;
            const branch = () => {
                let mine;
                return new ReadableStream({
                    start: (controller) => void controllers.push((mine = controller)),
                    async pull() {
                        const { done, value } = await reader.read().catch((failure) => {
                            controllers.forEach((each) => each.error(failure));
                            throw failure;
                        });
                        controllers.forEach((each) => (done ? each.close() : each.enqueue(value)));
                    },
                    cancel(reason) {
                        controllers.splice(controllers.indexOf(mine), 1);
                        return --left === 0 ? reader.cancel(reason) : undefined;
                    },
                });
            };
            return [branch(), branch()];
        }

        async pipeTo(writable, { preventClose = false, preventAbort = false, preventCancel = false, signal } = {}) {
            const reader = this.getReader();
            const writer = writable.getWriter();
            try {
                for (let next = await reader.read(); !next.done; next = await reader.read()) {
                    signal?.throwIfAborted();
                    await writer.write(next.value).catch(async (failure) => {
                        await (preventCancel ? undefined : reader.cancel(failure));
                        throw failure;
                    });
                }
                await (preventClose ? undefined : writer.close());
            } catch (failure) {
                await (preventAbort ? undefined : writer.abort(failure).catch(() => {}));
                throw failure;
            } finally {
                reader.releaseLock();
                writer.releaseLock();
            }
        }

        pipeThrough({ readable, writable }, options) {
            this.pipeTo(writable, options).catch(() => {});
            return readable;
        }
    }

    class WritableStream {
        #sink;
        #controller;
        #last;
        #isLocked = false;
        #state = 'writable';
        #failure;

        constructor(sink = {}) {
            this.#sink = sink;
            this.#controller = { error: (failure) => this.#fail(failure) };
            this.#last = Promise.resolve(sink.start?.(this.#controller));
        }

        get locked() {
            return this.#isLocked;
        }

        #fail(failure) {
            this.#state = 'errored';
            this.#failure = failure;
        }

        /** After all that was asked before. */
        #then(action) {
            const next = this.#last.then(() => {
                if (this.#state !== 'writable') {
                    throw this.#failure ?? new TypeError('The stream is closed');
                }
                return action();
            });
            this.#last = next.catch((failure) => this.#fail(failure));
            return next;
        }

        #close() {
            return this.#then(async () => {
                await this.#sink.close?.(this.#controller);
                this.#state = 'closed';
            });
        }

        async #abort(reason) {
            if (this.#state === 'writable') {
                this.#fail(reason);
                await this.#sink.abort?.(reason);
            }
        }

        close() {
            return this.#close();
        }

        abort(reason) {
            return this.#abort(reason);
        }

        getWriter() {
            if (this.#isLocked) {
                throw new TypeError('The stream is locked');
            }
            this.#isLocked = true;
            return {
                ready: Promise.resolve(),
                desiredSize: 1,
                write: (chunk) => this.#then(() => this.#sink.write?.(chunk, this.#controller)),
                close: () => this.#close(),
                abort: (reason) => this.#abort(reason),
                releaseLock: () => (this.#isLocked = false),
            };
        }
    }

    class TransformStream {
        constructor({ start, transform = (chunk, controller) => controller.enqueue(chunk), flush } = {}) {
            let readable;
            const question = () => {
                const one = Promise.withResolvers();
                one.promise.catch(() => {});
                return one;
            };
            let asked = question();
            this.readable = new ReadableStream(
                {
                    start: (controller) => void (readable = controller),
                    pull: () => asked.resolve(),
                    cancel(reason) {
                        writable.error(reason);
                        asked.reject(reason ?? new TypeError('Nobody reads the stream any more'));
                    },
                },
                { highWaterMark: 0 },
            );
            const controller = {
                get desiredSize() {
                    return readable.desiredSize;
                },
                enqueue: (chunk) => readable.enqueue(chunk),
                error: (failure) => readable.error(failure),
                terminate: () => readable.close(),
            };
            let writable;
            this.writable = new WritableStream({
                start(sink) {
                    writable = sink;
                    return start?.(controller);
                },
                async write(chunk) {
                    await asked.promise;
                    asked = question();
                    try {
                        await transform(chunk, controller);
                    } catch (failure) {
                        readable.error(failure);
                        throw failure;
                    }
                    if (readable.desiredSize >= 0) {
                        asked.resolve();
                    }
                },
                async close() {
                    await flush?.(controller);
                    readable.close();
                },
                abort: (reason) => readable.error(reason),
            });
        }
    }

    class TextDecoderStream extends TransformStream {
        constructor(label, options) {
            const decoder = new TextDecoder(label, options);
            const put = (text, controller) => text !== '' && controller.enqueue(text);
            super({
                transform: (chunk, controller) => put(decoder.decode(chunk, { stream: true }), controller),
                flush: (controller) => put(decoder.decode(), controller),
            });
        }
    }

    class TextEncoderStream extends TransformStream {
        constructor() {
            super({ transform: (chunk, controller) => controller.enqueue(new TextEncoder().encode(String(chunk))) });
        }
    }
    return { ReadableStream, WritableStream, TransformStream, TextDecoderStream, TextEncoderStream };
};
