import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { ENDLESS, GREEDY, HELLO, LONG, load } from '../loaded.mjs';

if (isMainThread) {
    const replying = new Worker(new URL(import.meta.url), { workerData: 'reply' });
    await new Promise((resolve) => replying.on('exit', resolve));
    console.log('worker replied');
    const endless = new Worker(new URL(import.meta.url), { workerData: 'endless' });
    await new Promise((resolve) => endless.on('message', resolve));
    await endless.terminate();
    console.log('worker stopped');
    const { session } = await load();
    const [reply] = await (await session()).reply(HELLO, GREEDY.withTokenLimit(4));
    console.log('main', reply.message.text ? 'replied' : 'failed');
} else {
    const session = await (await load()).session();
    if (workerData === 'reply') {
        await session.reply(HELLO, GREEDY.withTokenLimit(4));
    } else {
        for await (const _ of await session.replyWithStream(ENDLESS, LONG)) {
            parentPort.postMessage('started');
        }
    }
}
