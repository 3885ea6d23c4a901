/** atob, btoa, and Node's Buffer as far as packages use it for texts: bytes that know encodings. */
() => {
    const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const VALUES = new Map([...SIGNS, '-', '_'].map((sign, index) => [sign, index < 64 ? index : index - 2]));

    const toBase64 = (bytes) => {
        let text = '';
        for (let i = 0; i < bytes.length; i += 3) {
            const bits = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
            text += SIGNS[bits >> 18] + SIGNS[(bits >> 12) & 63];
            text += i + 1 < bytes.length ? SIGNS[(bits >> 6) & 63] : '=';
            text += i + 2 < bytes.length ? SIGNS[bits & 63] : '=';
        }
        return text;
    };
    const fromBase64 = (text) => {
        const bytes = [];
        let bits = 0;
        let count = 0;
        for (const sign of text) {
            const value = VALUES.get(sign);
            if (value !== undefined) {
                bits = ((bits << 6) | value) & 0xffffff;
                count += 6;
                if (count >= 8) {
                    count -= 8;
                    bytes.push((bits >> count) & 255);
                }
            }
        }
        return bytes;
    };
    const wrong = (message) => new DOMException(message, 'InvalidCharacterError');

    const atob = (text) => {
        const plain = String(text).replace(/[\t\n\f\r ]/g, '');
        const signs = plain.length % 4 === 0 ? plain.replace(/={1,2}$/, '') : plain;
        if (signs.length % 4 === 1 || /[^A-Za-z\d+/]/.test(signs)) {
            throw wrong('The text is no base64');
        }
        return fromBase64(signs)
            .map((byte) => String.fromCharCode(byte))
            .join('');
    };
    const btoa = (text) => {
        if (/[^\0-\xff]/.test(String(text))) {
            throw wrong('The text has characters beyond Latin-1');
        }
        return toBase64(Array.from(String(text), (sign) => sign.charCodeAt(0)));
    };

    const READ = {
        utf8: (text) => new TextEncoder().encode(text),
        latin1: (text) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i) & 255),
        hex: (text) => (/^([\da-f]{2})*/i.exec(text)[0].match(/../g) ?? []).map((each) => parseInt(each, 16)),
        base64: fromBase64,
        utf16le: (text) => Array.from(text.split('')).flatMap((sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]),
    };
    const WRITE = {
        utf8: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
        latin1: (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
        hex: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
        base64: toBase64,
        base64url: (bytes) => toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
        utf16le: (bytes) => new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes),
    };
    const NAMES = { 'utf-8': 'utf8', binary: 'latin1', ascii: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le', 'utf-16le': 'utf16le' };
    const named = (encoding = 'utf8') => {
        const name = String(encoding).toLowerCase();
        const known = NAMES[name] ?? name;
        if (!(known in WRITE)) {
            throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: 'ERR_UNKNOWN_ENCODING' });
        }
        return known;
    };

    class Buffer extends Uint8Array {
        static from(value, second, length) {
            if (typeof value === 'string') {
                const name = named(second);
                return super.from(READ[name === 'base64url' ? 'base64' : name](value));
            }
            if (value instanceof ArrayBuffer) {
                return new Buffer(value, second, length);
            }
            return super.from(value?.type === 'Buffer' ? value.data : value);
        }

        static alloc(size, fill = 0, encoding) {
            return new Buffer(size).fill(typeof fill === 'string' ? Buffer.from(fill, encoding)[0] : fill);
        }

        static allocUnsafe(size) {
            return new Buffer(size);
        }

        static isBuffer(value) {
            return value instanceof Buffer;
        }

        static isEncoding(name) {
            return (NAMES[String(name).toLowerCase()] ?? String(name).toLowerCase()) in WRITE;
        }

        static byteLength(value, encoding) {
            return typeof value === 'string' ? Buffer.from(value, encoding).length : value.byteLength;
        }

        static concat(list, length = list.reduce((sum, each) => sum + each.length, 0)) {
            const whole = new Buffer(length);
            let at = 0;
            for (const each of list) {
                whole.set(each.subarray(0, length - at), at);
                at += each.length;
            }
            return whole;
        }

        toString(encoding, start = 0, end = this.length) {
            return WRITE[named(encoding)](this.subarray(start, end));
        }

        toJSON() {
            return { type: 'Buffer', data: Array.from(this) };
        }

        equals(other) {
            return this.length === other.length && this.every((byte, index) => byte === other[index]);
        }

        /** A view, as Node's. */
        slice(start, end) {
            return this.subarray(start, end);
        }

        write(text, at = 0) {
            const bytes = READ.utf8(text).subarray(0, this.length - at);
            this.set(bytes, at);
            return bytes.length;
        }
    }
    return { atob, btoa, Buffer };
};
