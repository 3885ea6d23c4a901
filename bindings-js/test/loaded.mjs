/** The model that the tests use. */
import { ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig, SamplingMethodGreedy } from 'uzu';

export const MODEL = process.env.UZU_TEST_MODEL ?? 'huggingface:smollm2:135m:gguf:q4_1:4';
export const GREEDY = ChatReplyConfig.create().withSamplingMethod(new SamplingMethodGreedy());
export const HELLO = [ChatMessage.user().withText('Say hello to Ada.')];
/** Taking the likeliest token each time, the model goes round in circles here. */
export const ENDLESS = [ChatMessage.user().withText('Tell me a short story about a tiny robot')];
export const LONG = GREEDY.withTokenLimit(4000);

/** An engine, the model, its weights, and new conversations on them. */
export async function load() {
    const engine = await Engine.create(EngineConfig.create());
    const model = await engine.model(MODEL);
    for await (const _ of await engine.download(model));
    const instance = await engine.chatInstance(model, ChatConfig.create());
    return { engine, model, instance, session: () => engine.chatWithInstance(instance) };
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the session has nothing to do. */
export async function idle(session) {
    for (let i = 0; i < 300; i++) {
        if ((await session.state) === 'Idle') {
            return;
        }
        await pause(100);
    }
    throw new Error("the session doesn't become idle");
}
