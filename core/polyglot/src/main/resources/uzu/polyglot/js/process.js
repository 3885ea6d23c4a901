/** Node's `process` and `console`, as far as scripts at a terminal use them. */
(host, files, require) => {
    const listeners = new Map();
    const emit = (event, ...values) => (listeners.get(event) ?? []).slice().forEach((each) => each(...values));
    const on = (event, listener) => {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
        return process;
    };
    const off = (event, listener) => {
        listeners.set(
            event,
            (listeners.get(event) ?? []).filter((each) => each !== listener),
        );
        return process;
    };

    class Output {
        #descriptor;

        constructor(descriptor) {
            this.#descriptor = descriptor;
        }

        get fd() {
            return this.#descriptor;
        }

        get isTTY() {
            return host.isTerminal(this.#descriptor) || undefined;
        }

        /** Written when it returns. */
        write(text, ...rest) {
            host.write(this.#descriptor, typeof text === 'string' ? text : new TextDecoder().decode(text));
            const written = rest.at(-1);
            if (typeof written === 'function') {
                queueMicrotask(written);
            }
            return true;
        }
    }

    /** Lines as they come; whoever reads gets the next one. */
    class Input {
        fd = 0;

        get isTTY() {
            return host.isTerminal(0) || undefined;
        }

        setEncoding() {
            return this;
        }

        async *[Symbol.asyncIterator]() {
            for (let line = await this.line(); line !== null; line = await this.line()) {
                yield `${line}\n`;
            }
        }

        /** The next line, null after the last. */
        line() {
            return new Promise((resolve) => host.readLine(resolve));
        }
    }

    let ending = false;
    /** The status that the process is to end with. */
    const end = (status) => {
        process.exitCode ??= status;
        if (!ending) {
            ending = true;
            emit('exit', process.exitCode);
        }
        return Number(process.exitCode);
    };

    const started = host.nanoTime();
    const process = {
        title: 'graaljs',
        platform: host.platform(),
        pid: host.identifier(),
        argv: ['graaljs', host.file(), ...host.arguments()],
        execArgv: [],
        env: { ...host.environment() },
        argv0: 'graaljs',
        execPath: host.program(),
        arch: host.architecture(),
        // Packages ask which Node.js this is like.
        version: 'v22.12.0',
        versions: { node: '22.12.0', graaljs: Graal.versionGraalVM ?? '' },
        release: { name: 'node' },
        features: {},
        config: {},
        exitCode: undefined,
        stdin: new Input(),
        stdout: new Output(1),
        stderr: new Output(2),
        cwd: () => host.folder(),
        uptime: () => (host.nanoTime() - started) / 1e9,
        hrtime: Object.assign(
            ([seconds, nanos] = [0, 0]) => {
                const passed = host.nanoTime() - started - seconds * 1e9 - nanos;
                return [Math.floor(passed / 1e9), passed % 1e9];
            },
            { bigint: () => BigInt(host.nanoTime()) },
        ),
        memoryUsage: () => {
            const [total, used] = host.memory();
            return { rss: total, heapTotal: total, heapUsed: used, external: 0, arrayBuffers: 0 };
        },
        emitWarning: (warning) =>
            void process.stderr.write(`(graaljs) ${warning instanceof Error ? warning : `Warning: ${warning}`}\n`),
        nextTick: (action, ...values) => queueMicrotask(() => action(...values)),
        exit(status = process.exitCode ?? 0) {
            process.exitCode = status;
            host.exit(end(status));
        },
        on,
        once(event, listener) {
            const once = (...values) => {
                off(event, once);
                listener(...values);
            };
            return on(event, once);
        },
        off,
        addListener: on,
        removeListener: off,
        emit,
        get [Symbol.toStringTag]() {
            return 'process';
        },
    };
    Object.defineProperty(globalThis, 'process', { value: process, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'global', { value: globalThis, writable: true, configurable: true });
    performance.now = () => (host.nanoTime() - started) / 1e6;

    // ---- console
    const LINE = 76;
    const DEPTH = 2;
    const quote = (text) => {
        const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'";
        const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
        return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
    };
    const keyOf = (key) =>
        typeof key === 'symbol' ? `[${String(key)}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
    const nameOf = (value) => {
        for (let each = value; each !== null; each = Object.getPrototypeOf(each)) {
            const own = Object.getOwnPropertyDescriptor(each, 'constructor');
            if (own !== undefined && typeof own.value === 'function' && own.value.name !== '') {
                return own.value.name;
            }
        }
        return null;
    };

    /** As Node's: `{ a: 1, b: [ 2 ] }`, in one line where it fits. */
    const inspect = (value, depth = 0, above = []) => {
        switch (typeof value) {
            case 'string':
                return quote(value);
            case 'bigint':
                return `${value}n`;
            case 'symbol':
                return String(value);
            case 'function': {
                const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'Function';
                const name = value.name || '(anonymous)';
                return kind === 'class' ? `[class ${name}]` : `[Function: ${name}]`;
            }
            case 'object':
                break;
            default:
                return Object.is(value, -0) ? '-0' : String(value);
        }
        if (value === null) {
            return 'null';
        }
        if (above.includes(value)) {
            return '[Circular *1]';
        }
        if (value instanceof Error) {
            return inspectError(value, depth, above);
        }
        if (value instanceof Date || value instanceof RegExp) {
            return value instanceof Date ? value.toISOString() : String(value);
        }
        return inspectObject(value, depth, above);
    };

    const inspectError = (error, depth, above) => {
        const head = error.name && !String(error.stack).startsWith(error.name) ? `${error.name}: ` : '';
        const stack = error.stack ? head + error.stack : `[${error}]`;
        const hidden = new Set(['stack', 'message', 'name']);
        const keys = Object.keys(error).filter((key) => !hidden.has(key));
        const cause = Object.hasOwn(error, 'cause') && !keys.includes('cause') ? ['[cause]'] : [];
        const entries = [...keys, ...cause].map(
            (key) => `${key}: ${inspect(key === '[cause]' ? error.cause : error[key], depth + 1, [...above, error])}`,
        );
        return entries.length === 0 ? stack : `${stack} ${braced('{', entries, '}', depth)}`;
    };

    const inspectObject = (value, depth, above) => {
        const name = nameOf(value);
        const isList = Array.isArray(value) || ArrayBuffer.isView(value);
        const isPlain = name === 'Object' || (name === 'Array' && Array.isArray(value));
        const size = value instanceof Map || value instanceof Set ? `(${value.size})` : isList ? `(${value.length})` : '';
        const label = isPlain ? '' : `${name === null ? '[Object: null prototype]' : name + size} `;
        if (depth > DEPTH) {
            return isList && isPlain ? '[Array]' : `[${label.trim() || 'Object'}]`;
        }
        const inner = (each) => inspect(each, depth + 1, [...above, value]);
        const entries = [];
        if (isList) {
            entries.push(...Array.from(value, inner));
        } else if (value instanceof Map) {
            value.forEach((each, key) => entries.push(`${inner(key)} => ${inner(each)}`));
        } else if (value instanceof Set) {
            value.forEach((each) => entries.push(inner(each)));
        } else if (value instanceof Promise) {
            entries.push('<promise>');
        }
        for (const key of Reflect.ownKeys(value)) {
            const { enumerable, get, set, value: held } = Object.getOwnPropertyDescriptor(value, key);
            if (!enumerable || (isList && typeof key === 'string' && /^\d+$/.test(key))) {
                continue;
            }
            const shown = get ? (set ? '[Getter/Setter]' : '[Getter]') : set ? '[Setter]' : inner(held);
            entries.push(`${keyOf(key)}: ${shown}`);
        }
        return label + (isList ? braced('[', entries, ']', depth) : braced('{', entries, '}', depth));
    };

    const braced = (open, entries, close, depth) => {
        if (entries.length === 0) {
            return open + close;
        }
        const length = entries.reduce((sum, each) => sum + each.length + 2, 2 * depth);
        if (length <= LINE && entries.every((each) => !each.includes('\n'))) {
            return `${open} ${entries.join(', ')} ${close}`;
        }
        const indent = '  '.repeat(depth + 1);
        return `${open}\n${entries.map((each) => indent + each).join(',\n')}\n${indent.slice(2)}${close}`;
    };

    const format = (...values) => {
        const parts = [];
        if (typeof values[0] === 'string' && values[0].includes('%') && values.length > 1) {
            const [pattern, ...rest] = values;
            parts.push(
                pattern.replace(/%[sdifjoOc%]/g, (code) => {
                    if (code === '%%') {
                        return '%';
                    }
                    return rest.length === 0 ? code : formatted(code, rest.shift());
                }),
            );
            values = rest;
        }
        parts.push(...values.map((each) => (typeof each === 'string' ? each : inspect(each))));
        return parts.join(' ');
    };
    const formatted = (code, value) => {
        switch (code) {
            case '%s':
                return typeof value === 'string' ? value : inspect(value);
            case '%d':
                return String(Number(value));
            case '%i':
                return String(parseInt(value, 10));
            case '%f':
                return String(parseFloat(value));
            case '%j':
                return JSON.stringify(value);
            case '%c':
                return '';
            default:
                return inspect(value);
        }
    };

    let indent = '';
    const print = (output, values) => {
        const text = format(...values);
        output.write(`${indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)}\n`);
    };
    const times = new Map();
    const counts = new Map();
    const timeLog = (label = 'default', ...values) =>
        console.log(`${label}: ${(performance.now() - times.get(label)).toFixed(3)}ms`, ...values);
    const console = {
        log: (...values) => print(process.stdout, values),
        info: (...values) => print(process.stdout, values),
        debug: (...values) => print(process.stdout, values),
        dir: (value) => print(process.stdout, [inspect(value)]),
        table: (value) => print(process.stdout, [value]),
        error: (...values) => print(process.stderr, values),
        warn: (...values) => print(process.stderr, values),
        trace: (...values) => print(process.stderr, [new Error(format(...values)).stack.replace(/^Error/, 'Trace')]),
        assert(holds, ...values) {
            if (!holds) {
                print(process.stderr, values.length === 0 ? ['Assertion failed'] : ['Assertion failed:', ...values]);
            }
        },
        count(label = 'default') {
            counts.set(label, (counts.get(label) ?? 0) + 1);
            console.log(`${label}: ${counts.get(label)}`);
        },
        countReset: (label = 'default') => counts.delete(label),
        group(...values) {
            if (values.length > 0) {
                console.log(...values);
            }
            indent += '  ';
        },
        groupEnd: () => (indent = indent.slice(2)),
        time: (label = 'default') => times.set(label, performance.now()),
        timeLog,
        timeEnd(label = 'default') {
            timeLog(label);
            times.delete(label);
        },
    };
    Object.defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true });
    Object.defineProperty(globalThis, Symbol.for('uzu.node'), { value: { files, format, inspect, require } });
    return { end, inspect };
};
