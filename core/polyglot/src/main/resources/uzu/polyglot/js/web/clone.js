/** structuredClone of the web. */
() => {
    const refused = (value) =>
        new DOMException(`${typeof value === 'symbol' ? String(value) : value} could not be cloned.`, 'DataCloneError');
    const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

    const copied = (value, seen) => {
        if (typeof value === 'function' || typeof value === 'symbol') {
            throw refused(value);
        }
        if (typeof value !== 'object' || value === null) {
            return value;
        }
        if (seen.has(value)) {
            return seen.get(value);
        }
        const keep = (copy) => {
            seen.set(value, copy);
            return copy;
        };
        if (value instanceof Date) {
            return keep(new Date(value));
        }
        if (value instanceof RegExp) {
            return keep(new RegExp(value.source, value.flags));
        }
        if (value instanceof Boolean || value instanceof Number || value instanceof String) {
            return keep(Object(value.valueOf()));
        }
        if (value instanceof ArrayBuffer) {
            return keep(value.slice());
        }
        if (ArrayBuffer.isView(value)) {
            const buffer = copied(value.buffer, seen);
            const length = value instanceof DataView ? value.byteLength : value.length;
            const type = Object.getPrototypeOf(value.constructor) === Uint8Array ? Uint8Array : value.constructor;
            return keep(new type(buffer, value.byteOffset, length));
        }
        if (value instanceof Map) {
            const copy = keep(new Map());
            value.forEach((each, key) => copy.set(copied(key, seen), copied(each, seen)));
            return copy;
        }
        if (value instanceof Set) {
            const copy = keep(new Set());
            value.forEach((each) => copy.add(copied(each, seen)));
            return copy;
        }
        if (value instanceof Error) {
            const copy = keep(new (ERRORS[value.name] ?? Error)(value.message));
            Object.defineProperty(copy, 'stack', { value: value.stack, writable: true, configurable: true });
            if (Object.hasOwn(value, 'cause')) {
                copy.cause = copied(value.cause, seen);
            }
            return copy;
        }
        if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
            throw refused(Object.prototype.toString.call(value));
        }
        const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
        for (const key of Object.keys(value)) {
            copy[key] = copied(value[key], seen);
        }
        return copy;
    };
    return { structuredClone: (value) => copied(value, new Map()) };
};
