/** Random values and digests. */
const web = globalThis[Symbol.for('uzu.web')];
const DIGESTS = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

export const webcrypto = crypto;
export const randomUUID = () => crypto.randomUUID();
export const getRandomValues = (view) => crypto.getRandomValues(view);
export const randomBytes = (count) => Buffer.from(new Uint8Array(new ArrayBuffer(web.random(count))));

export function randomInt(least, end) {
    const [from, to] = end === undefined ? [0, least] : [least, end];
    return from + Math.floor((Number(`0x${randomBytes(6).toString('hex')}`) / 2 ** 48) * (to - from));
}

class Hash {
    #algorithm;
    #parts = [];

    constructor(algorithm) {
        this.#algorithm = algorithm;
    }

    update(data, encoding) {
        this.#parts.push(typeof data === 'string' ? Buffer.from(data, encoding) : data);
        return this;
    }

    digest(encoding) {
        const whole = new Uint8Array(Buffer.concat(this.#parts));
        const bytes = Buffer.from(new Uint8Array(new ArrayBuffer(web.digest(this.#algorithm, whole.buffer))));
        return encoding === undefined ? bytes : bytes.toString(encoding);
    }
}

export function createHash(name) {
    const algorithm = DIGESTS[String(name).toLowerCase().replace('-', '')];
    if (algorithm === undefined) {
        throw new Error(`There is no digest ${name} here`);
    }
    return new Hash(algorithm);
}
export default { webcrypto, randomUUID, getRandomValues, randomBytes, randomInt, createHash };
