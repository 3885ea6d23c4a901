/** Language models on your own machine. */
export {
    ChatConfig,
    type ChatOptions,
    ContextLength,
    ContextLengthCustom,
    ContextLengthDefault,
    ContextLengthMaximal,
} from './chat-config.js';
export * from './content.js';
export {
    DownloadPhase,
    DownloadPhaseDownloaded,
    DownloadPhaseDownloading,
    DownloadPhaseError,
    DownloadPhaseLocked,
    DownloadPhaseNotDownloaded,
    DownloadPhasePaused,
    DownloadState,
    type DownloaderStreamUpdate,
} from './downloads.js';
export { Downloader, Engine } from './engine.js';
export { EngineConfig, type EngineOptions } from './engine-config.js';
export {
    Backend,
    ChatReplyFinishReason,
    ChatSessionState,
    ChatVerifier,
    KvCache,
    ModelAccessibility,
    ModelSpecialization,
    Precision,
    PropertyOrder,
    ReasoningEffort,
    ToolSupport,
} from './enums.js';
export {
    Cancelled,
    Closed,
    ContextOverflow,
    DiskFull,
    DownloadFailed,
    type ErrorDetails,
    GrammarDeadEnd,
    GrammarUnsupported,
    Internal,
    InvalidArgument,
    InvalidState,
    ModelCorrupt,
    ModelNotFound,
    ModelUnsupported,
    Offline,
    OutOfMemory,
    ProviderFailed,
    TemplateFailed,
    TensorMissing,
    ToolFailed,
    ToolTurnLimit,
    UzuError,
} from './errors.js';
export {
    EngineEvent,
    EngineEventDownload,
    EngineEventModelLoaded,
    EngineEventModelUnloaded,
    type EngineInfo,
} from './events.js';
export {
    Grammar,
    GrammarChoice,
    GrammarEbnf,
    GrammarJsonAny,
    GrammarJsonSchema,
    GrammarRegex,
    ToolChoice,
    ToolChoiceAuto,
    ToolChoiceNamed,
    ToolChoiceNone,
    ToolChoiceRequired,
} from './grammar.js';
export { ChatMessage } from './messages.js';
export {
    Model,
    type ModelCapabilities,
    type ModelFamily,
    type ModelProperties,
    type ModelQuantization,
    type ModelRegistry,
    type ModelVendor,
} from './models.js';
export type { ChatReply, ChatReplySpeculatorStats, ChatReplyStats, Completion, TokenLogprob } from './replies.js';
export { ChatReplyConfig, type ChatReplyOptions } from './reply-config.js';
export {
    SamplingMethod,
    SamplingMethodGreedy,
    SamplingMethodStochastic,
    SamplingPolicy,
    SamplingPolicyCustom,
    SamplingPolicyDefault,
    SamplingSeed,
    SamplingSeedCustom,
    SamplingSeedDefault,
    type StochasticOptions,
} from './sampling.js';
export type { InputOf, JsonSchema, OutputOf, TypeSchema } from './schemas.js';
export { ChatInstance, ChatSession } from './session.js';
export {
    ChatDrafter,
    ChatDrafterDraftModel,
    ChatDrafterLookup,
    ChatDrafterNetwork,
    ChatDrafterRecall,
    ChatDrafterTables,
    ChatSpeculationPreset,
    ChatSpeculationPresetAuto,
    ChatSpeculationPresetClassification,
    ChatSpeculationPresetCustom,
    ChatSpeculationPresetGeneralChat,
    ChatSpeculationPresetOff,
    ChatSpeculationPresetSummarization,
    Feature,
} from './speculation.js';
export {
    type CallOptions,
    CancelToken,
    ChatSessionStream,
    ChatSessionStreamChunk,
    ChatSessionStreamChunkError,
    ChatSessionStreamChunkReplies,
    ChatSessionStreamChunkToolResults,
    CompletionStream,
    DownloaderStream,
    EngineEvents,
    ResultStream,
} from './streams.js';
export {
    type AnyTool,
    type UzuToolContext,
    UzuToolFunction,
    type UzuToolFunctionOptions,
    uzuToolFunction,
} from './tools.js';
