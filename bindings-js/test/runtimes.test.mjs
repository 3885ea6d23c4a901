/** The package on Deno and Bun, which have Node-API as well. */
import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { execute } from './processes.mjs';

const RUNTIMES = { deno: { version: '2.9.6', run: ['run', '--allow-all'] }, bun: { version: '1.4.5', run: ['run'] } };

/** How to run it: as it is on the PATH, else as npm fetches it where a test may take its time. */
function found(name) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
        try {
            accessSync(join(folder, name), constants.X_OK);
            return [join(folder, name)];
        } catch {
            // Not in this one.
        }
    }
    const fetched = ['npm', 'exec', '--yes', `--package=${name}@${RUNTIMES[name].version}`, '--', name];
    return process.env.UZU_TEST_FULL ? fetched : null;
}

async function run(command, name, program) {
    const file = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
    return execute(command[0], [...command.slice(1), ...RUNTIMES[name].run, file], {
        env: { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
    });
}

for (const name of Object.keys(RUNTIMES)) {
    const command = found(name);
    const skip = command ? false : `${name} isn't on the PATH; tools/tools test js --full fetches it`;

    test(`${name} runs programs`, { skip }, async () => {
        const done = await run(command, name, 'everywhere.mjs');
        assert.deepEqual(
            [done.code, done.stdout.split('\n')],
            [
                0,
                [
                    'replied true ticked true',
                    'cancelled Cancelled',
                    'aborted TimeoutError Length',
                    'tool found',
                    'JSON true',
                    'error true invalid_argument',
                    '',
                ],
            ],
            done.stderr,
        );
    });

    test(`${name} has workers, and ends amid a reply`, { skip }, async () => {
        const workers = await run(command, name, 'workers.mjs');
        assert.deepEqual(
            [workers.code, workers.stdout],
            [0, 'worker replied\nworker stopped\nmain replied\n'],
            workers.stderr,
        );
        const exits = await run(command, name, 'exits.mjs');
        assert.deepEqual([exits.code, exits.stdout], [3, 'started\n'], exits.stderr);
    });
}
