import { InvalidArgument } from './errors.js';

/** How long a model may reason before it answers. */
export const ReasoningEffort = {
    Disabled: 'Disabled',
    Default: 'Default',
    Low: 'Low',
    Medium: 'Medium',
    High: 'High',
} as const;
export type ReasoningEffort = (typeof ReasoningEffort)[keyof typeof ReasoningEffort];

/** Why a reply ended. */
export const ChatReplyFinishReason = {
    Stop: 'Stop',
    Length: 'Length',
    Cancelled: 'Cancelled',
    ContextLimitReached: 'ContextLimitReached',
    ToolCalls: 'ToolCalls',
    Rejected: 'Rejected',
} as const;
export type ChatReplyFinishReason = (typeof ChatReplyFinishReason)[keyof typeof ChatReplyFinishReason];

/** What a session is doing. */
export const ChatSessionState = {
    Idle: 'Idle',
    Generation: 'Generation',
    ToolCalling: 'ToolCalling',
    Resetting: 'Resetting',
} as const;
export type ChatSessionState = (typeof ChatSessionState)[keyof typeof ChatSessionState];

/** How matrices are multiplied: with int8 activations, or exactly, for comparisons. */
export const Precision = { Fast: 'Fast', Exact: 'Exact' } as const;
export type Precision = (typeof Precision)[keyof typeof Precision];

/** What runs the passes. */
export const Backend = { Auto: 'Auto', Cpu: 'Cpu', Metal: 'Metal' } as const;
export type Backend = (typeof Backend)[keyof typeof Backend];

/** How keys and values are stored. */
export const KvCache = { F16: 'F16', F32: 'F32', BF16: 'BF16', Q8: 'Q8', Q4: 'Q4' } as const;
export type KvCache = (typeof KvCache)[keyof typeof KvCache];

/**
 * How drafted tokens are judged where tokens are drawn by chance; both keep the model's distribution. `SharedNoise`
 * draws what would be drawn without speculation, for the same seed.
 */
export const ChatVerifier = { SharedNoise: 'SharedNoise', Rejection: 'Rejection' } as const;
export type ChatVerifier = (typeof ChatVerifier)[keyof typeof ChatVerifier];

/** Where a model runs. */
export const ModelAccessibility = { Local: 'Local', Remote: 'Remote' } as const;
export type ModelAccessibility = (typeof ModelAccessibility)[keyof typeof ModelAccessibility];

/** What a model was made for. */
export const ModelSpecialization = { Chat: 'Chat', Code: 'Code' } as const;
export type ModelSpecialization = (typeof ModelSpecialization)[keyof typeof ModelSpecialization];

/** How the properties of objects are ordered: as the schema lists them, or in any order. */
export const PropertyOrder = { AsGiven: 'AsGiven', Free: 'Free' } as const;
export type PropertyOrder = (typeof PropertyOrder)[keyof typeof PropertyOrder];

/**
 * How a model is told of tools: not at all, for want of a chat template; in a system message, where its template
 * doesn't know tools; or by its own template.
 */
export const ToolSupport = { None: 'None', Generic: 'Generic', Template: 'Template' } as const;
export type ToolSupport = (typeof ToolSupport)[keyof typeof ToolSupport];

/** ContextLimitReached → context_limit_reached, BF16 → bf16. */
function wireName(name: string): string {
    return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** @internal The engine's name for one of the enum's values. */
export function toWire(values: Readonly<Record<string, string>>, value: string, field: string): string {
    if (!Object.values(values).includes(value)) {
        const names = Object.values(values).join(', ');
        throw new InvalidArgument(`${field} must be one of ${names}, not ${String(value)}`, { field });
    }
    return wireName(value);
}

/** @internal The enum's value for the engine's name. */
export function ofWire<T extends string>(values: Readonly<Record<string, T>>, name: string): T {
    const found = Object.values(values).find((value) => wireName(value) === name);
    if (found === undefined) {
        throw new TypeError(`the engine says ${name} where ${Object.values(values).join(', ')} are known`);
    }
    return found;
}
