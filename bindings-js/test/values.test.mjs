/** Messages, configurations and errors: what needs no engine. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import test from 'node:test';

import * as z from 'zod';
import * as uzu from 'uzu';
import {
    ChatConfig,
    ChatContentBlock,
    ChatDrafterDraftModel,
    ChatDrafterLookup,
    ChatDrafterNetwork,
    ChatDrafterRecall,
    ChatDrafterTables,
    ChatMessage,
    ChatReplyConfig,
    ChatRole,
    ChatSpeculationPreset,
    ContextLengthMaximal,
    EngineConfig,
    Feature,
    Grammar,
    ReasoningEffort,
    SamplingMethod,
    SamplingMethodGreedy,
    SamplingMethodStochastic,
    SamplingPolicy,
    SamplingPolicyCustom,
    SamplingSeedCustom,
    ToolChoiceNamed,
} from 'uzu';

const refuses = (action, field) =>
    assert.throws(action, (error) => {
        assert.ok(error instanceof uzu.InvalidArgument, String(error));
        assert.equal(error.details.field, field);
        return true;
    });

test('a message is built block by block', () => {
    const start = ChatMessage.user();
    const message = start.withReasoning('hm').withText('Hello, ').withText('you').withReasoningEffort('Low');
    assert.deepEqual(start.content, []);
    assert.deepEqual([message.text, message.reasoning, message.reasoningEffort], ['Hello, you', 'hm', 'Low']);
    assert.deepEqual(message.role, new ChatRole.User());
    assert.deepEqual(message.content[0], new ChatContentBlock.Reasoning('hm'));
    assert.equal(ReasoningEffort.Low, 'Low');
});

test('a message without text has none', () => {
    const message = ChatMessage.forRole(new ChatRole.Custom('narrator'));
    assert.deepEqual(
        [message.text, message.reasoning, message.reasoningEffort, message.toolCalls],
        [null, null, null, []],
    );
});

test('with methods return copies', () => {
    const config = ChatReplyConfig.create();
    const limited = config.withTokenLimit(7).withStop('END').withSeed(5);
    assert.deepEqual([config.tokenLimit, config.stop, config.seed], [null, [], null]);
    assert.deepEqual([limited.tokenLimit, limited.stop, limited.seed], [7, ['END'], 5]);
    assert.deepEqual(new ChatReplyConfig({ tokenLimit: 7, stop: ['END'], seed: 5 }), limited);
});

test('variants are classes, reachable by both names', () => {
    assert.equal(SamplingMethod.Greedy, SamplingMethodGreedy);
    assert.equal(SamplingPolicy.Custom, SamplingPolicyCustom);
    assert.deepEqual(
        new SamplingMethodStochastic(0.5, 40),
        new SamplingMethodStochastic({ temperature: 0.5, topK: 40 }),
    );
});

test('keys do not show when a configuration is printed, and are kept by its copies', () => {
    const config = EngineConfig.create()
        .withOpenaiApiKey('sk-secret')
        .withHuggingfaceApiKey('hf-secret')
        .withThreads(2);
    assert.ok(!inspect(config).includes('secret') && !JSON.stringify(config).includes('secret'));
    assert.deepEqual([config.openaiApiKey, config.huggingfaceApiKey, config.threads], ['sk-secret', 'hf-secret', 2]);
});

test('an engine config reads the environment', () => {
    const before = { ...process.env };
    Object.assign(process.env, { LOCAL_PATH: '/models', OPENAI_API_KEY: 'key', UZU_BACKEND: 'CPU' });
    const config = EngineConfig.create();
    assert.deepEqual([config.localPath, config.openaiApiKey, config.backend], ['/models', 'key', 'Cpu']);
    assert.equal(config.withLocalPath('/other').localPath, '/other');
    assert.equal(new EngineConfig().localPath, null);
    process.env.UZU_BACKEND = 'gpu';
    assert.throws(() => EngineConfig.create(), { code: 'invalid_argument', details: { variable: 'UZU_BACKEND' } });
    process.env = before;
});

test('configurations become the JSON of the C ABI', () => {
    const config = ChatReplyConfig.create()
        .withTokenLimit(3)
        .withSamplingMethod(new SamplingMethodStochastic({ topK: 2 }));
    const { sampling, ...rest } = JSON.parse(config.text());
    assert.deepEqual([sampling.method, sampling.top_k, sampling.top_p], ['stochastic', 2, null]);
    assert.deepEqual(rest, { token_limit: 3, grammar: null, stop: [], logprobs: null, seed: null });
    const named = config.withToolChoice(new ToolChoiceNamed('look')).withToolTurnLimit(3).withParallelToolCalls(false);
    const written = JSON.parse(named.withLenient(true).withReasoningTokenLimit(9).text());
    assert.deepEqual(
        [written.tool_choice, written.tool_turn_limit, written.parallel_tool_calls, written.lenient],
        [{ name: 'look' }, 3, false, true],
    );
    assert.equal(written.reasoning_token_limit, 9);
    assert.deepEqual(JSON.parse(ChatConfig.create().withContextLength(new ContextLengthMaximal()).text()), {
        context_length: 'maximal',
        sampling_seed: 'default',
        speculation_preset: 'auto',
        kv_cache: 'f16',
        message_format: null,
    });
});

test('seeds keep their 64 bits', () => {
    const seed = 2n ** 64n - 1n;
    assert.ok(ChatReplyConfig.create().withSeed(seed).text().includes('"seed":18446744073709551615'));
    assert.ok(ChatConfig.create().withSamplingSeed(new SamplingSeedCustom(-3)).text().includes('"sampling_seed":-3'));
    refuses(
        () =>
            ChatReplyConfig.create()
                .withSeed(2 ** 60)
                .text(),
        'seed',
    );
    refuses(() => ChatReplyConfig.create().withSeed(0.5).text(), 'seed');
});

const { Auto, Off, GeneralChat, Summarization, Classification, Custom } = ChatSpeculationPreset;
for (const [preset, expected] of [
    [null, 'auto'],
    [new Auto(), 'auto'],
    [new Off(), 'off'],
    [new GeneralChat(), 'general_chat'],
    [new Summarization(), 'summarization'],
    [
        new Classification(new Feature('sentiment', ['Happy', 'Sad'])),
        { type: 'classification', feature: { name: 'sentiment', values: ['Happy', 'Sad'] } },
    ],
    [
        new Custom([new ChatDrafterLookup(), new ChatDrafterRecall(), new ChatDrafterTables()]),
        { type: 'custom', drafters: ['lookup', 'recall', 'tables'], max_nodes: 32, verifier: 'shared_noise' },
    ],
    [
        new Custom([new ChatDrafterNetwork(), new ChatDrafterDraftModel('small')], 8, 'Rejection'),
        {
            type: 'custom',
            drafters: ['network', { type: 'draft_model', identifier: 'small' }],
            max_nodes: 8,
            verifier: 'rejection',
        },
    ],
]) {
    test(`the preset ${inspect(preset)} becomes the JSON of the C ABI`, () => {
        const text = ChatConfig.create().withSpeculationPreset(preset).text();
        assert.deepEqual(JSON.parse(text).speculation_preset, expected);
    });
}

for (const [grammar, expected] of [
    [new Grammar.JsonAny(), 'json_any'],
    [
        new Grammar.JsonSchema('{"type":"null"}'),
        { type: 'json_schema', schema: '{"type":"null"}', property_order: 'as_given' },
    ],
    [
        new Grammar.JsonSchema({ type: 'null' }, 'Free'),
        { type: 'json_schema', schema: '{"type":"null"}', property_order: 'free' },
    ],
    [new Grammar.Regex(/a+/), { type: 'regex', pattern: 'a+' }],
    [new Grammar.Ebnf('root ::= "a"'), { type: 'ebnf', text: 'root ::= "a"' }],
    [new Grammar.Choice(['a', 'b']), { type: 'choice', values: ['a', 'b'] }],
]) {
    test(`the grammar ${grammar.type} becomes the JSON of the C ABI: ${inspect(expected)}`, () => {
        assert.deepEqual(JSON.parse(ChatReplyConfig.create().withGrammar(grammar).text()).grammar, expected);
    });
}

test('a type is a grammar, and reads what keeps to it', () => {
    const Country = z.object({ name: z.string(), capital: z.string().describe('Where its government sits.') });
    const schema = JSON.parse(Grammar.fromType(z.array(Country)).schema);
    assert.deepEqual(schema.items.required, ['name', 'capital']);
    assert.equal(schema.items.additionalProperties, false);
    assert.equal(schema.items.properties.capital.description, 'Where its government sits.');
    const message = ChatMessage.assistant().withText('[{"name": "A", "capital": "B"}]');
    assert.deepEqual(message.textDecoded(z.array(Country)), [{ name: 'A', capital: 'B' }]);
    assert.deepEqual(message.textDecoded(), [{ name: 'A', capital: 'B' }]);
    refuses(() => message.textDecoded(z.array(Country.extend({ people: z.number() }))), '0.people');
    refuses(() => ChatMessage.assistant().withText('[').textDecoded(), 'text');
    assert.equal(ChatMessage.assistant().textDecoded(Country), null);
    refuses(() => Grammar.fromType({ type: 'object' }), 'schema');
    refuses(() => Grammar.fromType(z.bigint()), 'schema');
});

test('a type that transforms is known by what it takes', () => {
    const upper = z.object({ name: z.string().transform((text) => text.toUpperCase()) });
    assert.equal(JSON.parse(Grammar.fromType(upper).schema).properties.name.type, 'string');
    assert.deepEqual(ChatMessage.assistant().withText('{"name": "a"}').textDecoded(upper), { name: 'A' });
});

test('every error is an Error with a code', () => {
    const error = new uzu.ModelCorrupt('bad', { path: 'x' });
    assert.ok(error instanceof uzu.UzuError && error instanceof Error);
    assert.deepEqual([error.name, error.code, error.message], ['ModelCorrupt', 'model_corrupt', 'bad']);
    assert.deepEqual(error.details, { path: 'x' });
    assert.ok(inspect(error).startsWith('ModelCorrupt: bad\n    at '));
    const codes = Object.values(uzu).filter((kind) => kind.prototype instanceof uzu.UzuError);
    assert.equal(new Set(codes.map((kind) => kind.code)).size, 20);
});

for (const [config, field] of [
    [new ChatReplyConfig({ samplingPolicy: new SamplingMethodGreedy() }), 'samplingPolicy'],
    [new ChatReplyConfig({ samplingPolicy: SamplingPolicy.Default }), 'samplingPolicy'],
    [new ChatReplyConfig({ grammar: '{}' }), 'grammar'],
    [new ChatReplyConfig({ tokenLimit: '7' }), 'tokenLimit'],
    [new ChatReplyConfig({ stop: [7] }), 'stop'],
    [new ChatReplyConfig({ lenient: 'yes' }), 'lenient'],
    [new ChatReplyConfig({ toolChoice: 'auto' }), 'toolChoice'],
    [new ChatConfig({ contextLength: 100 }), 'contextLength'],
    [new ChatConfig({ samplingSeed: 3 }), 'samplingSeed'],
    [new ChatConfig({ kvCache: 'f16' }), 'kvCache'],
    [new ChatConfig({ speculationPreset: 'off' }), 'speculationPreset'],
    [new ChatConfig({ speculationPreset: new Classification('x') }), 'feature'],
    [new ChatConfig({ speculationPreset: new Custom(['lookup']) }), 'drafters'],
    [new EngineConfig({ precision: 'fast' }), 'precision'],
    [ChatReplyConfig.create().withSamplingMethod(new SamplingMethodStochastic(NaN)), 'temperature'],
    [
        ChatReplyConfig.create().withSamplingMethod(new SamplingMethodStochastic({ logitBias: { 5: -Infinity } })),
        'logitBias',
    ],
]) {
    test(`a wrong ${field} of a ${config.constructor.name} is refused by name`, () =>
        refuses(() => config.text(), field));
}
