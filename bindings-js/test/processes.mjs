/** Programs run in processes of their own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a program of test/programs, which reads `input`; `signal` is sent once it has printed a line. */
export async function run(name, { args = [], input, signal, env = {}, cwd } = {}) {
    const file = fileURLToPath(new URL(`programs/${name}`, import.meta.url));
    return execute(process.execPath, ['--expose-gc', file, ...args], { input, signal, env, cwd });
}

export async function execute(command, args, { input, signal, env = {}, cwd } = {}) {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio });
    child.stdin?.end(input);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
        stdout += text;
        if (signal && stdout.includes('\n')) {
            child.kill(signal);
            signal = undefined;
        }
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    const limit = setTimeout(() => child.kill('SIGKILL'), 200_000);
    const [code, endSignal] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)));
    clearTimeout(limit);
    return { code, signal: endSignal, stdout, stderr };
}
