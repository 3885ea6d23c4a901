/** node:test's functions: tests run one after the other once the program is loaded; the last line counts them. */
const { inspect } = globalThis[Symbol.for('uzu.node')];
const tests = [];
const hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
let started = false;

export function test(name, options, action) {
    if (typeof options === 'function') {
        [options, action] = [{}, options];
    }
    return new Promise((resolve) => {
        tests.push({ name, skip: options?.skip, action, resolve });
        if (!started) {
            started = true;
            setTimeout(runAll);
        }
    });
}
test.skip = (name, action) => test(name, { skip: true }, action);
test.test = test;

export const it = test;
/** The functions of its tests are registered with the others. */
export const describe = (name, define) => define();
export const before = (action) => void hooks.before.push(action);
export const after = (action) => void hooks.after.push(action);
export const beforeEach = (action) => void hooks.beforeEach.push(action);
export const afterEach = (action) => void hooks.afterEach.push(action);
export default test;

/** Its failure, said; whether it succeeded. */
async function attempt(name, actions, context) {
    try {
        for (const action of actions) {
            await action(context);
        }
        return true;
    } catch (failure) {
        console.log(`FAILED ${name}\n${inspect(failure)}`);
        return false;
    }
}

async function runAll() {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const isReady = await attempt('before', hooks.before);
    for (let i = 0; i < tests.length; i++) {
        const { name, skip, action, resolve } = tests[i];
        if (skip) {
            counts.skipped++;
        } else {
            const start = performance.now();
            const after = [];
            const context = { name, after: (each) => after.push(each), test, diagnostic: console.log, skip() {} };
            const actions = [...hooks.beforeEach, action, ...hooks.afterEach];
            let passed = isReady && (await attempt(name, actions, context));
            passed = (await attempt(name, after)) && passed;
            counts[passed ? 'passed' : 'failed']++;
            console.log(`${passed ? 'passed' : 'FAILED'} ${name} (${Math.round(performance.now() - start)} ms)`);
        }
        resolve();
    }
    counts.failed += (await attempt('after', hooks.after)) && isReady ? 0 : 1;
    process.exitCode = counts.failed > 0 ? 1 : undefined;
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}
