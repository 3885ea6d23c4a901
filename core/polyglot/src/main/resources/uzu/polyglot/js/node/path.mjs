/** Paths as this system writes them. */
export const sep = process.platform === 'win32' ? '\\' : '/';
export const isAbsolute = (path) => (sep === '/' ? path.startsWith('/') : /^([A-Za-z]:)?[\\/]/.test(path));

export function normalize(path) {
    const plain = sep === '/' ? path : path.replaceAll('/', '\\');
    const root = isAbsolute(plain) ? plain.slice(0, plain.indexOf(sep) + 1) : '';
    const parts = [];
    for (const part of plain.slice(root.length).split(sep)) {
        if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') {
            parts.pop();
        } else if (part !== '' && part !== '.' && !(part === '..' && root !== '')) {
            parts.push(part);
        }
    }
    return root + parts.join(sep) || '.';
}

export const join = (...parts) => normalize(parts.filter((part) => part !== '').join(sep));
export const resolve = (...parts) =>
    parts.reduce((whole, part) => (isAbsolute(part) ? normalize(part) : join(whole, part)), process.cwd());

export function dirname(path) {
    const plain = normalize(path);
    const end = plain.lastIndexOf(sep);
    return end < 0 ? '.' : plain.slice(0, end) || sep;
}

export function basename(path, ending = '') {
    const name = normalize(path).split(sep).at(-1);
    return ending !== '' && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

export function extname(path) {
    const name = basename(path);
    const dot = name.lastIndexOf('.');
    return dot <= 0 ? '' : name.slice(dot);
}

export default { sep, isAbsolute, normalize, join, resolve, dirname, basename, extname };
