package uzu.tokenizer;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a text into the pieces that are merged on their own: by one pattern after the other, each inside the pieces of
 * the one before.
 */
record PreTokenizer(List<Stage> stages) {
    static final PreTokenizer NONE = new PreTokenizer(List.of());

    /** What becomes of a match and the gap beside it, as in tokenizer.json. */
    enum Behavior {
        REMOVED,
        ISOLATED,
        MERGED_WITH_PREVIOUS,
        MERGED_WITH_NEXT,
        CONTIGUOUS
    }

    /** @param inverted whether the gaps between matches count as the matches */
    record Stage(Pattern pattern, Behavior behavior, boolean inverted) {
        static Stage isolated(Pattern pattern) {
            return new Stage(pattern, Behavior.ISOLATED, false);
        }
    }

    interface Pieces {
        void piece(String text, int from, int to);
    }

    void split(String text, Pieces out) {
        if (text.isEmpty()) {
            return;
        }
        Next next = (from, to) -> out.piece(text, from, to);
        for (Stage stage : stages.reversed()) {
            next = new Cutter(stage, stage.pattern.matcher(text), next);
        }
        next.part(0, text.length());
    }

    private interface Next {
        void part(int from, int to);
    }

    private static final class Cutter implements Next {
        private final Stage stage;
        private final Matcher matcher;
        private final Next next;
        /** The part not yet handed on, empty when there is none. */
        private int heldFrom;

        private int heldTo;
        private boolean heldMatch;
        private boolean afterMatch;

        Cutter(Stage stage, Matcher matcher, Next next) {
            this.stage = stage;
            this.matcher = matcher;
            this.next = next;
        }

        @Override
        public void part(int from, int to) {
            // Bounds are opaque: look-ahead ends with the part, as if it were a text of its own.
            matcher.region(from, to);
            afterMatch = false;
            int at = from;
            while (matcher.find()) {
                int end = matcher.end();
                if (end == matcher.start()) {
                    continue;
                }
                if (matcher.start() > at) {
                    span(at, matcher.start(), stage.inverted);
                }
                span(matcher.start(), end, !stage.inverted);
                at = end;
            }
            if (at < to) {
                span(at, to, stage.inverted);
            }
            release();
        }

        private void span(int from, int to, boolean match) {
            switch (stage.behavior) {
                case ISOLATED -> next.part(from, to);
                case REMOVED -> {
                    if (!match) {
                        next.part(from, to);
                    }
                }
                case CONTIGUOUS -> hold(from, to, match, heldMatch == match);
                case MERGED_WITH_PREVIOUS -> hold(from, to, match, match && !afterMatch);
                case MERGED_WITH_NEXT -> hold(from, to, match, heldMatch && !match);
            }
            afterMatch = match;
        }

        private void hold(int from, int to, boolean match, boolean join) {
            if (heldFrom < heldTo && !join) {
                release();
            }
            if (heldFrom == heldTo) {
                heldFrom = from;
            }
            heldTo = to;
            // A match that has joined its neighbour takes in nothing more.
            heldMatch = match;
        }

        private void release() {
            if (heldFrom < heldTo) {
                int from = heldFrom;
                heldFrom = heldTo;
                next.part(from, heldTo);
            }
        }
    }
}
