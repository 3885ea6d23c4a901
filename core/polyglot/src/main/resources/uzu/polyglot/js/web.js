/** The web's globals that Node.js has and GraalJS lacks, each made when a script first asks for one. */
(host) => {
    const GLOBALS = {
        'js/web/url.js': ['URL', 'URLSearchParams'],
        'js/web/streams.js': [
            'ReadableStream', 'WritableStream', 'TransformStream', 'TextDecoderStream', 'TextEncoderStream',
        ],
        'js/web/bodies.js': ['Headers', 'Blob', 'File', 'FormData', Symbol.for('uzu.bodies')],
        'js/web/fetch.js': ['fetch', 'Request', 'Response'],
        'js/web/bytes.js': ['atob', 'btoa', 'Buffer'],
        'js/web/clone.js': ['structuredClone'],
        'js/web/crypto.js': ['crypto'],
    };
    for (const [resource, names] of Object.entries(GLOBALS)) {
        let made;
        for (const name of names.filter((each) => !(each in globalThis))) {
            const put = (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
            Object.defineProperty(globalThis, name, {
                configurable: true,
                get() {
                    made ??= host.load(resource)(host);
                    put(made[name]);
                    return made[name];
                },
                set: put,
            });
        }
    }
    Object.defineProperty(globalThis, Symbol.for('uzu.web'), { value: host });
};
