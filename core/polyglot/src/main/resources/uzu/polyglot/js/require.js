/** Node's `require`, which finds, runs and keeps files of CommonJS. */
(host) => {
    const cache = Object.create(null);
    const folderOf = (path) => path.replace(/[\\/][^\\/]*$/, '') || '/';
    const failure = (code, message) => Object.assign(new Error(message), { code });

    class Module {
        exports = {};
        loaded = false;
        children = [];

        constructor(path, parent) {
            this.id = path;
            this.filename = path;
            this.path = folderOf(path);
            this.parent = parent;
            parent?.children.push(this);
        }

        require(specifier) {
            return createRequire(this.filename, this)(specifier);
        }
    }

    let main;
    const load = (path, parent) => {
        if (path in cache) {
            return cache[path].exports;
        }
        const looksLikeModule = () => !host.isCommonJs(path) && /^\s*(?:import|export)\b/m.test(host.text(path));
        if (path.endsWith('.mjs') || (path.endsWith('.js') && looksLikeModule())) {
            throw failure('ERR_REQUIRE_ESM', `${path} is an ES module, which import() reads and require doesn't`);
        }
        const module = new Module(path, parent);
        cache[path] = module;
        main = path === process.argv[1] ? module : main;
        try {
            if (path.endsWith('.json')) {
                module.exports = JSON.parse(host.text(path));
            } else {
                const require = createRequire(path, module);
                host.compile(path).call(module.exports, module.exports, require, module, path, module.path);
            }
            module.loaded = true;
        } catch (error) {
            delete cache[path];
            throw error;
        }
        return module.exports;
    };

    const createRequire = (file, module) => {
        const text = String(file);
        const path = text.startsWith('file://') ? decodeURIComponent(new URL(text).pathname) : text;
        const resolve = (specifier) => {
            const found = host.resolve(String(specifier), folderOf(path));
            if (found === null) {
                throw failure('MODULE_NOT_FOUND', `Cannot find module '${specifier}'\nRequire stack:\n- ${path}`);
            }
            return found;
        };
        const require = (specifier) => {
            const isOurs = typeof specifier === 'string' && /^(?:node:)?[a-z_]+(?:\/[a-z]+)?$/.test(specifier);
            const builtin = isOurs ? host.builtin(specifier) : null;
            if (builtin !== null) {
                return builtin.default ?? builtin;
            }
            const found = resolve(specifier);
            return load(found, module);
        };
        Object.defineProperty(require, 'main', { get: () => main });
        return Object.assign(require, { resolve, cache });
    };
    return { createRequire };
};
