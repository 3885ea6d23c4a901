import { checkedList, checkedText, checkedVariant, jsonOf } from './checks.js';
import { PropertyOrder, toWire } from './enums.js';
import { type JsonSchema, type TypeSchema, jsonSchemaOf } from './schemas.js';

/** A JSON value that the schema accepts: draft 7 or 2020-12, as text or as it is. */
export class GrammarJsonSchema {
    readonly type = 'JsonSchema';
    readonly schema: string;
    readonly propertyOrder: PropertyOrder;

    constructor(schema: string | boolean | JsonSchema, propertyOrder: PropertyOrder = PropertyOrder.AsGiven) {
        this.propertyOrder = propertyOrder;
        this.schema = typeof schema === 'string' ? schema : jsonOf(schema, 'schema');
    }
}

/** Any JSON value. */
export class GrammarJsonAny {
    readonly type = 'JsonAny';
}

/** A text that the whole expression matches. No lookaround, no back references. */
export class GrammarRegex {
    readonly type = 'Regex';
    readonly pattern: string;

    constructor(pattern: string | RegExp) {
        this.pattern = typeof pattern === 'string' ? pattern : pattern.source;
    }
}

/** A text of the rule `root`, in llama.cpp's GBNF or in the context-free part of Lark. */
export class GrammarEbnf {
    readonly type = 'Ebnf';

    constructor(readonly text: string) {}
}

/** One of the values. */
export class GrammarChoice {
    readonly type = 'Choice';
    readonly values: readonly string[];

    constructor(values: Iterable<string>) {
        this.values = Object.freeze(checkedList(values, 'values'));
    }
}

/** What a reply's text must be. Thinking before the answer is free. */
export type Grammar = GrammarJsonSchema | GrammarJsonAny | GrammarRegex | GrammarEbnf | GrammarChoice;
const VARIANTS = {
    JsonSchema: GrammarJsonSchema,
    JsonAny: GrammarJsonAny,
    Regex: GrammarRegex,
    Ebnf: GrammarEbnf,
    Choice: GrammarChoice,
} as const;
export const Grammar = {
    ...VARIANTS,
    /** The values of a type, by its schema (zod's, say); `message.textDecoded(schema)` reads them. */
    fromType(schema: TypeSchema): GrammarJsonSchema {
        return new GrammarJsonSchema(jsonSchemaOf(schema, 'schema'));
    },
} as const;

/** As the model likes. */
export class ToolChoiceAuto {
    readonly type = 'Auto';
}

/** Tools aren't shown to the model. */
export class ToolChoiceNone {
    readonly type = 'None';
}

/** At least one call. */
export class ToolChoiceRequired {
    readonly type = 'Required';
}

/** A call of this tool. */
export class ToolChoiceNamed {
    readonly type = 'Named';

    constructor(readonly name: string) {}
}

/** Whether a reply calls tools. */
export type ToolChoice = ToolChoiceAuto | ToolChoiceNone | ToolChoiceRequired | ToolChoiceNamed;
export const ToolChoice = {
    Auto: ToolChoiceAuto,
    None: ToolChoiceNone,
    Required: ToolChoiceRequired,
    Named: ToolChoiceNamed,
} as const;

/** @internal */
export function grammarJson(grammar: Grammar): unknown {
    checkedVariant<Grammar>(grammar, VARIANTS, 'grammar');
    switch (grammar.type) {
        case 'JsonSchema':
            return {
                type: 'json_schema',
                schema: checkedText(grammar.schema, 'grammar.schema'),
                property_order: toWire(PropertyOrder, grammar.propertyOrder, 'grammar.propertyOrder'),
            };
        case 'JsonAny':
            return 'json_any';
        case 'Regex':
            return { type: 'regex', pattern: checkedText(grammar.pattern, 'grammar.pattern') };
        case 'Ebnf':
            return { type: 'ebnf', text: checkedText(grammar.text, 'grammar.text') };
        case 'Choice':
            return { type: 'choice', values: grammar.values.map((value) => checkedText(value, 'grammar.values')) };
    }
}

/** @internal */
export function toolChoiceJson(choice: ToolChoice): unknown {
    checkedVariant<ToolChoice>(choice, ToolChoice, 'toolChoice');
    return choice.type === 'Named' ? { name: checkedText(choice.name, 'toolChoice') } : choice.type.toLowerCase();
}
