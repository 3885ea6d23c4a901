import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGE = new URL('../../bindings-js/package.json', import.meta.url).href;

/** What the file's own folder doesn't have is looked for where the package's sources lie: uzu itself, and zod. */
export async function resolve(specifier, context, next) {
    try {
        return await next(specifier, context);
    } catch (failure) {
        if (failure.code !== 'ERR_MODULE_NOT_FOUND' || /^[./]|^file:/.test(specifier)) {
            throw failure;
        }
        return next(specifier, { ...context, parentURL: PACKAGE });
    }
}

/** TypeScript loses its types; tsc is there to check them. */
export async function load(url, context, next) {
    if (!/\.m?tsx?$/.test(url)) {
        return next(url, context);
    }
    const { transform } = await import(pathToFileURL(createRequire(PACKAGE).resolve('esbuild')));
    const sourcefile = fileURLToPath(url);
    const source = await readFile(sourcefile, 'utf8');
    const loader = url.endsWith('x') ? 'tsx' : 'ts';
    const { code } = await transform(source, {
        loader,
        format: 'esm',
        target: 'node20',
        sourcefile,
        sourcemap: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
}
