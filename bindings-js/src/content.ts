import type { ReasoningEffort } from './enums.js';
import type { JsonSchema } from './schemas.js';

export class ChatRoleUser {
    readonly type = 'User';
}

export class ChatRoleAssistant {
    readonly type = 'Assistant';
}

export class ChatRoleSystem {
    readonly type = 'System';
}

export class ChatRoleDeveloper {
    readonly type = 'Developer';
}

export class ChatRoleTool {
    readonly type = 'Tool';
}

/** A role that the model's template knows. */
export class ChatRoleCustom {
    readonly type = 'Custom';

    constructor(readonly name: string) {}
}

/** Who a message is from. */
export type ChatRole =
    ChatRoleUser | ChatRoleAssistant | ChatRoleSystem | ChatRoleDeveloper | ChatRoleTool | ChatRoleCustom;
export const ChatRole = {
    User: ChatRoleUser,
    Assistant: ChatRoleAssistant,
    System: ChatRoleSystem,
    Developer: ChatRoleDeveloper,
    Tool: ChatRoleTool,
    Custom: ChatRoleCustom,
} as const;

/** What a model is told of a tool: `parameters` is the JSON schema of an object with its arguments. */
export class ToolDeclaration {
    constructor(
        readonly name: string,
        readonly description: string = '',
        readonly parameters: JsonSchema = { type: 'object', properties: {} },
    ) {}
}

export class ChatContentBlockText {
    readonly type = 'Text';

    constructor(readonly value: string) {}
}

/** What the model thought before it answered. */
export class ChatContentBlockReasoning {
    readonly type = 'Reasoning';

    constructor(readonly value: string) {}
}

/** The effort asked for from this message on. */
export class ChatContentBlockReasoningEffort {
    readonly type = 'ReasoningEffort';

    constructor(readonly value: ReasoningEffort) {}
}

/** A call that the model makes; its result refers to the identifier. */
export class ChatContentBlockToolCall {
    readonly type = 'ToolCall';
    readonly arguments: Readonly<Record<string, unknown>>;

    constructor(
        readonly identifier: string,
        readonly name: string,
        values: Readonly<Record<string, unknown>> = {},
    ) {
        this.arguments = values;
    }
}

/** What began as a call and isn't one: unfinished yet, cut short or malformed. */
export class ChatContentBlockToolCallCandidate {
    readonly type = 'ToolCallCandidate';

    constructor(readonly text: string) {}
}

/** What a call came to: `{error: …}` when it failed. */
export class ChatContentBlockToolCallResult {
    readonly type = 'ToolCallResult';

    constructor(
        readonly identifier: string,
        readonly name: string,
        readonly value: unknown = null,
    ) {}
}

/** Tools that the caller runs; a reply that calls one ends with `ChatReplyFinishReason.ToolCalls`. */
export class ChatContentBlockTools {
    readonly type = 'Tools';
    readonly tools: readonly ToolDeclaration[];

    constructor(tools: Iterable<ToolDeclaration>) {
        this.tools = Object.freeze([...tools]);
    }
}

/** A field that only this model's template knows. */
export class ChatContentBlockCustom {
    readonly type = 'Custom';

    constructor(
        readonly name: string,
        readonly value: unknown = null,
    ) {}
}

/** A picture, by path, URL or data URL. */
export class ChatContentBlockImage {
    readonly type = 'Image';

    constructor(readonly url: string) {}
}

/** A sound, by path, URL or data URL. */
export class ChatContentBlockAudio {
    readonly type = 'Audio';

    constructor(readonly url: string) {}
}

/** A film, by path, URL or data URL. */
export class ChatContentBlockVideo {
    readonly type = 'Video';

    constructor(readonly url: string) {}
}

/** A document, by path, URL or data URL. */
export class ChatContentBlockFile {
    readonly type = 'File';

    constructor(readonly url: string) {}
}

/** A part of a message. A block that the model can't take is an error that says so. */
export type ChatContentBlock =
    | ChatContentBlockText
    | ChatContentBlockReasoning
    | ChatContentBlockReasoningEffort
    | ChatContentBlockToolCall
    | ChatContentBlockToolCallCandidate
    | ChatContentBlockToolCallResult
    | ChatContentBlockTools
    | ChatContentBlockCustom
    | ChatContentBlockImage
    | ChatContentBlockAudio
    | ChatContentBlockVideo
    | ChatContentBlockFile;
export const ChatContentBlock = {
    Text: ChatContentBlockText,
    Reasoning: ChatContentBlockReasoning,
    ReasoningEffort: ChatContentBlockReasoningEffort,
    ToolCall: ChatContentBlockToolCall,
    ToolCallCandidate: ChatContentBlockToolCallCandidate,
    ToolCallResult: ChatContentBlockToolCallResult,
    Tools: ChatContentBlockTools,
    Custom: ChatContentBlockCustom,
    Image: ChatContentBlockImage,
    Audio: ChatContentBlockAudio,
    Video: ChatContentBlockVideo,
    File: ChatContentBlockFile,
} as const;
