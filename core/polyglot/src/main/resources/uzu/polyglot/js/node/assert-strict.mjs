/** The assertions of node:assert/strict. */
const { format, inspect } = globalThis[Symbol.for('uzu.node')];

export class AssertionError extends Error {
    constructor({ message, actual, expected, operator }) {
        super(message);
        Object.assign(this, { actual, expected, operator, code: 'ERR_ASSERTION' });
    }

    get name() {
        return 'AssertionError';
    }
}

function check(holds, message, operator, actual, expected) {
    if (holds) {
        return;
    }
    if (message instanceof Error) {
        throw message;
    }
    const said = message ?? `${inspect(actual)} isn't ${operator} ${inspect(expected)}`;
    throw new AssertionError({ message: said, actual, expected, operator });
}

/** Same type and parts, all the way down. */
function same(left, right, seen = new Map()) {
    if (Object.is(left, right)) {
        return true;
    }
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
        return false;
    }
    if (seen.get(left) === right) {
        return true;
    }
    seen.set(left, right);
    if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) {
        return false;
    }
    if (left instanceof Date || left instanceof RegExp) {
        return String(left) === String(right) && Number(left) === Number(right);
    }
    if (left instanceof Error && (left.name !== right.name || left.message !== right.message)) {
        return false;
    }
    if (left instanceof Set || left instanceof Map) {
        const [mine, others] = [[...left], [...right]];
        return (
            mine.length === others.length &&
            mine.every((each) => others.some((other) => same(each, other, new Map(seen))))
        );
    }
    const own = (value) => Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
    const keys = own(left);
    return (
        keys.length === own(right).length &&
        (!Array.isArray(left) || left.length === right.length) &&
        keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key], seen))
    );
}

/** Whether what was thrown is what was expected: a class, a pattern, properties, or a function's opinion. */
function checkThrown(thrown, expected, message) {
    if (expected === undefined || typeof expected === 'string') {
        return;
    }
    if (expected instanceof RegExp) {
        check(expected.test(String(thrown)), message, 'matched by', String(thrown), expected);
    } else if (typeof expected === 'object') {
        const keys = expected instanceof Error ? ['name', 'message', ...Object.keys(expected)] : Object.keys(expected);
        for (const key of keys) {
            const [actual, wanted] = [thrown?.[key], expected[key]];
            const fits = wanted instanceof RegExp && typeof actual === 'string' ? wanted.test(actual) : same(actual, wanted);
            check(fits, message, `an error whose ${key} is`, thrown, wanted);
        }
    } else if (expected === Error || expected.prototype instanceof Error) {
        check(thrown instanceof expected, message, 'a', thrown, expected);
    } else if (expected.prototype === undefined || !(thrown instanceof expected)) {
        check(expected(thrown) === true, message, 'accepted by', thrown, expected);
    }
}

const assert = (value, message) => check(value, message, 'true:', value, true);
Object.assign(assert, {
    AssertionError,
    ok: assert,
    equal: (actual, expected, message) => check(Object.is(actual, expected), message, 'equal to', actual, expected),
    notEqual: (actual, expected, message) => check(!Object.is(actual, expected), message, 'other than', actual, expected),
    deepEqual: (actual, expected, message) => check(same(actual, expected), message, 'equal to', actual, expected),
    notDeepEqual: (actual, expected, message) => check(!same(actual, expected), message, 'other than', actual, expected),
    match: (text, pattern, message) => check(pattern.test(text), message, 'matched by', text, pattern),
    doesNotMatch: (text, pattern, message) => check(!pattern.test(text), message, 'other than', text, pattern),
    fail(message = 'Failed') {
        check(false, message);
    },
    throws(action, expected, message) {
        let thrown;
        try {
            action();
        } catch (failure) {
            thrown = { failure };
        }
        check(thrown !== undefined, message ?? format('Nothing was thrown; expected', expected));
        checkThrown(thrown.failure, expected, message);
    },
    async rejects(promise, expected, message) {
        let thrown;
        try {
            await (typeof promise === 'function' ? promise() : promise);
        } catch (failure) {
            thrown = { failure };
        }
        check(thrown !== undefined, message ?? format('Nothing was rejected; expected', expected));
        checkThrown(thrown.failure, expected, message);
    },
});
assert.strictEqual = assert.equal;
assert.notStrictEqual = assert.notEqual;
assert.deepStrictEqual = assert.deepEqual;
assert.notDeepStrictEqual = assert.notDeepEqual;
assert.strict = assert;

export const { ok, equal, notEqual, strictEqual, notStrictEqual, deepEqual, notDeepEqual } = assert;
export const { deepStrictEqual, match, doesNotMatch, fail, throws, rejects, strict } = assert;
export default assert;
