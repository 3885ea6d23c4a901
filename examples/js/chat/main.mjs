/** A conversation whose replies appear as they are made: with you at a terminal, else with the prompt given. */
import { createInterface } from 'node:readline/promises';
import { ChatConfig, ChatMessage, ChatReplyConfig, ChatSessionStreamChunk, Engine, EngineConfig } from 'uzu';

const PROMPT = 'What is the capital of France, and what is it known for?';
const CONFIG = ChatReplyConfig.create().withTokenLimit(256);

async function answer(session, text) {
    const stream = await session.replyWithStream([ChatMessage.user().withText(text)], CONFIG);
    let shown = 0;
    let reply;
    for await (const chunk of stream) {
        if (chunk instanceof ChatSessionStreamChunk.Replies) {
            [reply] = chunk.replies;
            const text = reply.message.text ?? '';
            process.stdout.write(text.slice(shown));
            shown = text.length;
        } else if (chunk instanceof ChatSessionStreamChunk.Error) {
            throw chunk.error;
        }
    }
    report(reply.stats);
}

function report(stats) {
    const speed = Math.round(stats.generateTokensPerSecond ?? 0);
    const drafts = stats.speculatorStats;
    const passes = drafts === null ? '' : `, ${drafts.tokensPerForwardPass.toFixed(1)} a pass`;
    console.log(`\n[${stats.tokensCountOutput} tokens, ${speed} a second${passes}]`);
}

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model('huggingface:smollm2:135m:gguf:q4_1:4');
if (!model) {
    throw new Error('Model not found');
}
for await (const update of await engine.download(model)) {
    process.stderr.write(`\rDownload progress: ${Math.round(100 * update.progress)}%`);
}

const session = await engine.chat(model, ChatConfig.create());
const words = process.argv.slice(2);
if (words.length > 0 || !process.stdin.isTTY) {
    await answer(session, words.join(' ') || PROMPT);
} else {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    console.log('\nAsk something; an empty line or "exit" ends the conversation.');
    let text = await terminal.question('> ');
    while (text.trim() !== '' && text.trim() !== 'exit') {
        await answer(session, text);
        text = await terminal.question('> ');
    }
    terminal.close();
}
