package uzu.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uzu.backend.Logits;
import uzu.chat.parse.Reasoning;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/**
 * Thinking is free; what comes behind the tag that ends it is not. Thinking that takes too many tokens is ended by
 * force. A token that ends the thinking and says more than white space may not come: its rest would escape what the
 * answer must be.
 */
final class Thinking {
    private final Tokenizer tokenizer;
    private final byte[] open;
    private final byte[] close;
    private final int[] forced;
    private final int[] ends;
    private final boolean answerIsFree;
    private final IntFunction<Constraint> answer;
    private int @Nullable [] straddling;

    /**
     * @param ends tokens that end a reply
     * @param answer what may come after the thinking, for so many tokens left
     * @param answerIsFree whether that is anything
     */
    Thinking(
            Tokenizer tokenizer,
            Reasoning reasoning,
            int[] ends,
            IntFunction<Constraint> answer,
            boolean answerIsFree) {
        this.tokenizer = tokenizer;
        this.open = reasoning.open().getBytes(StandardCharsets.UTF_8);
        this.close = reasoning.close().getBytes(StandardCharsets.UTF_8);
        this.forced = tokenizer.encode(reasoning.forced(), true);
        this.ends = ends.clone();
        this.answer = answer;
        this.answerIsFree = answerIsFree;
    }

    /** Tokens that ending it by force takes. */
    int forcedTokens() {
        return forced.length;
    }

    /**
     * The reply starts in the middle of thinking.
     *
     * @param budget most tokens of thinking
     * @param left most tokens of the reply
     */
    Constraint inside(int budget, int left) {
        return budget <= 0 ? new Ending(0, left) : new Inside(0, budget, left);
    }

    /**
     * The reply may start with thinking, or not.
     *
     * @param plain what it may be when it doesn't
     */
    Constraint maybe(Constraint plain, int budget, int left) {
        return new Maybe(0, plain, budget, left);
    }

    private boolean isToken(int token) {
        return token >= 0 && token < tokenizer.size();
    }

    private boolean isEnd(int token) {
        return Arrays.stream(ends).anyMatch(end -> end == token);
    }

    /** How much of {@code tag} the text ends with, after {@code token} too; the tag's length: it is whole. */
    private static int match(byte[] tag, int matched, byte[] bytes, int from) {
        int now = matched;
        for (int i = from; i < bytes.length && now < tag.length; i++) {
            while (now > 0 && tag[now] != bytes[i]) {
                now = border(tag, now);
            }
            now += tag[now] == bytes[i] ? 1 : 0;
        }
        return now;
    }

    /** The longest proper beginning of the first {@code length} bytes that they also end with. */
    private static int border(byte[] tag, int length) {
        for (int border = length - 1; border > 0; border--) {
            if (Arrays.equals(tag, 0, border, tag, length - border, length)) {
                return border;
            }
        }
        return 0;
    }

    /** Whether the token ends the thinking within itself, with more than white space behind. */
    private boolean straddles(int token, int matched) {
        byte[] bytes = tokenizer.bytes(token);
        int now = matched;
        for (int i = 0; i < bytes.length; i++) {
            now = match(close, now, bytes, i, i + 1);
            if (now == close.length) {
                for (int rest = i + 1; rest < bytes.length; rest++) {
                    if (!isSpace(bytes[rest])) {
                        return true;
                    }
                }
                return false;
            }
        }
        return false;
    }

