/// How one reply is made.
public struct ChatReplyConfig: Sendable, Equatable {
    /// Most tokens to generate; nil: up to the context length.
    public var tokenLimit: Int?
    public var samplingPolicy: SamplingPolicy
    /// What the reply's text must be; nil: free.
    public var grammar: Grammar?
    /// Whether keywords of the grammar that can't be enforced are reported in the reply instead of refused.
    public var lenient: Bool
    public var toolChoice: ToolChoice
    /// Whether one reply may call several tools.
    public var parallelToolCalls: Bool
    /// How many times in a row calls are answered before the next is a `toolTurnLimit` error.
    public var toolTurnLimit: Int
    /// Most tokens of thinking, which then ends; nil: no limit of its own.
    public var reasoningTokenLimit: Int?
    /// Texts that end the reply; it holds only what comes before.
    public var stop: [String]
    /// For this reply; nil: as the session says.
    public var seed: UInt64?
    /// How many of the likeliest tokens to report beside each token drawn.
    public var logprobs: Int?

    public init(
        tokenLimit: Int? = nil, samplingPolicy: SamplingPolicy = .default, grammar: Grammar? = nil,
        lenient: Bool = false, toolChoice: ToolChoice = .auto, parallelToolCalls: Bool = true,
        toolTurnLimit: Int = 10, reasoningTokenLimit: Int? = nil, stop: [String] = [], seed: UInt64? = nil,
        logprobs: Int? = nil
    ) {
        self.tokenLimit = tokenLimit
        self.samplingPolicy = samplingPolicy
        self.grammar = grammar
        self.lenient = lenient
        self.toolChoice = toolChoice
        self.parallelToolCalls = parallelToolCalls
        self.toolTurnLimit = toolTurnLimit
        self.reasoningTokenLimit = reasoningTokenLimit
        self.stop = stop
        self.seed = seed
        self.logprobs = logprobs
    }

    public static func create() -> ChatReplyConfig {
        ChatReplyConfig()
    }

    public func withTokenLimit(tokenLimit: Int?) -> ChatReplyConfig {
        copied(self) { $0.tokenLimit = tokenLimit }
    }

    public func withSamplingPolicy(samplingPolicy: SamplingPolicy) -> ChatReplyConfig {
        copied(self) { $0.samplingPolicy = samplingPolicy }
    }

    /// Short for a custom policy.
    public func withSamplingMethod(samplingMethod: SamplingMethod) -> ChatReplyConfig {
        withSamplingPolicy(samplingPolicy: .custom(method: samplingMethod))
    }

    public func withGrammar(grammar: Grammar?) -> ChatReplyConfig {
        copied(self) { $0.grammar = grammar }
    }

    public func withLenient(lenient: Bool) -> ChatReplyConfig {
        copied(self) { $0.lenient = lenient }
    }

    public func withToolChoice(toolChoice: ToolChoice) -> ChatReplyConfig {
        copied(self) { $0.toolChoice = toolChoice }
    }

    public func withParallelToolCalls(parallelToolCalls: Bool) -> ChatReplyConfig {
        copied(self) { $0.parallelToolCalls = parallelToolCalls }
    }

    public func withToolTurnLimit(toolTurnLimit: Int) -> ChatReplyConfig {
        copied(self) { $0.toolTurnLimit = toolTurnLimit }
    }

    public func withReasoningTokenLimit(reasoningTokenLimit: Int?) -> ChatReplyConfig {
        copied(self) { $0.reasoningTokenLimit = reasoningTokenLimit }
    }

    public func withStop(stop: [String]) -> ChatReplyConfig {
        copied(self) { $0.stop = stop }
    }

    public func withSeed(seed: UInt64?) -> ChatReplyConfig {
        copied(self) { $0.seed = seed }
    }

    public func withLogprobs(logprobs: Int?) -> ChatReplyConfig {
        copied(self) { $0.logprobs = logprobs }
    }

    var json: Json {
        .object([
            "token_limit": .optional(tokenLimit),
            "sampling": samplingPolicy.json,
            "grammar": .optional(grammar) { $0.json },
            "lenient": .bool(lenient),
            "tool_choice": toolChoice.json,
            "parallel_tool_calls": .bool(parallelToolCalls),
            "tool_turn_limit": .integer(Int64(toolTurnLimit)),
            "reasoning_token_limit": .optional(reasoningTokenLimit),
            "stop": .array(stop.map { .string($0) }),
            "seed": .optional(seed) { .unsigned($0) },
            "logprobs": .optional(logprobs),
        ])
    }
}
