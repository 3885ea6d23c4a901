package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatReplySpeculatorStats;
import uzu.TokenLogprob;
import uzu.speculate.Speculation;

/** Drafts below a prompt's last row: the pass that brings the first token brings those after it too. */
@Timeout(60)
class PromptDraftsTest extends ToyConversations {
    private static final int LENGTH = 60;

    @ParameterizedTest
    @ValueSource(ints = {20, 64, 200})
    void thePassThatEndsThePromptMayAcceptTokens(int maxRows) {
        List<List<Integer>> texts = new ArrayList<>();
        Speculation knowing = new Speculation(List.of(Guesser.knowing(() -> texts, 0, 1)), 4);
        try (Instance instance = drafting(new ToyExecutable(maxRows, ToyExecutable.hashed()))) {
            texts.add(tokens(reply(instance, Speculation.off())));
            Output.Piece with = reply(instance, knowing);
            assertEquals(texts.getFirst(), tokens(with));
            ChatReplySpeculatorStats stats = Objects.requireNonNull(with.stats().speculatorStats());
            int decoded = stats.numDecodeForwardPasses() + stats.numTokensAccepted();
            assertTrue(decoded < LENGTH - 1, decoded + " of " + (LENGTH - 1) + " tokens after the prompt's pass");
        }
    }

    private Output.Piece reply(Instance instance, Speculation speculation) {
        return rest(start(
                instance,
                instance.newContext(),
                request(PROMPT).seed(5).limit(LENGTH).logprobs(0).speculation(speculation)));
    }

    private List<Integer> tokens(Output.Piece reply) {
        List<Integer> tokens = new ArrayList<>();
        for (int token : tokenizer.encode(PROMPT, false)) {
            tokens.add(token);
        }
        reply.logprobs().stream().map(TokenLogprob::token).forEach(tokens::add);
        return tokens;
    }
}
