import { InvalidArgument } from './errors.js';

type Class<T> = abstract new (...args: never[]) => T;

/** @internal The value, which must be an instance. */
export function checked<T>(value: T, kind: Class<T>, field: string): T {
    if (!(value instanceof kind)) {
        throw new InvalidArgument(`${field} must be a ${kind.name}, not ${shown(value)}`, { field });
    }
    return value;
}

/** @internal The value, which must be an instance of one of the variants. */
export function checkedVariant<T>(value: T, variants: Readonly<Record<string, Class<T>>>, field: string): T {
    if (!Object.values(variants).some((kind) => value instanceof kind)) {
        const names = Object.values(variants).map((kind) => kind.name);
        throw new InvalidArgument(`${field} must be one of ${names.join(', ')}, not ${shown(value)}`, { field });
    }
    return value;
}

/** @internal A text, whose surrogates must come in pairs. */
export function checkedText(value: string, field: string): string {
    if (typeof value !== 'string') {
        throw new InvalidArgument(`${field} must be a string, not ${shown(value)}`, { field });
    }
    if (!value.isWellFormed()) {
        throw new InvalidArgument(`${field} isn't valid Unicode: half of a surrogate pair is missing`, { field });
    }
    return value;
}

/** @internal What JSON has no word for would become null on its way. */
export function checkedNumber(value: number, field: string): number {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
        throw new InvalidArgument(`${field} must be a finite number, not ${shown(value)}`, { field });
    }
    return value;
}

/** @internal */
export function checkedFlag(value: boolean, field: string): boolean {
    if (typeof value !== 'boolean') {
        throw new InvalidArgument(`${field} must be true or false, not ${shown(value)}`, { field });
    }
    return value;
}

/** @internal A list, which a single text isn't. */
export function checkedList<T>(value: Iterable<T>, field: string): T[] {
    if (typeof value === 'string' || typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
        throw new InvalidArgument(`${field} must be an array, not ${shown(value)}`, { field });
    }
    return [...value];
}

/** @internal JSON of a value that comes from outside. */
export function jsonOf(value: unknown, field: string): string {
    let text: string | undefined;
    try {
        text = JSON.stringify(value === undefined ? null : value);
    } catch (failure) {
        throw new InvalidArgument(`${field} has no JSON form: ${String(failure)}`, { field }, { cause: failure });
    }
    if (text === undefined) {
        throw new InvalidArgument(`${field} has no JSON form: ${shown(value)}`, { field });
    }
    return text;
}

function shown(value: unknown): string {
    const text = typeof value === 'object' && value !== null ? (JSON.stringify(value) ?? 'an object') : String(value);
    return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
