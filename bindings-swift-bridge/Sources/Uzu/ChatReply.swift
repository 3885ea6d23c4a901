/// What speculation brought.
public struct ChatReplySpeculatorStats: Sendable, Hashable, Decodable {
    /// Tokens of the reply for each pass of decoding; 1 without drafts.
    public let tokensPerForwardPass: Double
    public let numDecodeForwardPasses: Int
    /// Tokens that drafters proposed and passes verified.
    public let numTokensDrafted: Int
    /// Of these, the ones that became part of the reply.
    public let numTokensAccepted: Int
    /// How many passes accepted 0, 1, 2, … drafted tokens.
    public let passesByAccepted: [Int]
    public let draftingSeconds: Double
    /// In passes of decoding, shared with other replies where these were in the same pass.
    public let verifyingSeconds: Double
    /// In drawing tokens from the results of passes.
    public let samplingSeconds: Double

    private enum CodingKeys: String, CodingKey {
        case tokensPerForwardPass = "tokens_per_forward_pass"
        case numDecodeForwardPasses = "num_decode_forward_passes"
        case numTokensDrafted = "num_tokens_drafted"
        case numTokensAccepted = "num_tokens_accepted"
        case passesByAccepted = "passes_by_accepted"
        case draftingSeconds = "drafting_seconds"
        case verifyingSeconds = "verifying_seconds"
        case samplingSeconds = "sampling_seconds"
    }
}

/// Figures of a reply. Times are seconds from the call, template and tokenizer included.
public struct ChatReplyStats: Sendable, Hashable {
    public let duration: Double
    public let timeToFirstToken: Double?
    public let prefillTokensPerSecond: Double?
    public let generateTokensPerSecond: Double?
    /// Tokens of the prompt, cached ones included.
    public let tokensCountInput: Int?
    public let tokensCountOutput: Int?
    /// Prompt tokens that needn't be computed again.
    public let tokensCountCached: Int?
    public let tokensCount: Int
    public let memoryUsedBytes: Int64?
    public let speculatorStats: ChatReplySpeculatorStats?
    /// The seed that repeats this reply.
    public let seed: UInt64?
}

extension ChatReplyStats: Decodable {
    private enum CodingKeys: String, CodingKey {
        case duration, seed
        case timeToFirstToken = "time_to_first_token"
        case prefillTokensPerSecond = "prefill_tokens_per_second"
        case generateTokensPerSecond = "generate_tokens_per_second"
        case tokensCountInput = "tokens_count_input"
        case tokensCountOutput = "tokens_count_output"
        case tokensCountCached = "tokens_count_cached"
        case tokensCount = "tokens_count"
        case memoryUsedBytes = "memory_used_bytes"
        case speculatorStats = "speculator_stats"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        duration = try fields.decode(Double.self, forKey: .duration)
        timeToFirstToken = try fields.decodeIfPresent(Double.self, forKey: .timeToFirstToken)
        prefillTokensPerSecond = try fields.decodeIfPresent(Double.self, forKey: .prefillTokensPerSecond)
        generateTokensPerSecond = try fields.decodeIfPresent(Double.self, forKey: .generateTokensPerSecond)
        tokensCountInput = try fields.decodeIfPresent(Int.self, forKey: .tokensCountInput)
        tokensCountOutput = try fields.decodeIfPresent(Int.self, forKey: .tokensCountOutput)
        tokensCountCached = try fields.decodeIfPresent(Int.self, forKey: .tokensCountCached)
        tokensCount = try fields.decode(Int.self, forKey: .tokensCount)
        memoryUsedBytes = try fields.decodeIfPresent(Int64.self, forKey: .memoryUsedBytes)
        speculatorStats = try fields.decodeIfPresent(ChatReplySpeculatorStats.self, forKey: .speculatorStats)
        // Java's longs are signed.
        if let signed = try? fields.decodeIfPresent(Int64.self, forKey: .seed) {
            seed = UInt64(bitPattern: signed)
        } else {
            seed = try fields.decodeIfPresent(UInt64.self, forKey: .seed)
        }
    }
}

/// How likely a token was in the model's own distribution.
public struct TokenLogprob: Sendable, Hashable, Decodable {
    public let token: Int
    public let text: String
    public let logprob: Double
    public let alternatives: [TokenLogprob]

    private enum CodingKeys: String, CodingKey {
        case token, text, logprob, alternatives
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        token = try fields.decode(Int.self, forKey: .token)
        text = try fields.decode(String.self, forKey: .text)
        logprob = try fields.decode(Double.self, forKey: .logprob)
        alternatives = try fields.decodeIfPresent([TokenLogprob].self, forKey: .alternatives) ?? []
    }
}

/// The model's answer.
public struct ChatReply: Sendable, Hashable {
    public let message: ChatMessage
    public let stats: ChatReplyStats
    /// nil while it is being made.
    public let finishReason: ChatReplyFinishReason?
    /// Keywords of a lenient grammar that the reply may violate; known at its end.
    public let unenforced: [String]
    public let logprobs: [TokenLogprob]
}

/// A text continued, without the text it continues.
public struct Completion: Sendable, Hashable {
    public let text: String
    public let stats: ChatReplyStats
    public let finishReason: ChatReplyFinishReason?
    public let logprobs: [TokenLogprob]
}
