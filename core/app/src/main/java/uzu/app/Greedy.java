package uzu.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.cpu.CpuOptions;

/**
 * {@code bench greedy MODEL --peer PROGRAM [--tokens 64] [--precision fast|exact]}: greedy continuations of 20
 * prompts by our engine and by a peer (tools/peer) on the same file. Both round activations, each its own way, so that
 * they disagree a little about every logit. That is measured at all positions, and has to be small; where the texts part,
 * the two tokens have to lie so near each other that a disagreement of that size explains it.
 */
final class Greedy {
    /** Of the two largest logits' difference, in the mean square over all positions. */
    private static final double MOST_TYPICAL = 0.25;

    /** One of 3 million normal draws is beyond 5 standard deviations; some thousand positions are looked at. */
    private static final double MOST_OF_ALL = 5;

    private static final List<String> PROMPTS = List.of(
            "The capital of France is",
            "Once upon a time, in a village by the sea,",
            "To make a good cup of tea, first",
            "def fibonacci(n):\n",
            "The three laws of motion are",
            "Dear Sir or Madam,\n",
            "SELECT name, age FROM",
            "In 1969, the first people",
            "Q: What is 17 + 25?\nA:",
            "The quick brown fox",
            "Water boils at",
            "Die Hauptstadt von Deutschland ist",
            "# Shopping list\n- apples\n-",
            "import java.util.List;\n\npublic class",
            "Photosynthesis is the process by which",
            "She opened the old wooden box and found",
            "The difference between a virus and a bacterium is",
            "1, 1, 2, 3, 5, 8,",
            "<html>\n<head>\n<title>",
            "My favourite season is autumn because");

    private final PrintStream out;

    Greedy(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String model = arguments.positional("MODEL");
        String peer = arguments.option("peer", "");
        int tokens = arguments.count("tokens", 64);
        Precision precision = Trace.precision(arguments.option("precision", "fast"));
        arguments.finish();
        if (peer.isEmpty()) {
            throw new UzuException.InvalidArgument(
                    "bench greedy needs --peer PROGRAM; tools/tools bench greedy brings one");
        }
        List<Parting> partings = new ArrayList<>();
        Disagreement noise = new Disagreement();
        try (Stepper ours = new Stepper(model, CpuOptions.defaults().withPrecision(precision))) {
            for (String prompt : PROMPTS) {
                partings.add(compare(ours, model, peer, prompt, tokens, noise));
            }
        }
        double most = MOST_OF_ALL * noise.typical();
        int equal = 0;
        int wrong = 0;
        for (Parting parting : partings) {
            boolean isWrong = parting.disagreement > most;
            equal += parting.at < 0 ? 1 : 0;
            wrong += isWrong ? 1 : 0;
            out.printf(
                    "%-52s %s%n",
                    parting.prompt.strip().replace('\n', ' '),
                    parting.at < 0
                            ? "equal"
                            : "parts at token %d, margins %.3f and %.3f%s"
                                    .formatted(parting.at, parting.ours, parting.theirs, isWrong ? " WRONG" : ""));
        }
        out.printf(
                "typical disagreement %.3f at %d positions (limit %.2f)%n",
                noise.typical(), noise.positions(), MOST_TYPICAL);
        out.printf(
                "%d equal, %d part within %.0f times that, %d wrong%n",
                equal, PROMPTS.size() - equal - wrong, MOST_OF_ALL, wrong);
        return wrong == 0 && noise.typical() <= MOST_TYPICAL ? 0 : 1;
    }

    /**
     * Where a text parts.
     *
     * @param at which token of the continuation is another; −1 for none
     * @param ours our logits' margin of our token over the peer's; theirs the other way round; their sum is the
     *     disagreement
     */
    private record Parting(String prompt, int at, double ours, double theirs, double disagreement) {}

    /** Our continuation, and the peer's logits along it. */
    private static Parting compare(
            Stepper ours, String model, String peer, String prompt, int tokens, Disagreement noise) {
        int vocabulary = ours.vocabulary();
        int[] head = Texts.ids(model, prompt);
        int[] ids = Arrays.copyOf(head, head.length + tokens);
        Distribution[] mine = new Distribution[tokens];
        ours.reset();
        ours.feed(ids, 0, head.length);
        for (int i = 0; i < tokens; i++) {
            mine[i] = new Distribution(vocabulary);
            ours.executable().logits(i == 0 ? head.length - 1 : 0, mine[i].logits());
            mine[i].update();
            ids[head.length + i] = mine[i].best();
            ours.feed(ids, head.length + i, 1);
        }
        Parting parting = new Parting(prompt, -1, 0, 0, 0);
        Distribution theirs = new Distribution(vocabulary);
        try (PeerLogits logits = PeerLogits.compute(peer, Models.path(model), ids, vocabulary, 2)) {
            for (int i = 0; i < tokens; i++) {
                logits.row(head.length - 1 + i, theirs.logits());
                theirs.update();
                float[] here = mine[i].logits();
                int best = mine[i].best();
                noise.add(Disagreement.about(best, mine[i].second(), here, theirs.logits()));
                int other = theirs.best();
                if (parting.at < 0 && other != best) {
                    parting = new Parting(
                            prompt,
                            i,
                            here[best] - here[other],
                            theirs.logits()[other] - theirs.logits()[best],
                            Disagreement.about(best, other, here, theirs.logits()));
                }
            }
        }
        return parting;
    }
}
