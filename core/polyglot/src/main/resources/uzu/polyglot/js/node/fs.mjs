/** Texts and folders; what isn't text is left to other programs. */
const { files } = globalThis[Symbol.for('uzu.node')];

function call(name, path, ...values) {
    const answer = files[name](String(path), ...values);
    const code = answer[1];
    if (code !== null) {
        throw Object.assign(new Error(`${code}: ${answer[2]}`), { code, path });
    }
    return answer[0];
}

export const existsSync = (path) => call('exists', path);
export const writeFileSync = (path, text) => void call('write', path, String(text));
export const mkdirSync = (path, { recursive = false } = {}) => void call('makeFolder', path, recursive);
export const mkdtempSync = (start) => call('makeTemporary', start);
export const readdirSync = (path) => Array.from(call('list', path));

export function readFileSync(path, options) {
    const encoding = typeof options === 'string' ? options : options?.encoding;
    if (!/^utf-?8$/i.test(encoding ?? '')) {
        throw new TypeError("Files are read as text here: give the encoding 'utf8'");
    }
    return call('read', path);
}

export function rmSync(path, { recursive = false, force = false } = {}) {
    if (!force || existsSync(path)) {
        call('remove', path, recursive);
    }
}

export const promises = {
    readFile: async (...values) => readFileSync(...values),
    writeFile: async (...values) => writeFileSync(...values),
    mkdir: async (...values) => mkdirSync(...values),
    mkdtemp: async (...values) => mkdtempSync(...values),
    readdir: async (...values) => readdirSync(...values),
    rm: async (...values) => rmSync(...values),
};
export default { existsSync, readFileSync, writeFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, promises };
