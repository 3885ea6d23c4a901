/** What the types promise; tsc checks it, and nothing runs. */
import * as z from 'zod';

import {
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    type ChatReplyFinishReason,
    type ChatSession,
    type ChatSessionStreamChunk,
    ChatSessionStreamChunkError,
    ChatSessionStreamChunkReplies,
    ChatSpeculationPresetClassification,
    ChatSpeculationPresetSummarization,
    Engine,
    EngineConfig,
    Feature,
    Grammar,
    GrammarJsonSchema,
    type Model,
    ReasoningEffort,
    type SamplingMethod,
    SamplingMethodGreedy,
    UzuError,
    uzuToolFunction,
} from 'uzu';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(equal: Equal<A, B>): void;

/** The programs of uzu 0.6, with another package and another model. */
export async function chat(): Promise<void> {
    let engineConfig = EngineConfig.create().withOpenaiApiKey('OPENAI_API_KEY');
    let engine = await Engine.create(engineConfig);
    let model = await engine.model('smollm2');
    if (!model) {
        throw new Error('Model not found');
    }
    for await (const update of await engine.download(model)) {
        console.log('Download progress:', update.progress);
    }
    let messages = [
        ChatMessage.system().withReasoningEffort('Disabled' as ReasoningEffort),
        ChatMessage.system().withReasoningEffort('Low'),
        ChatMessage.user().withText('Tell me a short, funny story about a robot'),
    ];
    let session = await engine.chat(model, ChatConfig.create());
    let stream = await session.replyWithStream(messages, ChatReplyConfig.create());
    let message: ChatMessage | undefined;
    for await (const chunk of stream) {
        if (chunk instanceof ChatSessionStreamChunkReplies) {
            message = chunk.replies[0]?.message;
            console.log('Generated tokens: ', chunk.replies[0]?.stats.tokensCountOutput);
        } else if (chunk instanceof ChatSessionStreamChunkError) {
            console.error('Error: ', chunk.error);
        }
    }
    console.log('Reasoning: ', message?.reasoning);
    console.log('Text: ', message?.text);
}

export async function presets(engine: Engine, model: Model): Promise<void> {
    const feature = new Feature('sentiment', ['Happy', 'Sad']);
    const config = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPresetClassification(feature));
    await engine.chat(model, config.withSpeculationPreset(new ChatSpeculationPresetSummarization()));
    const replyConfig = ChatReplyConfig.create().withTokenLimit(32).withSamplingMethod(new SamplingMethodGreedy());
    const session = await engine.chat(model, config);
    const reply = (await session.reply([], replyConfig))[0];
    same<typeof reply, Awaited<ReturnType<typeof session.reply>>[number] | undefined>(true);
}

const Country = z.object({ name: z.string(), capital: z.string() });

export function structured(message: ChatMessage): ChatReplyConfig {
    const countries = message.textDecoded(z.array(Country));
    same<typeof countries, { name: string; capital: string }[] | null>(true);
    const anything = message.textDecoded();
    same<typeof anything, unknown>(true);
    const schema = JSON.stringify(z.toJSONSchema(Country));
    return ChatReplyConfig.create().withGrammar(new GrammarJsonSchema(schema)).withGrammar(Grammar.fromType(Country));
}

/** Variants are told apart by class and by type, and all of them are known. */
export function variants(chunk: ChatSessionStreamChunk, method: SamplingMethod): string {
    switch (chunk.type) {
        case 'Replies': {
            const reason = chunk.replies[0]?.finishReason;
            same<typeof reason, ChatReplyFinishReason | null | undefined>(true);
            return chunk.replies.map((reply) => reply.message.text ?? '').join('');
        }
        case 'ToolResults':
            return chunk.results.map((result) => result.name).join('');
        case 'Error':
            return chunk.error instanceof UzuError ? chunk.error.code : method.type;
    }
}

export async function ends(engine: Engine, model: Model, signal: AbortSignal): Promise<void> {
    await using session = await engine.chat(model, ChatConfig.create(), { signal });
    await using stream = await session.replyWithStream([], ChatReplyConfig.create(), { signal });
    stream.cancelToken.cancel();
    const models = await engine.models;
    same<typeof models, Model[]>(true);
}

// @ts-expect-error: an effort that isn't one
ChatMessage.user().withReasoningEffort('Much');
// @ts-expect-error: a method isn't a policy
ChatReplyConfig.create().withSamplingPolicy(new SamplingMethodGreedy());
// @ts-expect-error: configurations are immutable
ChatReplyConfig.create().tokenLimit = 7;
// @ts-expect-error: engines come from create
new Engine();
// @ts-expect-error: a model, not its name
void Engine.create().then((engine) => engine.chat('smollm2'));

/** A handler gets what its parameters give, and returns what its result takes. */
export async function tools(session: ChatSession): Promise<void> {
    const temperature = uzuToolFunction({
        name: 'get_temperature',
        parameters: z.object({ latitude: z.number(), place: z.string().optional() }),
        returns: z.string(),
        handler: async ({ latitude, place }, { signal }) => {
            same<typeof latitude, number>(true);
            same<typeof place, string | undefined>(true);
            same<typeof signal, AbortSignal>(true);
            return `${latitude}`;
        },
    });
    const result = await temperature.invoke({ latitude: 1 });
    same<typeof result, string>(true);
    const untyped = uzuToolFunction({
        name: 'look',
        parameters: { type: 'object', properties: { at: { type: 'string' } } },
        handler: (parameters) => {
            same<typeof parameters, Record<string, unknown>>(true);
            return parameters['at'];
        },
    });
    await session.addTool(temperature);
    await session.addTools([temperature, untyped]);
    uzuToolFunction({
        name: 'wrong',
        parameters: z.object({}),
        returns: z.number(),
        // @ts-expect-error: a text isn't a number
        handler: () => 'text',
    });
}
