/** fetch, Request and Response of the web, over Java's client. */
(host) => {
    const { bytesOf, joined, extracted } = globalThis[Symbol.for('uzu.bodies')];
    const WITHOUT_BODY = [101, 204, 205, 304];

    class Body {
        #stream;
        #bytes;
        #isUsed = false;

        /** Neither: there is none. */
        constructor({ stream = null, bytes = null }) {
            this.#stream = stream;
            this.#bytes = bytes;
        }

        get body() {
            if (this.#stream === null && this.#bytes !== null) {
                this.#stream = ReadableStream.from(this.#bytes.length === 0 ? [] : [this.#bytes]);
            }
            return this.#stream;
        }

        get bodyUsed() {
            return this.#isUsed || (this.#stream?.locked ?? false);
        }

        async bytes() {
            if (this.bodyUsed) {
                throw new TypeError('The body is read already');
            }
            this.#isUsed = this.#bytes !== null || this.#stream !== null;
            if (this.#stream === null) {
                return this.#bytes ?? new Uint8Array();
            }
            const parts = [];
            for await (const part of this.#stream) {
                parts.push(bytesOf(part));
            }
            return joined(parts);
        }

        async arrayBuffer() {
            return (await this.bytes()).slice().buffer;
        }

        async text() {
            return new TextDecoder().decode(await this.bytes());
        }

        async json() {
            return JSON.parse(await this.text());
        }

        async blob() {
            return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
        }

        async formData() {
            const type = this.headers.get('content-type') ?? '';
            if (!type.startsWith('application/x-www-form-urlencoded')) {
                throw new TypeError(`A body of the type ${JSON.stringify(type)} isn't read as a form here`);
            }
            const form = new FormData();
            new URLSearchParams(await this.text()).forEach((value, name) => form.append(name, value));
            return form;
        }

        /** The same body a second time. */
        copied() {
            if (this.bodyUsed) {
                throw new TypeError('The body is read already');
            }
            if (this.#stream === null) {
                return { bytes: this.#bytes };
            }
            const [mine, other] = this.#stream.tee();
            this.#stream = mine;
            return { stream: other };
        }
    }

    class Request extends Body {
        constructor(input, init = {}) {
            const from = input instanceof Request ? input : null;
            const method = String(init.method ?? from?.method ?? 'GET');
            const { type, ...content } =
                init.body !== undefined && init.body !== null
                    ? extracted(init.body)
                    : { ...(from?.copied() ?? {}), type: null };
            super(content);
            this.method = /^(get|head|post|put|delete|options|patch)$/i.test(method) ? method.toUpperCase() : method;
            if ((content.bytes ?? content.stream) && /^(GET|HEAD)$/.test(this.method)) {
                throw new TypeError(`A request by ${this.method} has no body`);
            }
            this.url = from?.url ?? new URL(input).href;
            this.headers = new Headers(init.headers ?? from?.headers);
            if (type !== null && !this.headers.has('content-type')) {
                this.headers.set('content-type', type);
            }
            this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
            this.redirect = init.redirect ?? from?.redirect ?? 'follow';
        }

        clone() {
            return new Request(this);
        }

        get [Symbol.toStringTag]() {
            return 'Request';
        }
    }

    class Response extends Body {
        #url = '';
        #redirected = false;
        #type = 'default';

        constructor(body = null, { status = 200, statusText = '', headers } = {}) {
            if (!(status >= 200 && status <= 599)) {
                throw new RangeError(`${status} is no status of a response`);
            }
            const { type, ...content } = extracted(body);
            super(content);
            this.status = status;
            this.statusText = String(statusText);
            this.headers = new Headers(headers);
            if (type !== null && !this.headers.has('content-type')) {
                this.headers.set('content-type', type);
            }
        }

        /** What came from a server. */
        static of(body, { url, redirected, ...init }) {
            const response = new Response(body, init);
            response.#url = url;
            response.#redirected = redirected;
            response.#type = 'basic';
            return response;
        }

        static json(value, init = {}) {
            const headers = new Headers(init.headers);
            if (!headers.has('content-type')) {
                headers.set('content-type', 'application/json');
            }
            return new Response(JSON.stringify(value), { ...init, headers });
        }

        static redirect(url, status = 302) {
            return new Response(null, { status, headers: { location: new URL(url).href } });
        }

        get ok() {
            return this.status >= 200 && this.status <= 299;
        }

        get url() {
            return this.#url;
        }

        get redirected() {
            return this.#redirected;
        }

        get type() {
            return this.#type;
        }

        clone() {
            const { stream, bytes } = this.copied();
            return Response.of(stream ?? bytes, {
                status: this.status,
                statusText: this.statusText,
                headers: this.headers,
                url: this.#url,
                redirected: this.#redirected,
            });
        }

        get [Symbol.toStringTag]() {
            return 'Response';
        }
    }
    const received = Response.of;
    delete Response.of;

    const failed = ([code, message]) =>
        Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(message), { code }) });

    /** (action with a function that takes an error and a result) */
    const promised = (action) =>
        new Promise((resolve, reject) =>
            action((error, ...values) => (error === null ? resolve(values) : reject(failed(Array.from(error))))),
        );

    async function fetch(input, init) {
        const request = new Request(input, init);
        const { signal } = request;
        signal.throwIfAborted();
        if (!/^https?:/.test(request.url)) {
            return fetchOther(request);
        }
        const body = request.body === null ? null : await request.bytes();
        const exchange = host.open();
        const cancelled = new Promise((_, reject) => {
            signal.addEventListener(
                'abort',
                () => {
                    exchange.cancel();
                    reject(signal.reason);
                },
                { once: true },
            );
        });
        cancelled.catch(() => {});
        const headers = Array.from(request.headers).flat();
        const [status, fields, url, redirected] = await Promise.race([
            promised((done) =>
                exchange.send(request.method, request.url, request.redirect === 'follow', headers, body?.buffer ?? null, done),
            ),
            cancelled,
        ]);
        if (request.redirect === 'error' && status >= 300 && status <= 399) {
            exchange.cancel();
            throw failed(['ERR_REDIRECT', `${request.url} leads elsewhere`]);
        }
        const flat = Array.from(fields);
        const pairs = flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]]] : []));
        const stream = new ReadableStream(
            {
                async pull(controller) {
                    const [bytes] = await Promise.race([promised((done) => exchange.read(done)), cancelled]);
                    bytes === null ? controller.close() : controller.enqueue(new Uint8Array(new Uint8Array(new ArrayBuffer(bytes))));
                },
                cancel: () => exchange.cancel(),
            },
            { highWaterMark: 0 },
        );
        const isEmpty = WITHOUT_BODY.includes(status) || request.method === 'HEAD';
        if (isEmpty) {
            exchange.cancel();
        }
        return received(isEmpty ? null : stream, { status, headers: pairs, url, redirected });
    }

    /** Addresses that are their own content. */
    async function fetchOther(request) {
        const [, type, base64, data] = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(request.url.replace(/#.*$/s, '')) ?? [];
        if (data === undefined) {
            throw failed(['ERR_INVALID_PROTOCOL', `${request.url} has no protocol that fetch knows here`]);
        }
        const bytes = base64
            ? Uint8Array.from(atob(decodeURIComponent(data)), (sign) => sign.charCodeAt(0))
            : new TextEncoder().encode(decodeURIComponent(data));
        const headers = { 'content-type': type || 'text/plain;charset=US-ASCII' };
        return received(bytes, { status: 200, headers, url: request.url, redirected: false });
    }
    return { fetch, Request, Response };
};
