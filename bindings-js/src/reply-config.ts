import { checkedFlag, checkedNumber, checkedText } from './checks.js';
import { type Grammar, type ToolChoice, ToolChoiceAuto, grammarJson, toolChoiceJson } from './grammar.js';
import {
    type SamplingMethod,
    type SamplingPolicy,
    SamplingPolicyCustom,
    SamplingPolicyDefault,
    policyJson,
    seedText,
} from './sampling.js';

/** A reply's settings; what is left out has its default. */
export interface ChatReplyOptions {
    /** Most tokens to generate; null: up to the context length. */
    readonly tokenLimit?: number | null;
    readonly samplingPolicy?: SamplingPolicy;
    /** What the reply's text must be; null: free. */
    readonly grammar?: Grammar | null;
    /** Whether keywords of the grammar that can't be enforced are reported in the reply instead of refused. */
    readonly lenient?: boolean;
    readonly toolChoice?: ToolChoice;
    /** Whether one reply may call several tools. */
    readonly parallelToolCalls?: boolean;
    /** How many times in a row calls are answered before the next is a ToolTurnLimit error. */
    readonly toolTurnLimit?: number;
    /** Most tokens of thinking, which then ends; null: no limit of its own. */
    readonly reasoningTokenLimit?: number | null;
    /** Texts that end the reply; it holds only what comes before. */
    readonly stop?: string | readonly string[];
    /** For this reply; null: as the session says. 64 bits, signed or unsigned. */
    readonly seed?: number | bigint | null;
    /** How many of the likeliest tokens to report beside each token drawn. */
    readonly logprobs?: number | null;
}

/** How one reply is made. Immutable: the `with` methods return a copy. */
export class ChatReplyConfig {
    readonly tokenLimit: number | null;
    readonly samplingPolicy: SamplingPolicy;
    readonly grammar: Grammar | null;
    readonly lenient: boolean;
    readonly toolChoice: ToolChoice;
    readonly parallelToolCalls: boolean;
    readonly toolTurnLimit: number;
    readonly reasoningTokenLimit: number | null;
    readonly stop: readonly string[];
    readonly seed: number | bigint | null;
    readonly logprobs: number | null;

    constructor(options: ChatReplyOptions = {}) {
        this.tokenLimit = options.tokenLimit ?? null;
        this.samplingPolicy = options.samplingPolicy ?? new SamplingPolicyDefault();
        this.grammar = options.grammar ?? null;
        this.lenient = options.lenient ?? false;
        this.toolChoice = options.toolChoice ?? new ToolChoiceAuto();
        this.parallelToolCalls = options.parallelToolCalls ?? true;
        this.toolTurnLimit = options.toolTurnLimit ?? 10;
        this.reasoningTokenLimit = options.reasoningTokenLimit ?? null;
        // One text is one stop, not one for each of its letters.
        this.stop = Object.freeze(typeof options.stop === 'string' ? [options.stop] : [...(options.stop ?? [])]);
        this.seed = options.seed ?? null;
        this.logprobs = options.logprobs ?? null;
    }

    static create(): ChatReplyConfig {
        return new ChatReplyConfig();
    }

    withTokenLimit(tokenLimit: number | null): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, tokenLimit });
    }

    withSamplingPolicy(samplingPolicy: SamplingPolicy): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, samplingPolicy });
    }

    /** Short for a custom policy. */
    withSamplingMethod(samplingMethod: SamplingMethod): ChatReplyConfig {
        return this.withSamplingPolicy(new SamplingPolicyCustom(samplingMethod));
    }

    withGrammar(grammar: Grammar | null): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, grammar });
    }

    withLenient(lenient: boolean): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, lenient });
    }

    withToolChoice(toolChoice: ToolChoice): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, toolChoice });
    }

    withParallelToolCalls(parallelToolCalls: boolean): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, parallelToolCalls });
    }

    withToolTurnLimit(toolTurnLimit: number): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, toolTurnLimit });
    }

    withReasoningTokenLimit(reasoningTokenLimit: number | null): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, reasoningTokenLimit });
    }

    withStop(stop: string | readonly string[]): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, stop });
    }

    withSeed(seed: number | bigint | null): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, seed });
    }

    withLogprobs(logprobs: number | null): ChatReplyConfig {
        return new ChatReplyConfig({ ...this, logprobs });
    }

    /** @internal */
    text(): string {
        const toolChoice = toolChoiceJson(this.toolChoice);
        const toolTurnLimit = checkedNumber(this.toolTurnLimit, 'toolTurnLimit');
        const fields = JSON.stringify({
            token_limit: optional(this.tokenLimit, 'tokenLimit'),
            sampling: policyJson(this.samplingPolicy),
            grammar: this.grammar === null ? null : grammarJson(this.grammar),
            lenient: checkedFlag(this.lenient, 'lenient') || undefined,
            tool_choice: toolChoice === 'auto' ? undefined : toolChoice,
            parallel_tool_calls: checkedFlag(this.parallelToolCalls, 'parallelToolCalls') ? undefined : false,
            tool_turn_limit: toolTurnLimit === 10 ? undefined : toolTurnLimit,
            reasoning_token_limit: optional(this.reasoningTokenLimit, 'reasoningTokenLimit') ?? undefined,
            stop: this.stop.map((text) => checkedText(text, 'stop')),
            logprobs: optional(this.logprobs, 'logprobs'),
        });
        const seed = this.seed === null ? 'null' : seedText(this.seed, 'seed');
        return `${fields.slice(0, -1)},"seed":${seed}}`;
    }
}

function optional(value: number | null, field: string): number | null {
    return value === null ? null : checkedNumber(value, field);
}
