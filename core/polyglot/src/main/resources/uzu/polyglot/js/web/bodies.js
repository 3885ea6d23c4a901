/** Headers, Blob, File and FormData of the web: what requests and responses are made of. */
() => {
    const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

    class Headers {
        #values = new Map();

        constructor(init = {}) {
            const pairs = typeof init?.[Symbol.iterator] === 'function' ? init : Object.entries(init ?? {});
            for (const [name, value] of pairs) {
                this.append(name, value);
            }
        }

        static #key(name) {
            if (!NAME.test(name)) {
                throw new TypeError(`${name} is no name of a header`);
            }
            return String(name).toLowerCase();
        }

        static #value(value) {
            const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
            if (/[\0\r\n]|[^\0-\xff]/.test(text)) {
                throw new TypeError(`${JSON.stringify(text)} is no value of a header`);
            }
            return text;
        }

        append(name, value) {
            const key = Headers.#key(name);
            this.#values.set(key, [...(this.#values.get(key) ?? []), Headers.#value(value)]);
        }

        set(name, value) {
            this.#values.set(Headers.#key(name), [Headers.#value(value)]);
        }

        get(name) {
            return this.#values.get(Headers.#key(name))?.join(', ') ?? null;
        }

        getSetCookie() {
            return [...(this.#values.get('set-cookie') ?? [])];
        }

        has(name) {
            return this.#values.has(Headers.#key(name));
        }

        delete(name) {
            this.#values.delete(Headers.#key(name));
        }

        forEach(action, self) {
            for (const [name, value] of this) {
                action.call(self, value, name, this);
            }
        }

        *entries() {
            for (const [name, values] of [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1))) {
                yield* name === 'set-cookie' ? values.map((each) => [name, each]) : [[name, values.join(', ')]];
            }
        }

        *keys() {
            yield* [...this].map(([name]) => name);
        }

        *values() {
            yield* [...this].map(([, value]) => value);
        }

        [Symbol.iterator]() {
            return this.entries();
        }

        get [Symbol.toStringTag]() {
            return 'Headers';
        }
    }

    const bytesOf = (part) => {
        if (part instanceof Blob) {
            return bytesOfBlob(part);
        }
        if (part instanceof ArrayBuffer) {
            return new Uint8Array(part);
        }
        return ArrayBuffer.isView(part)
            ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
            : new TextEncoder().encode(String(part));
    };
    const joined = (parts) => {
        const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
        let at = 0;
        for (const part of parts) {
            whole.set(part, at);
            at += part.length;
        }
        return whole;
    };

    let bytesOfBlob;
    class Blob {
        #bytes;
        #type;

        static {
            bytesOfBlob = (blob) => blob.#bytes;
        }

        constructor(parts = [], { type = '' } = {}) {
            this.#bytes = joined(Array.from(parts, bytesOf));
            this.#type = String(type).toLowerCase();
        }

        get size() {
            return this.#bytes.length;
        }

        get type() {
            return this.#type;
        }

        async arrayBuffer() {
            return this.#bytes.slice().buffer;
        }

        async bytes() {
            return this.#bytes.slice();
        }

        async text() {
            return new TextDecoder().decode(this.#bytes);
        }

        slice(start, end, type = '') {
            return new Blob([this.#bytes.slice(start, end)], { type });
        }

        stream() {
            return ReadableStream.from([this.#bytes.slice()]);
        }

        get [Symbol.toStringTag]() {
            return 'Blob';
        }
    }

    class File extends Blob {
        #name;
        #lastModified;

        constructor(parts, name, { lastModified = Date.now(), ...options } = {}) {
            super(parts, options);
            this.#name = String(name);
            this.#lastModified = lastModified;
        }

        get name() {
            return this.#name;
        }

        get lastModified() {
            return this.#lastModified;
        }

        get [Symbol.toStringTag]() {
            return 'File';
        }
    }

    class FormData {
        #entries = [];

        static #entry(name, value, file) {
            if (!(value instanceof Blob)) {
                return [String(name), String(value)];
            }
            const isNamed = value instanceof File && file === undefined;
            return [String(name), isNamed ? value : new File([value], file ?? value.name ?? 'blob', { type: value.type })];
        }

        append(name, value, file) {
            this.#entries.push(FormData.#entry(name, value, file));
        }

        set(name, value, file) {
            const at = this.#entries.findIndex((entry) => entry[0] === String(name));
            const rest = this.#entries.filter((entry) => entry[0] !== String(name));
            rest.splice(at < 0 ? rest.length : at, 0, FormData.#entry(name, value, file));
            this.#entries = rest;
        }

        delete(name) {
            this.#entries = this.#entries.filter((entry) => entry[0] !== String(name));
        }

        get(name) {
            return this.getAll(name)[0] ?? null;
        }

        getAll(name) {
            return this.#entries.filter((entry) => entry[0] === String(name)).map((entry) => entry[1]);
        }

        has(name) {
            return this.getAll(name).length > 0;
        }

        forEach(action, self) {
            this.#entries.forEach(([name, value]) => action.call(self, value, name, this));
        }

        *entries() {
            yield* this.#entries.map((entry) => [...entry]);
        }

        *keys() {
            yield* this.#entries.map((entry) => entry[0]);
        }

        *values() {
            yield* this.#entries.map((entry) => entry[1]);
        }

        [Symbol.iterator]() {
            return this.entries();
        }

        get [Symbol.toStringTag]() {
            return 'FormData';
        }
    }

    /** As multipart/form-data. */
    const formBytes = (form, boundary) => {
        const quoted = (name) => name.replace(/["\r\n]/g, (sign) => `%${sign === '"' ? 22 : sign === '\r' ? '0D' : '0A'}`);
        const parts = [];
        for (const [name, value] of form) {
            const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
            const file =
                value instanceof Blob
                    ? `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
                    : '';
            parts.push(bytesOf(`${head}${file}\r\n\r\n`), bytesOf(value), bytesOf('\r\n'));
        }
        return joined([...parts, bytesOf(`--${boundary}--\r\n`)]);
    };

    /** What is sent of a body, and the type that it has by itself; a stream is read as it is sent. */
    const extracted = (body) => {
        if (body === null || body === undefined) {
            return { bytes: null, type: null };
        }
        if (body instanceof ReadableStream) {
            return { stream: body, type: null };
        }
        if (body instanceof FormData) {
            const boundary = `----uzu${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
            return { bytes: formBytes(body, boundary), type: `multipart/form-data; boundary=${boundary}` };
        }
        if (body instanceof URLSearchParams) {
            return { bytes: bytesOf(body), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
        }
        if (body instanceof Blob) {
            return { bytes: bytesOf(body), type: body.type || null };
        }
        if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
            return { bytes: bytesOf(body).slice(), type: null };
        }
        return typeof body === 'object' && typeof body[Symbol.asyncIterator] === 'function'
            ? { stream: ReadableStream.from(body), type: null }
            : { bytes: bytesOf(body), type: 'text/plain;charset=UTF-8' };
    };
    return { Headers, Blob, File, FormData, [Symbol.for('uzu.bodies')]: { bytesOf, joined, extracted } };
};
