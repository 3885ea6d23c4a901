import { checked, checkedList, checkedText, checkedVariant, jsonOf } from './checks.js';
import {
    ChatContentBlock,
    ChatContentBlockAudio,
    ChatContentBlockCustom,
    ChatContentBlockFile,
    ChatContentBlockImage,
    ChatContentBlockReasoning,
    ChatContentBlockReasoningEffort,
    ChatContentBlockText,
    ChatContentBlockToolCall,
    ChatContentBlockToolCallCandidate,
    ChatContentBlockToolCallResult,
    ChatContentBlockTools,
    ChatContentBlockVideo,
    ChatRole,
    ChatRoleAssistant,
    ChatRoleCustom,
    ChatRoleDeveloper,
    ChatRoleSystem,
    ChatRoleTool,
    ChatRoleUser,
    ToolDeclaration,
} from './content.js';
import { ReasoningEffort, ofWire, toWire } from './enums.js';
import { InvalidArgument } from './errors.js';
import { partialValue } from './partial.js';
import { type JsonSchema, type OutputOf, type TypeSchema, parsedNow } from './schemas.js';

/** One message. Immutable: the `with` methods return a copy with one block more. */
export class ChatMessage {
    readonly content: readonly ChatContentBlock[];

    constructor(
        readonly role: ChatRole,
        content: Iterable<ChatContentBlock> = [],
    ) {
        this.content = [...content];
    }

    static system(): ChatMessage {
        return new ChatMessage(new ChatRoleSystem());
    }

    static developer(): ChatMessage {
        return new ChatMessage(new ChatRoleDeveloper());
    }

    static user(): ChatMessage {
        return new ChatMessage(new ChatRoleUser());
    }

    static assistant(): ChatMessage {
        return new ChatMessage(new ChatRoleAssistant());
    }

    static tool(): ChatMessage {
        return new ChatMessage(new ChatRoleTool());
    }

    static forRole(role: ChatRole): ChatMessage {
        return new ChatMessage(role);
    }

    withBlock(block: ChatContentBlock): ChatMessage {
        return new ChatMessage(this.role, [...this.content, block]);
    }

    withText(text: string): ChatMessage {
        return this.withBlock(new ChatContentBlockText(text));
    }

    withReasoning(reasoning: string): ChatMessage {
        return this.withBlock(new ChatContentBlockReasoning(reasoning));
    }

    withReasoningEffort(reasoningEffort: ReasoningEffort): ChatMessage {
        return this.withBlock(new ChatContentBlockReasoningEffort(reasoningEffort));
    }

    withToolCall(toolCall: ChatContentBlockToolCall): ChatMessage {
        return this.withBlock(checked(toolCall, ChatContentBlockToolCall, 'toolCall'));
    }

    /** All text blocks joined; null when there is none. */
    get text(): string | null {
        return joined(this.content.filter((block) => block.type === 'Text'));
    }

    /** All reasoning blocks joined; null when there is none. */
    get reasoning(): string | null {
        return joined(this.content.filter((block) => block.type === 'Reasoning'));
    }

    /** The calls that the model makes, in order. */
    get toolCalls(): ChatContentBlockToolCall[] {
        return this.content.filter((block) => block.type === 'ToolCall');
    }

    /** The last effort asked for. */
    get reasoningEffort(): ReasoningEffort | null {
        return this.content.findLast((block) => block.type === 'ReasoningEffort')?.value ?? null;
    }

    /**
     * The text, which is JSON, as a value: with a schema, of its type, as `Grammar.fromType` held the reply to it. An
     * InvalidArgument says what doesn't fit, and where. null without a text.
     */
    textDecoded(): unknown;
    textDecoded<S extends TypeSchema>(schema: S): OutputOf<S> | null;
    textDecoded(schema?: TypeSchema): unknown {
        const text = this.text;
        if (text === null) {
            return null;
        }
        let value: unknown;
        try {
            value = JSON.parse(text);
        } catch (failure) {
            throw new InvalidArgument(`The text is no JSON: ${String(failure)}`, { field: 'text' }, { cause: failure });
        }
        return schema === undefined ? value : parsedNow(schema, value);
    }

    /** What there is of the text, which is JSON, while it is being made: a JSON value, null at first. */
    textDecodedPartially(): unknown {
        return partialValue(this.text ?? '');
    }
}

function joined(blocks: readonly { readonly value: string }[]): string | null {
    return blocks.length === 0 ? null : blocks.map((block) => block.value).join('');
}

