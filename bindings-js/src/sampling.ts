import { checkedNumber, checkedVariant } from './checks.js';
import { InvalidArgument } from './errors.js';

/** The likeliest token. */
export class SamplingMethodGreedy {
    readonly type = 'Greedy';
}

/** Steps of a draw; null leaves one out. */
export interface StochasticOptions {
    readonly temperature?: number | null;
    readonly topK?: number | null;
    readonly topP?: number | null;
    readonly minP?: number | null;
    readonly repetitionPenalty?: number | null;
    /** How many of the last tokens the penalties look at. */
    readonly suffixRepetitionLength?: number | null;
    readonly presencePenalty?: number | null;
    readonly frequencyPenalty?: number | null;
    /** From token id to what is added to its logit. */
    readonly logitBias?: Readonly<Record<number, number>> | null;
}

/** A draw. */
export class SamplingMethodStochastic implements StochasticOptions {
    readonly type = 'Stochastic';
    readonly temperature: number | null;
    readonly topK: number | null;
    readonly topP: number | null;
    readonly minP: number | null;
    readonly repetitionPenalty: number | null;
    readonly suffixRepetitionLength: number | null;
    readonly presencePenalty: number | null;
    readonly frequencyPenalty: number | null;
    readonly logitBias: Readonly<Record<number, number>> | null;

    constructor(options?: StochasticOptions);
    constructor(
        temperature?: number | null,
        topK?: number | null,
        topP?: number | null,
        minP?: number | null,
        repetitionPenalty?: number | null,
        suffixRepetitionLength?: number | null,
    );
    constructor(
        first: StochasticOptions | number | null = {},
        topK: number | null = null,
        topP: number | null = null,
        minP: number | null = null,
        repetitionPenalty: number | null = null,
        suffixRepetitionLength: number | null = null,
    ) {
        const options: StochasticOptions =
            typeof first === 'object' && first !== null
                ? first
                : { temperature: first, topK, topP, minP, repetitionPenalty, suffixRepetitionLength };
        this.temperature = options.temperature ?? null;
        this.topK = options.topK ?? null;
        this.topP = options.topP ?? null;
        this.minP = options.minP ?? null;
        this.repetitionPenalty = options.repetitionPenalty ?? null;
        this.suffixRepetitionLength = options.suffixRepetitionLength ?? null;
        this.presencePenalty = options.presencePenalty ?? null;
        this.frequencyPenalty = options.frequencyPenalty ?? null;
        this.logitBias = options.logitBias ?? null;
    }
}

/** How the next token is chosen. */
export type SamplingMethod = SamplingMethodGreedy | SamplingMethodStochastic;
export const SamplingMethod = { Greedy: SamplingMethodGreedy, Stochastic: SamplingMethodStochastic } as const;

/** As the model's makers recommend. */
export class SamplingPolicyDefault {
    readonly type = 'Default';
}

/** A method of one's own. */
export class SamplingPolicyCustom {
    readonly type = 'Custom';

    constructor(readonly method: SamplingMethod) {}
}

/** The model makers' own sampling, or a method. */
export type SamplingPolicy = SamplingPolicyDefault | SamplingPolicyCustom;
export const SamplingPolicy = { Default: SamplingPolicyDefault, Custom: SamplingPolicyCustom } as const;

/** A fresh seed for each reply, which its stats report. */
export class SamplingSeedDefault {
    readonly type = 'Default';
}

/** The same seed for each reply: 64 bits, signed or unsigned. */
export class SamplingSeedCustom {
    readonly type = 'Custom';

    constructor(readonly seed: number | bigint) {}
}

/** What makes draws repeatable. */
export type SamplingSeed = SamplingSeedDefault | SamplingSeedCustom;
export const SamplingSeed = { Default: SamplingSeedDefault, Custom: SamplingSeedCustom } as const;

/** @internal */
export function policyJson(policy: SamplingPolicy): unknown {
    const checked = checkedVariant<SamplingPolicy>(policy, SamplingPolicy, 'samplingPolicy');
    if (checked.type === 'Default') {
        return 'default';
    }
    const method = checkedVariant<SamplingMethod>(checked.method, SamplingMethod, 'samplingPolicy.method');
    return method.type === 'Greedy' ? { method: 'greedy' } : stochasticJson(method);
}

function stochasticJson(method: SamplingMethodStochastic): unknown {
    const biases = Object.entries(method.logitBias ?? {});
    return {
        method: 'stochastic',
        temperature: optional(method.temperature, 'temperature'),
        top_k: optional(method.topK, 'topK'),
        top_p: optional(method.topP, 'topP'),
        min_p: optional(method.minP, 'minP'),
        repetition_penalty: optional(method.repetitionPenalty, 'repetitionPenalty'),
        suffix_repetition_length: optional(method.suffixRepetitionLength, 'suffixRepetitionLength'),
        presence_penalty: optional(method.presencePenalty, 'presencePenalty'),
        frequency_penalty: optional(method.frequencyPenalty, 'frequencyPenalty'),
        logit_bias: Object.fromEntries(biases.map(([token, bias]) => [token, checkedNumber(bias, 'logitBias')])),
    };
}

function optional(value: number | null, field: string): number | null {
    return value === null ? null : checkedNumber(value, field);
}

/**
 * @internal A seed in JSON text, where it may have all its 64 bits: JSON.stringify takes no bigint, and a number keeps
 * 53 bits only.
 */
export function seedText(seed: number | bigint, field: string): string {
    if (typeof seed === 'bigint' || Number.isSafeInteger(seed)) {
        return String(seed);
    }
    throw new InvalidArgument(`${field} must be a whole number, and a bigint beyond 53 bits, not ${String(seed)}`, {
        field,
    });
}
