package uzu;

/** What speculation brought: tokens of the reply by passes of decoding. */
public record ChatReplySpeculatorStats(double tokensPerForwardPass, int numDecodeForwardPasses) {}