/** @internal A block as the engine writes it; which fields there are depends on the type. */
export interface BlockJson {
    readonly type: string;
    readonly text: string;
    readonly effort: string;
    readonly identifier: string;
    readonly name: string;
    readonly arguments: string;
    readonly value: string;
    readonly tools: readonly DeclarationJson[];
    readonly source: string;
}

/** @internal */
export interface DeclarationJson {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
}

/** @internal */
export interface MessageJson {
    readonly role: string;
    readonly content: readonly BlockJson[];
}

/** @internal */
export function messagesText(messages: Iterable<ChatMessage>, field: string): string {
    const checkedOnes = checkedList(messages, field).map((message) => checked(message, ChatMessage, field));
    return jsonOf(checkedOnes.map(messageJson), field);
}

function messageJson(message: ChatMessage): unknown {
    const role = checkedVariant<ChatRole>(message.role, ChatRole, 'role');
    return {
        role: role.type === 'Custom' ? checkedText(role.name, 'role.name') : role.type.toLowerCase(),
        content: message.content.map(blockJson),
    };
}

function blockJson(block: ChatContentBlock): unknown {
    checkedVariant<ChatContentBlock>(block, ChatContentBlock, 'content');
    switch (block.type) {
        case 'Text':
            return { type: 'text', text: checkedText(block.value, 'text') };
        case 'Reasoning':
            return { type: 'reasoning', text: checkedText(block.value, 'reasoning') };
        case 'ReasoningEffort':
            return { type: 'reasoning_effort', effort: toWire(ReasoningEffort, block.value, 'reasoningEffort') };
        case 'ToolCall': {
            const { identifier, name } = block;
            return { type: 'tool_call', identifier, name, arguments: jsonOf(block.arguments, 'arguments') };
        }
        case 'ToolCallCandidate':
            return { type: 'tool_call_candidate', text: checkedText(block.text, 'text') };
        case 'ToolCallResult': {
            const { identifier, name } = block;
            return { type: 'tool_call_result', identifier, name, value: jsonOf(block.value, 'value') };
        }
        case 'Tools':
            return { type: 'tools', tools: block.tools.map(declarationJson) };
        case 'Custom':
            return { type: 'custom', name: block.name, value: jsonOf(block.value, 'value') };
        case 'Image':
        case 'Audio':
        case 'Video':
        case 'File':
            return { type: block.type.toLowerCase(), source: checkedText(block.url, 'url') };
    }
}

/** @internal */
export function declarationJson(tool: ToolDeclaration): DeclarationJson {
    const { name, description, parameters } = checked(tool, ToolDeclaration, 'tool');
    return { name: checkedText(name, 'name'), description: checkedText(description, 'description'), parameters };
}

/** @internal */
export function messageOf(json: MessageJson): ChatMessage {
    return new ChatMessage(roleOf(json.role), json.content.map(blockOf));
}

function roleOf(name: string): ChatRole {
    switch (name) {
        case 'user':
            return new ChatRoleUser();
        case 'assistant':
            return new ChatRoleAssistant();
        case 'system':
            return new ChatRoleSystem();
        case 'developer':
            return new ChatRoleDeveloper();
        case 'tool':
            return new ChatRoleTool();
        default:
            return new ChatRoleCustom(name);
    }
}

function blockOf(json: BlockJson): ChatContentBlock {
    switch (json.type) {
        case 'text':
            return new ChatContentBlockText(json.text);
        case 'reasoning':
            return new ChatContentBlockReasoning(json.text);
        case 'reasoning_effort':
            return new ChatContentBlockReasoningEffort(ofWire(ReasoningEffort, json.effort));
        case 'tool_call':
            return new ChatContentBlockToolCall(json.identifier, json.name, JSON.parse(json.arguments));
        case 'tool_call_candidate':
            return new ChatContentBlockToolCallCandidate(json.text);
        case 'tool_call_result':
            return toolCallResultOf(json);
        case 'tools':
            return new ChatContentBlockTools(
                json.tools.map((tool) => new ToolDeclaration(tool.name, tool.description, tool.parameters)),
            );
        case 'custom':
            return new ChatContentBlockCustom(json.name, JSON.parse(json.value));
        case 'image':
            return new ChatContentBlockImage(json.source);
        case 'audio':
            return new ChatContentBlockAudio(json.source);
        case 'video':
            return new ChatContentBlockVideo(json.source);
        case 'file':
            return new ChatContentBlockFile(json.source);
        default:
            throw new TypeError(`the engine says ${json.type}, which is no block of a message`);
    }
}

/** @internal */
export function toolCallResultOf(json: BlockJson): ChatContentBlockToolCallResult {
    return new ChatContentBlockToolCallResult(json.identifier, json.name, JSON.parse(json.value));
}
