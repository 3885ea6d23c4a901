const { format, inspect: inspected } = globalThis[Symbol.for('uzu.node')];
const { TextDecoder, TextEncoder } = globalThis;
export const inspect = Object.assign((value) => inspected(value), { custom: Symbol.for('nodejs.util.inspect.custom') });
export { format, TextDecoder, TextEncoder };

/** A function with a callback (error, value) as one that returns a promise. */
export const promisify = (action) =>
    function (...values) {
        return new Promise((resolve, reject) =>
            action.call(this, ...values, (error, value) => (error ? reject(error) : resolve(value))),
        );
    };
export const deprecate = (action) => action;
export const inherits = (type, above) => void Object.setPrototypeOf(type.prototype, above.prototype);
export const stripVTControlCharacters = (text) => text.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');
export const types = {
    isPromise: (value) => value instanceof Promise,
    isDate: (value) => value instanceof Date,
    isRegExp: (value) => value instanceof RegExp,
    isUint8Array: (value) => value instanceof Uint8Array,
};
export default {
    inspect, format, TextDecoder, TextEncoder, promisify, deprecate, inherits, stripVTControlCharacters, types,
};
