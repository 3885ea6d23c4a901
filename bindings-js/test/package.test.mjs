/** The published package, and the examples. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { MODEL } from './loaded.mjs';
import { execute } from './processes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { UZU_TARBALL } = process.env;

test(
    'the tarball works in a clean folder without a JDK',
    { skip: UZU_TARBALL ? false : 'UZU_TARBALL names none' },
    async () => {
        const folder = await mkdtemp(join(tmpdir(), 'uzu-npm-'));
        await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
        await writeFile(
            join(folder, 'main.js'),
            `import { ChatMessage, ChatReplyConfig, Engine } from 'uzu';
         const engine = await Engine.create();
         const session = await engine.chat(await engine.model('${MODEL}'));
         const config = ChatReplyConfig.create().withTokenLimit(4);
         const [reply] = await session.reply([ChatMessage.user().withText('Say hello.')], config);
         console.log(reply.stats.tokensCountOutput > 0);`,
        );
        const installed = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', UZU_TARBALL], {
            cwd: folder,
        });
        assert.equal(installed.code, 0, installed.stderr);
        // Neither by these nor on the PATH is there a Java, but for the one in the package.
        const env = { UZU_JAVA_HOME: '', JAVA_HOME: '', PATH: '/nowhere', UZU_CLASSPATH: '', UZU_LIBRARY: '' };
        const done = await execute(process.execPath, ['main.js'], { cwd: folder, env });
        assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'true\n', '']);
        await rm(folder, { recursive: true });
    },
);

test('programs of uzu 0.6 run with another model', async () => {
    const program = fileURLToPath(new URL('programs/snippets.ts', import.meta.url));
    const hook = join(ROOT, 'tools/js/register.mjs');
    const done = await execute(process.execPath, ['--import', hook, program, MODEL]);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.stdout.match(/^== /gm).length, 6);
    assert.match(done.stdout, /^Countries: {2}true$/m);
    assert.match(done.stdout, /^Finished: {2}true$/m);
    assert.equal(done.stderr, '');
});

const examples = join(ROOT, 'examples/js');
for (const name of await readdir(examples)) {
    test(`the example ${name} ends well and says something`, async () => {
        const hook = join(ROOT, 'tools/js/register.mjs');
        const done = await execute(process.execPath, ['--import', hook, join(examples, name, 'main.mjs')]);
        assert.equal(done.code, 0, done.stderr);
        if (name === 'tool-calls') {
            assert.match(done.stdout, /^calling get_\w+ with \{/m);
            assert.match(done.stdout, /^get_\w+ said ./m);
        }
        if (name === 'chat-shared-instance') {
            assert.match(done.stdout, /^\[story\] ./m);
            assert.match(done.stdout, /^\[capital\] ./m);
            assert.match(done.stdout, /^2 replies in [\d.]+ s, in \d+ MB$/m);
        }
        // Drawn texts may end anywhere, so no line by itself tells.
        assert.ok(done.stdout.split(/\s+/).length > 12, done.stdout);
    });
}
