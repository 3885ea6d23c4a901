package uzu.app;

/** Something of a model that is timed. */
sealed interface Measure {
    /** Tokens that one run computes. */
    int tokens();

    /** Tokens that lie before them. */
    int context();

    /** A prompt from its first token on, with the logits of the last. */
    record Prefill(int tokens) implements Measure {
        @Override
        public int context() {
            return 0;
        }

        @Override
        public String toString() {
            return "prefill of " + tokens;
        }
    }

    /** Tokens one by one, each with its logits. */
    record Decode(int context) implements Measure {
        @Override
        public int tokens() {
            return 16;
        }

        @Override
        public String toString() {
            return "decode at " + context;
        }
    }

    /** One pass that is not kept, with the logits of all its rows. */
    record Rows(int tokens, int context) implements Measure {
        @Override
        public String toString() {
            return "pass of " + tokens + (tokens == 1 ? " row at " : " rows at ") + context;
        }
    }
}
