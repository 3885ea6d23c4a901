/** URL and URLSearchParams of the web. */
(host) => {
    const PORTS = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21', 'file:': '' };
    const FRAGMENT = ' "<>`';
    const QUERY = ' "<>#';
    const PATH = ' "<>#?`{}^';
    const USER = `${PATH}/:;=@[\\]|`;

    const byte = (code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
    const encode = (text, set) =>
        text
            .toWellFormed()
            .replace(/[\x00-\x20"#<>?`{}^/:;=@[\\\]|'\x7f]/g, (sign) =>
                set.includes(sign) || sign < ' ' || sign === '\x7f' ? byte(sign.charCodeAt(0)) : sign,
            )
            .replace(/[^\x00-\x7f]+/g, encodeURIComponent);

    const invalid = (text, base) =>
        Object.assign(new TypeError('Invalid URL'), {
            code: 'ERR_INVALID_URL',
            input: text,
            ...(base === undefined ? {} : { base }),
        });

    const parsed = (text, base) => {
        const plain = text.replace(/^[\x00-\x20]+|[\x00-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
        const scheme = /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1].toLowerCase();
        const protocol = scheme === undefined ? base?.protocol : `${scheme}:`;
        if (protocol === undefined) {
            throw invalid(text);
        }
        const isSpecial = protocol in PORTS;
        let rest = scheme === undefined ? plain : plain.slice(scheme.length + 1);
        const hashAt = rest.indexOf('#');
        const hash = hashAt < 0 ? null : rest.slice(hashAt + 1);
        rest = hashAt < 0 ? rest : rest.slice(0, hashAt);
        const queryAt = rest.indexOf('?');
        const query = queryAt < 0 ? null : rest.slice(queryAt + 1);
        let path = queryAt < 0 ? rest : rest.slice(0, queryAt);
        path = isSpecial ? path.replaceAll('\\', '/') : path;

        const parts = { protocol, username: '', password: '', hostname: null, port: '', path: '', query, hash };
        // `http:x` is relative to a base of its scheme, as it was before there were URLs with slashes everywhere.
        const isRelative = scheme === undefined || (isSpecial && base?.protocol === protocol && !/^\/\//.test(path));
        if (isRelative && base !== undefined && !path.startsWith('//')) {
            if (base.path !== '' && !base.path.startsWith('/') && (path !== '' || query !== null)) {
                throw invalid(text, base.href); // of a base that isn't a hierarchy only the hash can be another
            }
            Object.assign(parts, {
                username: base.username,
                password: base.password,
                hostname: base.hostname,
                port: base.port,
            });
            if (path === '') {
                parts.path = base.path;
                parts.query = query ?? base.query;
            } else {
                parts.path = path.startsWith('/') ? path : base.path.replace(/[^/]*$/, '') + path;
            }
        } else if (path.startsWith('//') || (isSpecial && protocol !== 'file:')) {
            const [, authority, below] = /^\/*([^/]*)(.*)$/s.exec(isSpecial && protocol !== 'file:' ? path : path.slice(2));
            authorityOf(parts, protocol === 'file:' && path.startsWith('///') ? '' : authority, isSpecial, text);
            parts.path = protocol === 'file:' && path.startsWith('///') ? path.slice(2) : below;
        } else {
            parts.hostname = protocol === 'file:' ? '' : null;
            parts.path = path;
        }
        finish(parts, isSpecial);
        return parts;
    };

    const authorityOf = (parts, authority, isSpecial, text) => {
        const at = authority.lastIndexOf('@');
        if (at >= 0) {
            const [, user, password] = /^([^:]*):?(.*)$/s.exec(authority.slice(0, at));
            parts.username = encode(user, USER);
            parts.password = encode(password, USER);
        }
        const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/s.exec(authority.slice(at + 1)) ?? [];
        if (name === undefined || (isSpecial && parts.protocol !== 'file:' && name === '') || Number(port) > 65535) {
            throw invalid(text);
        }
        parts.hostname = hostOf(name, isSpecial, text);
        parts.port = portOf(parts.protocol, port ?? '');
    };

    const portOf = (protocol, port) =>
        port === '' || String(Number(port)) === PORTS[protocol] ? '' : String(Number(port));

    const hostOf = (name, isSpecial, text) => {
        if (!isSpecial || name.startsWith('[')) {
            return isSpecial ? name.toLowerCase() : encode(name, '');
        }
        let decoded;
        try {
            decoded = decodeURIComponent(name).toLowerCase();
        } catch {
            throw invalid(text);
        }
        const ascii = /^[\x00-\x7f]*$/.test(decoded) ? decoded : host.asciiName(decoded);
        if (ascii === null || /[\x00-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(ascii)) {
            throw invalid(text);
        }
        return ascii;
    };

    /** Paths of special schemes begin with a slash and have no dots; all is encoded as it has to be. */
    const finish = (parts, isSpecial) => {
        const isHierarchy = isSpecial || parts.hostname !== null || parts.path.startsWith('/');
        parts.path = isHierarchy ? withoutDots(encode(parts.path, PATH), isSpecial) : encode(parts.path, '');
        parts.query = parts.query === null ? null : encode(parts.query, isSpecial ? `${QUERY}'` : QUERY);
        parts.hash = parts.hash === null ? null : encode(parts.hash, FRAGMENT);
    };

    const withoutDots = (path, isSpecial) => {
        if (path === '' && !isSpecial) {
            return '';
        }
        const kept = [];
        const names = path.replace(/^\//, '').split('/');
        names.forEach((name, index) => {
            const dots = name.replaceAll(/%2e/gi, '.');
            if (dots === '..') {
                kept.pop();
            } else if (dots !== '.') {
                kept.push(name);
            }
            if ((dots === '.' || dots === '..') && index === names.length - 1) {
                kept.push('');
            }
        });
        return `/${kept.join('/')}`;
    };

    const decodeForm = (text) => new TextDecoder().decode(Uint8Array.from(bytesOf(text.replaceAll('+', ' '))));
    function* bytesOf(text) {
        const bytes = new TextEncoder().encode(text);
        for (let i = 0; i < bytes.length; i++) {
            const hex = bytes[i] === 0x25 ? String.fromCharCode(bytes[i + 1], bytes[i + 2]) : '';
            if (/^[\da-f]{2}$/i.test(hex)) {
                yield parseInt(hex, 16);
                i += 2;
            } else {
                yield bytes[i];
            }
        }
    }
    const encodeForm = (text) =>
        encodeURIComponent(text.toWellFormed())
            .replace(/[!'()~]/g, (sign) => byte(sign.charCodeAt(0)))
            .replaceAll('%20', '+');

    class URLSearchParams {
        #pairs = [];
        #changed = () => {};

        constructor(init = '') {
            if (init !== null && typeof init === 'object') {
                const pairs = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init);
                this.#pairs = pairs.map(([name, value]) => [String(name), String(value)]);
            } else {
                this.#read(String(init));
            }
        }

        #read(text) {
            this.#pairs = text
                .replace(/^\?/, '')
                .split('&')
                .filter((pair) => pair !== '')
                .map((pair) => {
                    const at = pair.indexOf('=');
                    return at < 0 ? [decodeForm(pair), ''] : [decodeForm(pair.slice(0, at)), decodeForm(pair.slice(at + 1))];
                });
        }

        /** Those of a URL, which changes with them. */
        static of(query, changed) {
            const params = new URLSearchParams(query);
            params.#changed = changed;
            return [params, (text) => params.#read(text)];
        }

        get size() {
            return this.#pairs.length;
        }

        append(name, value) {
            this.#pairs.push([String(name), String(value)]);
            this.#changed();
        }

        delete(name, value) {
            this.#pairs = this.#pairs.filter(
                (pair) => pair[0] !== String(name) || (value !== undefined && pair[1] !== String(value)),
            );
            this.#changed();
        }

        get(name) {
            return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
        }

        getAll(name) {
            return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
        }

        has(name, value) {
            return this.getAll(name).some((each) => value === undefined || each === String(value));
        }

        set(name, value) {
            const first = this.#pairs.find((pair) => pair[0] === String(name));
            if (first === undefined) {
                this.append(name, value);
            } else {
                first[1] = String(value);
                this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== String(name));
                this.#changed();
            }
        }

        sort() {
            this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
            this.#changed();
        }

        forEach(action, self) {
            this.#pairs.forEach(([name, value]) => action.call(self, value, name, this));
        }

        *keys() {
            yield* this.#pairs.map((pair) => pair[0]);
        }

        *values() {
            yield* this.#pairs.map((pair) => pair[1]);
        }

        *entries() {
            yield* this.#pairs.map((pair) => [...pair]);
        }

        [Symbol.iterator]() {
            return this.entries();
        }

        toString() {
            return this.#pairs.map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`).join('&');
        }

        get [Symbol.toStringTag]() {
            return 'URLSearchParams';
        }
    }
    const paramsOf = URLSearchParams.of;
    delete URLSearchParams.of;

    class URL {
        #parts;
        #params;
        #readParams;

        constructor(url, base) {
            const text = String(url);
            this.#parts = parsed(text, base === undefined ? undefined : URL.#partsOf(base));
            [this.#params, this.#readParams] = paramsOf(this.#parts.query ?? '', () => {
                this.#parts.query = this.#params.size === 0 ? null : this.#params.toString();
            });
        }

        static #partsOf(base) {
            const url = base instanceof URL ? base : new URL(base);
            return { ...url.#parts, href: url.href };
        }

        static canParse(url, base) {
            return URL.parse(url, base) !== null;
        }

        static parse(url, base) {
            try {
                return new URL(url, base);
            } catch {
                return null;
            }
        }

        get href() {
            const { protocol, hostname, path, query, hash } = this.#parts;
            const { username, password } = this.#parts;
            const user = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
            const authority = hostname === null ? '' : `//${user}${this.host}`;
            return `${protocol}${authority}${path}${query === null ? '' : `?${query}`}${hash === null ? '' : `#${hash}`}`;
        }

        set href(text) {
            this.#parts = parsed(String(text));
            this.#readParams(this.#parts.query ?? '');
        }

        get origin() {
            const { protocol } = this.#parts;
            return protocol in PORTS && protocol !== 'file:' ? `${protocol}//${this.host}` : 'null';
        }

        get protocol() {
            return this.#parts.protocol;
        }

        set protocol(text) {
            const protocol = `${String(text).replace(/:.*$/s, '').toLowerCase()}:`;
            if (protocol in PORTS === this.#parts.protocol in PORTS && /^[a-z][a-z\d+.-]*:$/.test(protocol)) {
                this.#parts.protocol = protocol;
                this.#parts.port = portOf(protocol, this.#parts.port);
            }
        }

        get username() {
            return this.#parts.username;
        }

        set username(text) {
            this.#parts.username = encode(String(text), USER);
        }

        get password() {
            return this.#parts.password;
        }

        set password(text) {
            this.#parts.password = encode(String(text), USER);
        }

        get host() {
            const { hostname, port } = this.#parts;
            return (hostname ?? '') + (port === '' ? '' : `:${port}`);
        }

        set host(text) {
            const { username, password } = this.#parts;
            authorityOf(this.#parts, String(text).replace(/[/?#].*$/s, ''), this.#parts.protocol in PORTS, text);
            Object.assign(this.#parts, { username, password });
        }

        get hostname() {
            return this.#parts.hostname ?? '';
        }

        set hostname(text) {
            this.#parts.hostname = hostOf(String(text), this.#parts.protocol in PORTS, text);
        }

        get port() {
            return this.#parts.port;
        }

        set port(text) {
            this.#parts.port = portOf(this.#parts.protocol, /^\d*/.exec(String(text))[0]);
        }

        get pathname() {
            return this.#parts.path;
        }

        set pathname(text) {
            const isSpecial = this.#parts.protocol in PORTS;
            this.#parts.path = withoutDots(encode(String(text), PATH), isSpecial);
        }

        get search() {
            return this.#parts.query ? `?${this.#parts.query}` : '';
        }

        set search(text) {
            const query = String(text).replace(/^\?/, '');
            this.#parts.query = query === '' ? null : encode(query, QUERY);
            this.#readParams(query);
        }

        get searchParams() {
            return this.#params;
        }

        get hash() {
            return this.#parts.hash ? `#${this.#parts.hash}` : '';
        }

        set hash(text) {
            const hash = String(text).replace(/^#/, '');
            this.#parts.hash = hash === '' ? null : encode(hash, FRAGMENT);
        }

        toString() {
            return this.href;
        }

        toJSON() {
            return this.href;
        }

        get [Symbol.toStringTag]() {
            return 'URL';
        }
    }
    return { URL, URLSearchParams };
};
