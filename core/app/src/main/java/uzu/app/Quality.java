package uzu.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.cpu.CpuOptions;

/**
 * {@code bench quality MODEL… [--cache f16,q8,…] [--text FILE] [--tokens 2000] [--peer PROGRAM [--limit R]]}: what fast
 * arithmetic costs, with keys and values kept in each of these ways: the mean divergence of its distributions, and of a
 * peer's (tools/peer), from the exact ones of the same weights over a text, with perplexities and agreement of the
 * likeliest token. Exits with 1 when one of ours is more than R times the peer's.
 */
final class Quality {
    private static final int CHUNK = 16;

    private final PrintStream out;

    Quality(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        List<String> models = arguments.positionals("MODEL");
        List<KvCache> caches = caches(arguments.option("cache", "f16"));
        Path text = Path.of(arguments.option("text", "README.md"));
        int tokens = arguments.count("tokens", 2000);
        @Nullable String peer = arguments.option("peer");
        double limit = limit(arguments.option("limit"), peer);
        String markdown = arguments.option("markdown", "");
        arguments.finish();

        TextTable table = new TextTable(
                "", "perplexity exact", "fast", "divergence", "same likeliest", "peer's divergence", "ratio");
        int above = 0;
        for (String model : models) {
            out.println("comparing " + model);
            for (KvCache cache : caches) {
                Result result = compare(model, cache, ids(model, text, tokens), peer);
                above += result.ratio() <= limit || result.theirs == null ? 0 : 1;
                result.addTo(table);
            }
        }
        out.printf("%n%d tokens of %s%n", tokens, text.getFileName());
        out.print(table.text());
        if (above > 0) {
            out.printf("above the limit of %s%n", limit);
        }
        if (!markdown.isEmpty()) {
            OutputFile.write(markdown, table.markdown());
        }
        return above == 0 ? 0 : 1;
    }

    private static int[] ids(String model, Path text, int tokens) {
        int[] ids = Texts.ids(model, read(text));
        if (ids.length < tokens) {
            throw new UzuException.InvalidArgument(
                    text + " has " + ids.length + " tokens, fewer than --tokens " + tokens,
                    Map.of("path", text.toString()));
        }
        return Arrays.copyOf(ids, tokens);
    }

    private static Result compare(String model, KvCache cache, int[] ids, @Nullable String peer) {
        Path file = Models.path(model);
        CpuOptions fastOptions = CpuOptions.defaults().withCache(cache);
        CpuOptions exactOptions = fastOptions.withPrecision(Precision.EXACT).withCache(KvCache.F32);
        try (Stepper exact = new Stepper(model, exactOptions);
                Stepper fast = new Stepper(model, fastOptions);
                @Nullable PeerLogits logits =
                                peer == null ? null : PeerLogits.compute(peer, file, ids, exact.vocabulary(), 2)) {
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
            String name = file.getFileName() + ", " + cache;
            return new Result(name, ours, logits == null ? null : theirs);
        }
    }

    /** @param theirs a peer's, or null */
    private record Result(
            String model, Comparison ours, @Nullable Comparison theirs) {
        double ratio() {
            return theirs == null ? Double.NaN : ours.divergence() / theirs.divergence();
        }

        void addTo(TextTable table) {
            table.add(
                    model,
                    format("%.4f", ours.referencePerplexity()),
                    format("%.4f", ours.perplexity()),
                    format("%.6f", ours.divergence()),
                    format("%.2f %%", ours.agreement()),
                    theirs == null ? "" : format("%.6f", theirs.divergence()),
                    theirs == null ? "" : format("%.3f", ratio()));
        }

        private static String format(String pattern, double value) {
            return String.format(Locale.ROOT, pattern, value);
        }
    }

    private static List<KvCache> caches(String names) {
        List<KvCache> caches = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            try {
                caches.add(KvCache.valueOf(name.strip().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new UzuException.InvalidArgument(
                        "--cache takes f16, f32, bf16, q8 and q4, not " + name, Map.of("cache", name), e);
            }
        }
        return caches;
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

        double perplexity() {
            return Math.exp(surprise / positions);
        }

        /** Percent of the positions whose likeliest token is the reference's. */
        double agreement() {
            return 100.0 * agreed / positions;
        }
    }
}
