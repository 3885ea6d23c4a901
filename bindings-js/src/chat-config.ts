import { checkedNumber, checkedText, checkedVariant } from './checks.js';
import { KvCache, toWire } from './enums.js';
import { SamplingSeed, SamplingSeedDefault, seedText } from './sampling.js';
import { type ChatSpeculationPreset, ChatSpeculationPresetAuto, presetJson } from './speculation.js';

/** The model's own context length, up to 16,384. */
export class ContextLengthDefault {
    readonly type = 'Default';
}

/** The model's own context length. */
export class ContextLengthMaximal {
    readonly type = 'Maximal';
}

export class ContextLengthCustom {
    readonly type = 'Custom';

    constructor(readonly length: number) {}
}

/** Most tokens of a conversation. */
export type ContextLength = ContextLengthDefault | ContextLengthMaximal | ContextLengthCustom;
export const ContextLength = {
    Default: ContextLengthDefault,
    Maximal: ContextLengthMaximal,
    Custom: ContextLengthCustom,
} as const;

/** A session's settings; what is left out has its default. */
export interface ChatOptions {
    readonly contextLength?: ContextLength;
    readonly samplingSeed?: SamplingSeed;
    /** null: the same as Auto. */
    readonly speculationPreset?: ChatSpeculationPreset | null;
    readonly kvCache?: KvCache;
    /** How the model writes reasoning and calls, by a name of docs/messages.md; null: as its chat template says. */
    readonly messageFormat?: string | null;
}

/** How a session or an instance is set up. Immutable: the `with` methods return a copy. */
export class ChatConfig {
    readonly contextLength: ContextLength;
    readonly samplingSeed: SamplingSeed;
    readonly speculationPreset: ChatSpeculationPreset | null;
    readonly kvCache: KvCache;
    readonly messageFormat: string | null;

    constructor(options: ChatOptions = {}) {
        this.contextLength = options.contextLength ?? new ContextLengthDefault();
        this.samplingSeed = options.samplingSeed ?? new SamplingSeedDefault();
        this.speculationPreset = options.speculationPreset ?? new ChatSpeculationPresetAuto();
        this.kvCache = options.kvCache ?? KvCache.F16;
        this.messageFormat = options.messageFormat ?? null;
    }

    static create(): ChatConfig {
        return new ChatConfig();
    }

    withContextLength(contextLength: ContextLength): ChatConfig {
        return new ChatConfig({ ...this, contextLength });
    }

    withSamplingSeed(samplingSeed: SamplingSeed): ChatConfig {
        return new ChatConfig({ ...this, samplingSeed });
    }

    withSpeculationPreset(speculationPreset: ChatSpeculationPreset | null): ChatConfig {
        return new ChatConfig({ ...this, speculationPreset });
    }

    withKvCache(kvCache: KvCache): ChatConfig {
        return new ChatConfig({ ...this, kvCache });
    }

    /** A name that isn't known is refused when a session begins. */
    withMessageFormat(messageFormat: string | null): ChatConfig {
        return new ChatConfig({ ...this, messageFormat });
    }

    /** @internal */
    text(): string {
        const fields = JSON.stringify({
            context_length: lengthJson(this.contextLength),
            speculation_preset: presetJson(this.speculationPreset),
            kv_cache: toWire(KvCache, this.kvCache, 'kvCache'),
            message_format: this.messageFormat === null ? null : checkedText(this.messageFormat, 'messageFormat'),
        });
        const seed = checkedVariant<SamplingSeed>(this.samplingSeed, SamplingSeed, 'samplingSeed');
        const text = seed.type === 'Custom' ? seedText(seed.seed, 'samplingSeed') : '"default"';
        return `${fields.slice(0, -1)},"sampling_seed":${text}}`;
    }
}

function lengthJson(length: ContextLength): unknown {
    checkedVariant<ContextLength>(length, ContextLength, 'contextLength');
    return length.type === 'Custom' ? checkedNumber(length.length, 'contextLength') : length.type.toLowerCase();
}
