/** One loaded model, two conversations on it that reply at the same time. */
import { ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig } from 'uzu';

const PROMPTS = {
    story: 'Tell me a short story about a tiny robot',
    capital: 'What is the capital of France, and what is it known for?',
};
const CONFIG = ChatReplyConfig.create().withTokenLimit(128);

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model('huggingface:smollm2:135m:gguf:q4_1:4');
if (!model) {
    throw new Error('Model not found');
}
for await (const update of await engine.download(model)) {
    process.stdout.write(`\rDownload progress: ${Math.round(100 * update.progress)}%`);
}
console.log();

const instance = await engine.chatInstance(model, ChatConfig.create());

async function answer(label, prompt) {
    const session = await engine.chatWithInstance(instance);
    const replies = await session.reply([ChatMessage.user().withText(prompt)], CONFIG);
    console.log(`[${label}] ${replies.at(-1)?.message.text}\n`);
}

const start = performance.now();
const prompts = Object.entries(PROMPTS);
await Promise.all(prompts.map(([label, prompt]) => answer(label, prompt)));
const seconds = (performance.now() - start) / 1000;
const megabytes = (await instance.memoryUsedBytes) / 1e6;
console.log(`${prompts.length} replies in ${seconds.toFixed(1)} s, in ${megabytes.toFixed(0)} MB`);
