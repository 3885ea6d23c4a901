/** What any runtime with Node-API has to do: replies, streams, cancelling, tools, JSON, errors, an end by itself. */
import { ChatMessage, Grammar, InvalidArgument, ToolChoiceRequired, UzuError, uzuToolFunction } from 'uzu';
import * as z from 'zod';

import { ENDLESS, GREEDY, HELLO, LONG, load } from '../loaded.mjs';

const { engine, model, session } = await load();
let ticks = 0;
const ticking = setInterval(() => ticks++, 5);
const first = await session();
const [reply] = await first.reply(HELLO, GREEDY.withTokenLimit(40));
clearInterval(ticking);
console.log('replied', reply.stats.tokensCountOutput > 0, 'ticked', ticks > 1);

const stream = await first.replyWithStream(ENDLESS, LONG);
await stream.next();
stream.cancelToken.cancel();
let last;
for await (const chunk of stream) {
    last = chunk;
}
console.log('cancelled', last?.replies[0].finishReason ?? 'Cancelled');

try {
    await first.reply(ENDLESS, LONG, { signal: AbortSignal.timeout(100) });
} catch (error) {
    const [next] = await first.reply(HELLO, GREEDY.withTokenLimit(4));
    console.log('aborted', error.name, next.finishReason);
}

const lookUp = uzuToolFunction({
    name: 'look_up',
    description: 'Look a word up.',
    parameters: z.object({ word: z.string() }),
    handler: async ({ word }) => (typeof word === 'string' ? 'found' : 'lost'),
});
const calling = await session();
await calling.addTool(lookUp);
const required = GREEDY.withTokenLimit(120).withToolChoice(new ToolChoiceRequired());
for await (const chunk of await calling.replyWithStream([ChatMessage.user().withText('Look up: uzu')], required)) {
    chunk.results?.forEach((result) => console.log('tool', result.value));
}

const json = GREEDY.withTokenLimit(60).withGrammar(new Grammar.JsonSchema('{"enum": ["red", "blue"]}'));
const [colour] = await (await session()).reply([ChatMessage.user().withText('A colour?')], json);
console.log('JSON', ['red', 'blue'].includes(JSON.parse(colour.message.text)));

try {
    await engine.complete(model, 'x', GREEDY.withTokenLimit(-1));
} catch (error) {
    console.log('error', error instanceof UzuError && error instanceof InvalidArgument, error.code);
}
