/** Files' addresses, which is what programs use node:url for; GraalJS has no URL. */
export function fileURLToPath(url) {
    const text = String(url);
    if (!text.startsWith('file://')) {
        throw new TypeError(`This isn't a file's address: ${text}`);
    }
    const path = decodeURIComponent(text.slice('file://'.length));
    return process.platform === 'win32' ? path.slice(1).replaceAll('/', '\\') : path;
}

export function pathToFileURL(path) {
    const rooted = process.platform === 'win32' ? `/${path.replaceAll('\\', '/')}` : path;
    return `file://${encodeURI(rooted).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}

export default { fileURLToPath, pathToFileURL };
