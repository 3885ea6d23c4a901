/** Random numbers and digests of the web's crypto; keys and ciphers are left to other programs. */
(host) => {
    const filled = (view) => {
        const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
        bytes.set(new Uint8Array(new ArrayBuffer(host.random(bytes.length))));
        return view;
    };
    const crypto = {
        getRandomValues(view) {
            if (!ArrayBuffer.isView(view) || view instanceof Float32Array || view instanceof Float64Array) {
                throw new DOMException('Random values are integers', 'TypeMismatchError');
            }
            if (view.byteLength > 65536) {
                throw new DOMException('More than 65536 bytes at once', 'QuotaExceededError');
            }
            return filled(view);
        },
        randomUUID: () => host.uuid(),
        subtle: {
            async digest(algorithm, data) {
                const name = String(algorithm?.name ?? algorithm).toUpperCase();
                if (!/^SHA-(1|256|384|512)$/.test(name)) {
                    throw new DOMException(`There is no digest ${name} here`, 'NotSupportedError');
                }
                const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
                return new Uint8Array(new ArrayBuffer(host.digest(name, new Uint8Array(bytes).slice().buffer))).slice().buffer;
            },
        },
    };
    return { crypto };
};
