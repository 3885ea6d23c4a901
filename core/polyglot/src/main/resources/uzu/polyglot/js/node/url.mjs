/** URLs, and files' addresses. */
const { URL, URLSearchParams } = globalThis;
export { URL, URLSearchParams };

export function fileURLToPath(url) {
    const { protocol, hostname, pathname } = new URL(url);
    if (protocol !== 'file:' || hostname !== '') {
        throw Object.assign(new TypeError(`This isn't a file's address: ${url}`), { code: 'ERR_INVALID_URL_SCHEME' });
    }
    const path = decodeURIComponent(pathname);
    return process.platform === 'win32' ? path.slice(1).replaceAll('/', '\\') : path;
}

export function pathToFileURL(path) {
    const rooted = process.platform === 'win32' ? `/${path.replaceAll('\\', '/')}` : path;
    const encoded = encodeURI(rooted).replaceAll('?', '%3F').replaceAll('#', '%23');
    return new URL(`file://${encoded.startsWith('/') ? '' : `${encodeURI(process.cwd())}/`}${encoded}`);
}

export default { URL, URLSearchParams, fileURLToPath, pathToFileURL };
