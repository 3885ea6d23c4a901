package uzu.generate;

import uzu.backend.Logits;

/**
 * Changes logits by the tokens that came before on the sequence's own path: repetition penalty (Keskar et al., "CTRL",
 * 2019), then presence and frequency penalty, then logit bias.
 */
final class Penalties {
    /** counts[t] belongs to token t only while seen[t] is the current stamp, so that nothing needs clearing. */
    private final int[] seen;

    private final int[] counts;
    private int stamp;

    Penalties(int vocabulary) {
        seen = new int[vocabulary];
        counts = new int[vocabulary];
    }

    /**
     * @param path the tokens so far, prompt and reply
     * @param replyStart where the reply begins in {@code path}
     */
    void apply(Settings settings, Tokens path, int replyStart, Logits logits) {
        if (settings.repetitionPenalty() != 1) {
            int from = Math.max(0, path.size() - settings.suffixRepetitionLength());
            repetition(settings.repetitionPenalty(), path, from, logits);
        }
        if (settings.presencePenalty() != 0 || settings.frequencyPenalty() != 0) {
            presence(settings, path, replyStart, logits);
        }
        settings.logitBias()
                .forEach((token, bias) -> logits.set(token, Settings.narrow((double) logits.get(token) + bias)));
    }

    private void repetition(float penalty, Tokens path, int from, Logits logits) {
        nextStamp();
        for (int i = from; i < path.size(); i++) {
            int token = path.get(i);
            if (seen[token] != stamp) {
                seen[token] = stamp;
                float logit = logits.get(token);
                // A penalty below the least float is 0 here: a logit divided by it is the largest there is.
                logits.set(token, Settings.narrow(logit > 0 ? logit / penalty : logit * penalty));
            }
        }
    }

    private void presence(Settings settings, Tokens path, int replyStart, Logits logits) {
        nextStamp();
        for (int i = replyStart; i < path.size(); i++) {
            int token = path.get(i);
            counts[token] = seen[token] == stamp ? counts[token] + 1 : 1;
            seen[token] = stamp;
        }
        nextStamp();
        for (int i = replyStart; i < path.size(); i++) {
            int token = path.get(i);
            if (seen[token] != stamp) {
                seen[token] = stamp;
                float penalty = settings.presencePenalty() + counts[token] * settings.frequencyPenalty();
                logits.set(token, logits.get(token) - penalty);
            }
        }
    }

    private void nextStamp() {
        if (++stamp == Integer.MAX_VALUE) {
            java.util.Arrays.fill(seen, 0);
            stamp = 1;
        }
    }
}
