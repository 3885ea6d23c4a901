import {
    type ChatContentBlock,
    ChatContentBlockReasoning,
    ChatContentBlockText,
    ChatContentBlockToolCall,
    ChatContentBlockToolCallCandidate,
    ChatRoleAssistant,
} from './content.js';
import { ChatReplyFinishReason, ofWire } from './enums.js';
import { ChatMessage, type MessageJson, messageOf } from './messages.js';

/** What speculation brought. Passes over the prompt, the last of which brings the first token, aren't counted. */
export interface ChatReplySpeculatorStats {
    /** Tokens that a pass of decoding brought, on average: 1 without drafts. */
    readonly tokensPerForwardPass: number;
    readonly numDecodeForwardPasses: number;
    /** Tokens that drafters proposed and passes verified. */
    readonly numTokensDrafted: number;
    /** Of these, the ones that became part of the reply. */
    readonly numTokensAccepted: number;
    /** How many passes accepted 0, 1, 2, … drafted tokens. */
    readonly passesByAccepted: readonly number[];
    readonly draftingSeconds: number;
    /** In passes of decoding, shared with other replies where these were in the same pass. */
    readonly verifyingSeconds: number;
    /** In drawing tokens from the results of passes. */
    readonly samplingSeconds: number;
}

/** Figures of a reply. Times are seconds from the call, template and tokenizer included. */
export interface ChatReplyStats {
    readonly duration: number;
    readonly timeToFirstToken: number | null;
    readonly prefillTokensPerSecond: number | null;
    readonly generateTokensPerSecond: number | null;
    /** Tokens of the prompt, cached ones included. */
    readonly tokensCountInput: number | null;
    readonly tokensCountOutput: number | null;
    /** Prompt tokens that needn't be computed again. */
    readonly tokensCountCached: number | null;
    readonly tokensCount: number;
    readonly memoryUsedBytes: number | null;
    readonly speculatorStats: ChatReplySpeculatorStats | null;
    /** The seed that repeats this reply: all its 64 bits. */
    readonly seed: bigint | null;
}

/** How likely a token was in the model's own distribution. */
export interface TokenLogprob {
    readonly token: number;
    readonly text: string;
    readonly logprob: number;
    readonly alternatives: readonly TokenLogprob[];
}

/** The model's answer. */
export interface ChatReply {
    readonly message: ChatMessage;
    readonly stats: ChatReplyStats;
    /** null while it is being made. */
    readonly finishReason: ChatReplyFinishReason | null;
    /** Keywords of a lenient grammar that the reply may violate; known at its end. */
    readonly unenforced: readonly string[];
    readonly logprobs: readonly TokenLogprob[];
}

/** A text continued, without the text it continues. */
export interface Completion {
    readonly text: string;
    readonly stats: ChatReplyStats;
    readonly finishReason: ChatReplyFinishReason | null;
    readonly logprobs: readonly TokenLogprob[];
}

/** @internal A chunk of a reply or a completion as the engine writes it: what the last one didn't hold. */
export interface ReplyJson {
    readonly text: string;
    readonly reasoning?: string;
    readonly tool_calls?: readonly CallDeltaJson[];
    readonly stats: StatsJson;
    readonly finish_reason: string | null;
    readonly logprobs?: readonly TokenLogprob[];
    readonly unenforced?: readonly string[];
    readonly message?: MessageJson | null;
}

interface CallDeltaJson {
    readonly index: number;
    readonly identifier: string;
    readonly name: string;
    readonly arguments: string;
}

interface StatsJson {
    readonly duration: number;
    readonly time_to_first_token: number | null;
    readonly prefill_tokens_per_second: number | null;
    readonly generate_tokens_per_second: number | null;
    readonly tokens_count_input: number | null;
    readonly tokens_count_output: number | null;
    readonly tokens_count_cached: number | null;
    readonly tokens_count: number;
    readonly memory_used_bytes: number | null;
    readonly seed: string | number | null;
    readonly speculator_stats?: SpeculatorStatsJson | null;
}

