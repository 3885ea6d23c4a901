/** The API against docs/api-members.json, which every language is checked with; docs/parity.md says how it is read. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import * as uzu from 'uzu';
import { execute } from './processes.mjs';

const list = JSON.parse(await readFile(new URL('../../docs/api-members.json', import.meta.url), 'utf8'));
const differences = list.differences.js;
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const STATIC = ['create', 'system', 'developer', 'user', 'assistant', 'tool', 'forRole'];

/** Lines of TypeScript that are right when what is listed is there. */
function* lines() {
    for (const [name, { kind, members = [], values = [], variants = {} }] of Object.entries(list.types)) {
        for (const member of kind === 'config' ? ['create', ...members] : members) {
            yield* line(`${name}.${member}`, name, camel(member));
        }
        for (const member of kind === 'config' ? members : []) {
            yield* line(`${name}.${member}`, name, camel(`with_${member}`));
        }
        for (const value of values) {
            yield `void uzu.${name}.${value};`;
        }
        for (const [variant, fields] of Object.entries(variants)) {
            yield `void uzu.${name}.${variant};`;
            for (const field of fields) {
                yield* line(`${name}.${variant}.${field}`, `${name}${variant}`, camel(field));
            }
        }
    }
    for (const code of list.errors) {
        yield `void uzu.${camel(`_${code}`)};`;
    }
}

function* line(path, type, member) {
    const spelling = differences[path];
    if (spelling === null) {
        yield '// @ts-expect-error';
    }
    const name = spelling ?? member;
    yield STATIC.includes(name) ? `void uzu.${type}.${name};` : `void (null! as uzu.${type}['${name}']);`;
}

test('every member is there unless the list says otherwise', async () => {
    // Beside the other tests of types, so that it finds the package.
    const folder = await mkdtemp(fileURLToPath(new URL('types/parity-', import.meta.url)));
    try {
        await writeFile(join(folder, 'parity.ts'), ["import * as uzu from 'uzu';", ...lines(), ''].join('\n'));
        await writeFile(
            join(folder, 'tsconfig.json'),
            JSON.stringify({ extends: '../tsconfig.json', include: ['parity.ts'] }),
        );
        const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
        const done = await execute(process.execPath, [tsc, '--project', folder]);
        assert.equal(done.code, 0, done.stdout + done.stderr);
    } finally {
        await rm(folder, { recursive: true });
    }
});

test('what can be called is there when it runs, too', () => {
    for (const [name, { kind, members = [] }] of Object.entries(list.types)) {
        for (const member of kind === 'object' ? members.map(camel) : []) {
            const type = uzu[name];
            // Instances alone have their fields.
            const isField = name === 'ChatMessage' ? /^(role|content)$/ : /^cancelToken$/;
            assert.ok(isField.test(member) || member in type.prototype || member in type, `${name}.${member}`);
        }
    }
});