    private static int match(byte[] tag, int matched, byte[] bytes, int from, int to) {
        return match(tag, matched, Arrays.copyOfRange(bytes, from, to), 0);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Tokens that could straddle: the tag's last byte with something behind it. */
    private int[] straddling() {
        int[] known = straddling;
        if (known == null) {
            known = IntStream.range(0, tokenizer.size())
                    .filter(token -> hasMoreBehindTag(tokenizer.bytes(token)))
                    .toArray();
            straddling = known;
        }
        return known;
    }

    private boolean hasMoreBehindTag(byte[] bytes) {
        for (int i = 0; i < bytes.length - 1; i++) {
            if (bytes[i] == close[close.length - 1] && !isSpace(bytes[i + 1])) {
                return true;
            }
        }
        return false;
    }

    private final class Inside implements Constraint {
        private final int matched;
        private final int budget;
        private final int left;

        Inside(int matched, int budget, int left) {
            this.matched = matched;
            this.budget = budget;
            this.left = left;
        }

        @Override
        public boolean accepts(int token) {
            return isToken(token) && (answerIsFree || (!isEnd(token) && !straddles(token, matched)));
        }

        @Override
        public Constraint after(int token) {
            int now = match(close, matched, tokenizer.bytes(token), 0);
            if (now == close.length) {
                return answer.apply(left - 1);
            }
            return budget == 1 ? new Ending(0, left - 1) : new Inside(now, budget - 1, left - 1);
        }

        @Override
        public void mask(Logits logits, int count) {
            if (answerIsFree) {
                return;
            }
            for (int end : ends) {
                if (end < count) {
                    logits.set(end, Float.NEGATIVE_INFINITY);
                }
            }
            for (int token : straddling()) {
                if (token < count && straddles(token, matched)) {
                    logits.set(token, Float.NEGATIVE_INFINITY);
                }
            }
        }
    }

    /** The thinking is being ended. */
    private final class Ending implements Constraint {
        private final int at;
        private final int left;

        Ending(int at, int left) {
            this.at = at;
            this.left = left;
        }

        @Override
        public boolean accepts(int token) {
            return token == forced[at];
        }

        @Override
        public Constraint after(int token) {
            return at + 1 == forced.length ? answer.apply(left - 1) : new Ending(at + 1, left - 1);
        }

        @Override
        public int forced() {
            return forced[at];
        }
    }

    /** Nothing was said yet, or the beginning of the tag that opens the thinking. */
    private final class Maybe implements Constraint {
        private final int matched;
        private final @Nullable Constraint plain;
        private final int budget;
        private final int left;

        Maybe(int matched, @Nullable Constraint plain, int budget, int left) {
            this.matched = matched;
            this.plain = plain;
            this.budget = budget;
            this.left = left;
        }

        private boolean opens(int token) {
            if (!isToken(token)) {
                return false;
            }
            byte[] bytes = tokenizer.bytes(token);
            int from = 0;
            while (matched == 0 && from < bytes.length && isSpace(bytes[from])) {
                from++;
            }
            int length = Math.min(bytes.length - from, open.length - matched);
            boolean spaceBehind = true;
            for (int i = from + length; i < bytes.length; i++) {
                spaceBehind &= isSpace(bytes[i]);
            }
            return length > 0
                    && spaceBehind
                    && Arrays.equals(bytes, from, from + length, open, matched, matched + length);
        }

        @Override
        public boolean accepts(int token) {
            return opens(token) || (plain != null && plain.accepts(token));
        }

        @Override
        public Constraint after(int token) {
            Constraint said = plain == null || !plain.accepts(token) || isEnd(token) ? null : plain.after(token);
            if (!opens(token)) {
                if (said == null) {
                    throw new IllegalArgumentException("token " + token + " may not come here");
                }
                return said;
            }
            byte[] bytes = tokenizer.bytes(token);
            int now = matched;
            for (byte b : bytes) {
                now += now < open.length && open[now] == b ? 1 : 0;
            }
            return now == open.length ? inside(budget, left - 1) : new Maybe(now, said, budget, left - 1);
        }

        @Override
        public void mask(Logits logits, int count) {
            if (plain != null && plain.isFree()) {
                return;
            }
            int[] opening = IntStream.range(0, count).filter(this::opens).toArray();
            float[] kept = new float[opening.length];
            for (int i = 0; i < opening.length; i++) {
                kept[i] = logits.get(opening[i]);
            }
            if (plain != null) {
                plain.mask(logits, count);
            } else {
                for (int token = 0; token < count; token++) {
                    logits.set(token, Float.NEGATIVE_INFINITY);
                }
            }
            for (int i = 0; i < opening.length; i++) {
                logits.set(opening[i], kept[i]);
            }
        }
    }
}