interface SpeculatorStatsJson {
    readonly tokens_per_forward_pass: number;
    readonly num_decode_forward_passes: number;
    readonly num_tokens_drafted: number;
    readonly num_tokens_accepted: number;
    readonly passes_by_accepted: readonly number[];
    readonly drafting_seconds: number;
    readonly verifying_seconds: number;
    readonly sampling_seconds: number;
}

/** @internal A reply put together from the chunks of a stream; a new one begins after each turn of tool calls. */
export class Folded {
    #text = '';
    #reasoning = '';
    #calls: { identifier: string; name: string; arguments: string }[] = [];
    #logprobs: readonly TokenLogprob[] = [];

    reply(chunk: ReplyJson): ChatReply {
        this.#add(chunk);
        const whole = chunk.message ?? null;
        const reply: ChatReply = {
            message: whole === null ? this.#messageSoFar() : messageOf(whole),
            stats: statsOf(chunk.stats),
            finishReason: reasonOf(chunk),
            unenforced: chunk.unenforced ?? [],
            logprobs: this.#logprobs,
        };
        if (whole !== null) {
            this.#text = '';
            this.#reasoning = '';
            this.#calls = [];
            this.#logprobs = [];
        }
        return reply;
    }

    completion(chunk: ReplyJson): Completion {
        this.#add(chunk);
        return {
            text: this.#text,
            stats: statsOf(chunk.stats),
            finishReason: reasonOf(chunk),
            logprobs: this.#logprobs,
        };
    }

    #add(chunk: ReplyJson): void {
        this.#text += chunk.text;
        this.#reasoning += chunk.reasoning ?? '';
        for (const delta of chunk.tool_calls ?? []) {
            const call = (this.#calls[delta.index] ??= { identifier: '', name: '', arguments: '' });
            call.identifier = delta.identifier;
            call.name += delta.name;
            call.arguments += delta.arguments;
        }
        if (chunk.logprobs !== undefined) {
            this.#logprobs = [...this.#logprobs, ...chunk.logprobs];
        }
    }

    #messageSoFar(): ChatMessage {
        const blocks: ChatContentBlock[] = [];
        if (this.#reasoning !== '') {
            blocks.push(new ChatContentBlockReasoning(this.#reasoning));
        }
        if (this.#text !== '') {
            blocks.push(new ChatContentBlockText(this.#text));
        }
        this.#calls.forEach((call) => blocks.push(callSoFar(call.identifier, call.name, call.arguments)));
        return new ChatMessage(new ChatRoleAssistant(), blocks);
    }
}

function callSoFar(identifier: string, name: string, text: string): ChatContentBlock {
    try {
        return new ChatContentBlockToolCall(identifier, name, JSON.parse(text));
    } catch {
        return new ChatContentBlockToolCallCandidate(`${name} ${text}`);
    }
}

function reasonOf(chunk: ReplyJson): ChatReplyFinishReason | null {
    return chunk.finish_reason === null ? null : ofWire(ChatReplyFinishReason, chunk.finish_reason);
}

function statsOf(json: StatsJson): ChatReplyStats {
    return {
        duration: json.duration,
        timeToFirstToken: json.time_to_first_token,
        prefillTokensPerSecond: json.prefill_tokens_per_second,
        generateTokensPerSecond: json.generate_tokens_per_second,
        tokensCountInput: json.tokens_count_input,
        tokensCountOutput: json.tokens_count_output,
        tokensCountCached: json.tokens_count_cached,
        tokensCount: json.tokens_count,
        memoryUsedBytes: json.memory_used_bytes,
        speculatorStats: json.speculator_stats ? speculatorStatsOf(json.speculator_stats) : null,
        seed: json.seed === null ? null : BigInt(json.seed),
    };
}

function speculatorStatsOf(json: SpeculatorStatsJson): ChatReplySpeculatorStats {
    return {
        tokensPerForwardPass: json.tokens_per_forward_pass,
        numDecodeForwardPasses: json.num_decode_forward_passes,
        numTokensDrafted: json.num_tokens_drafted,
        numTokensAccepted: json.num_tokens_accepted,
        passesByAccepted: json.passes_by_accepted,
        draftingSeconds: json.drafting_seconds,
        verifyingSeconds: json.verifying_seconds,
        samplingSeconds: json.sampling_seconds,
    };
}
