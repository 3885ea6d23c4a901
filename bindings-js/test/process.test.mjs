/** What a process goes through: its end, signals, workers, many engines. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { run } from './processes.mjs';

test('a process ends by itself when nothing is left to do, open as things may be', async () => {
    const done = await run('ends.mjs');
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'bye\n', '']);
});

test('process.exit ends a process amid a reply', async () => {
    const done = await run('exits.mjs');
    assert.deepEqual([done.code, done.stdout, done.stderr], [3, 'started\n', '']);
});

test('Ctrl-C ends a process amid a reply', async () => {
    const done = await run('streams.mjs', { signal: 'SIGINT' });
    assert.deepEqual([done.signal, done.stderr], ['SIGINT', '']);
});

test('Ctrl-C can be caught', async () => {
    const done = await run('streams.mjs', { args: ['catch'], signal: 'SIGINT' });
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'started\ninterrupted Cancelled\n', '']);
});

test('workers have engines of their own, and may be stopped amid a reply', async () => {
    const done = await run('workers.mjs');
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'worker replied\nworker stopped\nmain replied\n', '']);
});

test('wasm still traps where a JVM has handlers of its own', async () => {
    const done = await run('traps.mjs');
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, 'RuntimeError\n', '']);
});

test('engines and sessions made and closed leave no memory behind', async () => {
    const done = await run('cycles.mjs', { args: [process.env.UZU_TEST_FULL ? '1000' : '200'] });
    assert.equal(done.code, 0, done.stderr);
    const { growth } = JSON.parse(done.stdout);
    assert.ok(growth < 48 << 20, `grew by ${growth >> 20} MiB`);
});

test('a token costs the event loop little', async () => {
    const tokens = process.env.UZU_TEST_FULL ? 2000 : 200;
    const done = await run('overhead.mjs', { input: `${tokens}\ncancel\n` });
    assert.equal(done.code, 0, done.stderr);
    const [stream, cancel] = done.stdout.trim().split('\n').map((line) => JSON.parse(line));
    // Tests run on busy machines; docs/benchmarks.md has what a quiet one takes.
    assert.ok(stream.tokens >= tokens - 50 && stream.busyMicrosecondsPerToken < 500, done.stdout);
    assert.ok(cancel.cancelMilliseconds < 3000, done.stdout);
});

// The native image's library has no Java.
const given = process.env.UZU_LIBRARY ? 'UZU_LIBRARY names a library' : false;

test('a Java that is not there, or that refuses its options, is an error', { skip: given }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uzu-'));
    const missing = await run('fails.mjs', { env: { UZU_JAVA_HOME: folder } });
    assert.deepEqual([missing.code, missing.stdout], [0, `invalid_argument ${folder}\n`], missing.stderr);
    const refused = await run('fails.mjs', { env: { UZU_JAVA_OPTIONS: '-Xmx1' } });
    assert.equal(refused.code, 0, refused.stderr);
    assert.match(refused.stdout, /^invalid_state /);
    const library = await run('fails.mjs', { env: { UZU_LIBRARY: join(folder, 'libuzu.so') } });
    assert.deepEqual([library.code, library.stdout], [0, `invalid_state ${join(folder, 'libuzu.so')}\n`]);
    await rm(folder, { recursive: true });
});
