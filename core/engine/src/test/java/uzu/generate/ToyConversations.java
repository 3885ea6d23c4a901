package uzu.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatReplyFinishReason;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Stochastic;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.speculate.Constraint;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;
import uzu.speculate.Speculation;

/** Replies on a toy model, for the tests of the instance. */
abstract class ToyConversations {
    static final String PROMPT = "It was a dark and stormy night; the rain fell in torrents";
    final ToyTokenizer tokenizer = new ToyTokenizer();
    /** How replies ended, in their order: with their text, or "failed". */
    final List<String> ends = new ArrayList<>();

    Instance instance(ToyExecutable executable) {
        return new Instance(executable, tokenizer, ToyExecutable.VOCABULARY, new int[] {ToyTokenizer.END});
    }

    /** Rows cost nothing there, so that drafts are as large as they may be. */
    Instance drafting(ToyExecutable executable) {
        return drafting(executable, ToyExecutable.VOCABULARY);
    }

    Instance drafting(Executable executable, int vocabulary) {
        return new Instance(
                executable,
                tokenizer,
                vocabulary,
                new int[] {ToyTokenizer.END},
                new PassCostStore() {
                    @Override
                    public PassCosts load() {
                        return new PassCosts(new int[] {1, 64}, new double[] {1, 1});
                    }

                    @Override
                    public void save(PassCosts costs) {}
                },
                () -> 0);
    }

    String sampled(int maxRows, long seed) {
        try (Instance instance = instance(new ToyExecutable(maxRows, ToyExecutable.hashed()))) {
            return text(
                    instance, instance.newContext(), request(PROMPT).seed(seed).limit(80));
        }
    }

    String text(Instance instance, Context context, RequestBuilder request) {
        return text(start(instance, context, request));
    }

    static String text(Output output) {
        return rest(output).text();
    }

    static Output.Piece rest(Output output) {
        Output.@Nullable Piece piece = output.rest();
        if (piece == null) {
            throw new AssertionError("read to the end before");
        }
        return piece;
    }

    Output start(Instance instance, Context context, RequestBuilder request) {
        return instance.generate(context, request.build(), new EndListener() {
            @Override
            public void finished(String text, ChatReplyFinishReason reason) {
                ends.add(text);
            }

            @Override
            public void failed(UzuException error) {
                ends.add("failed");
            }
        });
    }

    static void await(CancelToken cancel) {
        while (!cancel.isCancelled()) {
            Thread.onSpinWait();
        }
    }

    RequestBuilder request(String prompt) {
        return new RequestBuilder(tokenizer.encode(prompt, false));
    }

    static final class RequestBuilder {
        private final int[] prompt;
        private SamplingMethod method = Stochastic.create().withTemperature(0.8);
        private long seed;
        private int limit = Integer.MAX_VALUE;
        private int context = 4096;
        private List<String> stop = List.of();
        private @Nullable Integer logprobs;
        private Speculation speculation = Speculation.off();
        private Constraint constraint = Constraint.NONE;
        private CancelToken cancel = CancelToken.create();

        RequestBuilder(int[] prompt) {
            this.prompt = prompt;
        }

        RequestBuilder method(SamplingMethod value) {
            method = value;
            return this;
        }

        RequestBuilder seed(long value) {
            seed = value;
            return this;
        }

        RequestBuilder limit(int value) {
            limit = value;
            return this;
        }

        RequestBuilder context(int value) {
            context = value;
            return this;
        }

        RequestBuilder stop(String... values) {
            stop = List.of(values);
            return this;
        }

        RequestBuilder speculation(Speculation value) {
            speculation = value;
            return this;
        }

        RequestBuilder constraint(Constraint value) {
            constraint = value;
            return this;
        }

        RequestBuilder logprobs(int value) {
            logprobs = value;
            return this;
        }

        RequestBuilder cancel(CancelToken value) {
            cancel = value;
            return this;
        }

        Request build() {
            return new Request(
                    prompt,
                    method,
                    seed,
                    limit,
                    context,
                    stop,
                    Set.of(),
                    logprobs,
                    speculation,
                    constraint,
                    cancel,
                    System.nanoTime());
        }
    }
}
