/// How the next token is chosen.
public enum SamplingMethod: Sendable, Equatable {
    /// The likeliest token.
    case greedy
    /// A draw; nil leaves a step out. The penalties look at the last `suffixRepetitionLength` tokens, and `logitBias`
    /// adds to the logits of tokens by their id.
    case stochastic(
        temperature: Double? = nil, topK: Int? = nil, topP: Double? = nil, minP: Double? = nil,
        repetitionPenalty: Double? = nil, suffixRepetitionLength: Int? = nil, presencePenalty: Double? = nil,
        frequencyPenalty: Double? = nil, logitBias: [Int: Double] = [:])

    var json: Json {
        switch self {
        case .greedy:
            return .object(["method": .string("greedy")])
        case .stochastic(
            let temperature, let topK, let topP, let minP, let repetitionPenalty, let suffixRepetitionLength,
            let presencePenalty, let frequencyPenalty, let logitBias):
            let biases = logitBias.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(Json.number($0.value).text)" }
            return .object([
                "method": .string("stochastic"),
                "temperature": .optional(temperature),
                "top_k": .optional(topK),
                "top_p": .optional(topP),
                "min_p": .optional(minP),
                "repetition_penalty": .optional(repetitionPenalty),
                "suffix_repetition_length": .optional(suffixRepetitionLength),
                "presence_penalty": .optional(presencePenalty),
                "frequency_penalty": .optional(frequencyPenalty),
                "logit_bias": .text("{\(biases.joined(separator: ","))}"),
            ])
        }
    }
}

/// The model makers' own sampling, or a method.
public enum SamplingPolicy: Sendable, Equatable {
    case `default`
    case custom(method: SamplingMethod)

    var json: Json {
        switch self {
        case .default: .string("default")
        case .custom(let method): method.json
        }
    }
}

/// What makes draws repeatable: a fresh seed for each reply, which its stats report, or the same for each.
public enum SamplingSeed: Sendable, Equatable {
    case `default`
    case custom(seed: UInt64)

    var json: Json {
        switch self {
        case .default: .string("default")
        case .custom(let seed): .unsigned(seed)
        }
    }
}
