import { checked, checkedList, checkedNumber, checkedText, checkedVariant } from './checks.js';
import { ChatVerifier, toWire } from './enums.js';

/** Something that a text is asked for, sentiment say, and the answers that are expected. */
export class Feature {
    readonly values: readonly string[];

    constructor(
        readonly name: string,
        values: Iterable<string>,
    ) {
        this.values = Object.freeze(checkedList(values, 'values'));
    }
}

/** What followed when the last tokens stood earlier in the conversation. */
export class ChatDrafterLookup {
    readonly type = 'Lookup';
}

/**
 * What followed the last tokens in the model's replies of other conversations, since it was loaded. Nothing is written
 * down; but how fast a reply comes may tell that another conversation had the same words.
 */
export class ChatDrafterRecall {
    readonly type = 'Recall';
}

/** Tables of what the model says after its last tokens, trained on its own answers. */
export class ChatDrafterTables {
    readonly type = 'Tables';
}

/** The trained network that came with the model or was made for it. */
export class ChatDrafterNetwork {
    readonly type = 'Network';
}

/** A smaller model with the same vocabulary. */
export class ChatDrafterDraftModel {
    readonly type = 'DraftModel';

    constructor(readonly identifier: string) {}
}

/** Something that guesses the model's next tokens. */
export type ChatDrafter =
    | ChatDrafterLookup
    | ChatDrafterRecall
    | ChatDrafterTables
    | ChatDrafterNetwork
    | ChatDrafterDraftModel;
export const ChatDrafter = {
    Lookup: ChatDrafterLookup,
    Recall: ChatDrafterRecall,
    Tables: ChatDrafterTables,
    Network: ChatDrafterNetwork,
    DraftModel: ChatDrafterDraftModel,
} as const;

/** Everything that there are drafters for, as far as it pays. The default. */
export class ChatSpeculationPresetAuto {
    readonly type = 'Auto';
}

/** Token by token. */
export class ChatSpeculationPresetOff {
    readonly type = 'Off';
}

/** For conversations. */
export class ChatSpeculationPresetGeneralChat {
    readonly type = 'GeneralChat';
}

/** For answers that repeat much of what was said: summaries, edits, extracts. */
export class ChatSpeculationPresetSummarization {
    readonly type = 'Summarization';
}

/** For answers that are one of the feature's values; others come as well. */
export class ChatSpeculationPresetClassification {
    readonly type = 'Classification';

    constructor(readonly feature: Feature) {}
}

/**
 * Chosen drafters only; a model that lacks one of them refuses the session. `maxNodes`: most tokens that one pass
 * verifies, the last certain one included; 2 to 64.
 */
export class ChatSpeculationPresetCustom {
    readonly type = 'Custom';
    readonly drafters: readonly ChatDrafter[];

    constructor(
        drafters: Iterable<ChatDrafter>,
        readonly maxNodes: number = 32,
        readonly verifier: ChatVerifier = ChatVerifier.SharedNoise,
    ) {
        this.drafters = Object.freeze(checkedList(drafters, 'drafters'));
    }
}

/** How replies are sped up by verifying guesses. What the model answers stays the same. */
export type ChatSpeculationPreset =
    | ChatSpeculationPresetAuto
    | ChatSpeculationPresetOff
    | ChatSpeculationPresetGeneralChat
    | ChatSpeculationPresetSummarization
    | ChatSpeculationPresetClassification
    | ChatSpeculationPresetCustom;
export const ChatSpeculationPreset = {
    Auto: ChatSpeculationPresetAuto,
    Off: ChatSpeculationPresetOff,
    GeneralChat: ChatSpeculationPresetGeneralChat,
    Summarization: ChatSpeculationPresetSummarization,
    Classification: ChatSpeculationPresetClassification,
    Custom: ChatSpeculationPresetCustom,
} as const;

/** @internal */
export function presetJson(preset: ChatSpeculationPreset | null): unknown {
    const chosen = preset ?? new ChatSpeculationPresetAuto();
    checkedVariant<ChatSpeculationPreset>(chosen, ChatSpeculationPreset, 'speculationPreset');
    switch (chosen.type) {
        case 'Auto':
            return 'auto';
        case 'Off':
            return 'off';
        case 'GeneralChat':
            return 'general_chat';
        case 'Summarization':
            return 'summarization';
        case 'Classification':
            return { type: 'classification', feature: featureJson(chosen.feature) };
        case 'Custom':
            return {
                type: 'custom',
                drafters: chosen.drafters.map(drafterJson),
                max_nodes: checkedNumber(chosen.maxNodes, 'maxNodes'),
                verifier: toWire(ChatVerifier, chosen.verifier, 'verifier'),
            };
    }
}

function featureJson(feature: Feature): unknown {
    const { name, values } = checked(feature, Feature, 'feature');
    return {
        name: checkedText(name, 'feature.name'),
        values: values.map((value) => checkedText(value, 'feature.values')),
    };
}

function drafterJson(drafter: ChatDrafter): unknown {
    const known = checkedVariant<ChatDrafter>(drafter, ChatDrafter, 'drafters');
    switch (known.type) {
        case 'Lookup':
            return 'lookup';
        case 'Recall':
            return 'recall';
        case 'Tables':
            return 'tables';
        case 'Network':
            return 'network';
        case 'DraftModel':
            return { type: 'draft_model', identifier: checkedText(known.identifier, 'identifier') };
    }
}
