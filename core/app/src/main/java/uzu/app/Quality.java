package uzu.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.cpu.CpuOptions;

/**
 * {@code bench quality MODEL --text FILE [--tokens 2000] [--peer PROGRAM [--limit R]]}: what fast arithmetic costs: the
 * mean divergence of its distributions, and of a peer's (tools/peer), from the exact ones of the same weights over a
 * text, with perplexities and agreement of the likeliest token. Exits with 1 when ours is more than R times the peer's.
 */
final class Quality {
    private static final int CHUNK = 16;

    private final PrintStream out;

    Quality(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String model = arguments.positional("MODEL");
        Path text = Path.of(arguments.option("text", "README.md"));
        int tokens = arguments.count("tokens", 2000);
        @Nullable String peer = arguments.option("peer");
        double limit = limit(arguments.option("limit"), peer);
        arguments.finish();

        int[] ids = Texts.ids(model, read(text));
        if (ids.length < tokens) {
            throw new UzuException.InvalidArgument(
                    text + " has " + ids.length + " tokens, fewer than --tokens " + tokens,
                    Map.of("path", text.toString()));
        }
        ids = Arrays.copyOf(ids, tokens);
        CpuOptions fastOptions = CpuOptions.defaults();
        CpuOptions exactOptions = fastOptions.withPrecision(Precision.EXACT).withCache(KvCache.F32);
        try (Stepper exact = new Stepper(model, exactOptions);
                Stepper fast = new Stepper(model, fastOptions);
                @Nullable PeerLogits logits = peer == null
                                ? null
                                : PeerLogits.compute(peer, Models.path(model), ids, exact.vocabulary(), 2)) {
            Comparison ours = new Comparison(exact.vocabulary());
            Comparison theirs = new Comparison(exact.vocabulary());
            Distribution reference = new Distribution(exact.vocabulary());
            for (int from = 0; from < ids.length; from += CHUNK) {
                int count = Math.min(CHUNK, ids.length - from);
                exact.feed(ids, from, count);
                fast.feed(ids, from, count);
                for (int row = 0; row < count && from + row + 1 < ids.length; row++) {
                    exact.executable().logits(row, reference.logits());
                    reference.update();
                    fast.executable().logits(row, ours.distribution.logits());
                    ours.add(reference, ids[from + row + 1]);
                    if (logits != null) {
                        logits.row(from + row, theirs.distribution.logits());
                        theirs.add(reference, ids[from + row + 1]);
                    }
                }
            }
            out.printf("%d tokens, exact perplexity %.4f%n", ids.length, ours.referencePerplexity());
            out.println("fast  " + ours);
            if (logits != null) {
                out.println("peer  " + theirs);
                double ratio = ours.divergence() / theirs.divergence();
                out.printf("divergence fast / peer %.3f%n", ratio);
                if (!(ratio <= limit)) {
                    out.printf("above the limit of %s%n", limit);
                    return 1;
                }
            }
            return 0;
        }
    }

    private static double limit(@Nullable String value, @Nullable String peer) {
        if (value == null) {
            return Double.POSITIVE_INFINITY;
        }
        if (peer == null) {
            throw new UzuException.InvalidArgument("--limit compares with a peer: name one with --peer");
        }
        if (!value.matches("\\d{1,4}(\\.\\d{1,6})?")) {
            throw new UzuException.InvalidArgument("--limit needs a number such as 1.05, not " + value);
        }
        return Double.parseDouble(value);
    }

    private static String read(Path text) {
        try {
            return Files.readString(text);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    text + " can't be read: " + e.getMessage(), Map.of("path", text.toString()), e);
        }
    }

    /** Sums over the positions of a text. */
    private static final class Comparison {
        private final Distribution distribution;
        private int positions;
        private int agreed;
        private double divergence;
        private double surprise;
        private double referenceSurprise;

        Comparison(int vocabulary) {
            distribution = new Distribution(vocabulary);
        }

        void add(Distribution reference, int next) {
            distribution.update();
            positions++;
            agreed += distribution.best() == reference.best() ? 1 : 0;
            divergence += reference.divergenceFrom(distribution);
            surprise -= distribution.logProbability(next);
            referenceSurprise -= reference.logProbability(next);
        }

        double divergence() {
            return divergence / positions;
        }

        double referencePerplexity() {
            return Math.exp(referenceSurprise / positions);
        }

        @Override
        public String toString() {
            return "divergence %.6f, perplexity %.4f, same likeliest token %.2f %%"
                    .formatted(divergence(), Math.exp(surprise / positions), 100.0 * agreed / positions);
        }
    }
}
