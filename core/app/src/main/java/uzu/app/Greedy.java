package uzu.app;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.cpu.CpuOptions;

/**
 * {@code bench greedy MODEL --peer PROGRAM [--tokens 64] [--precision fast|exact]}: greedy continuations of 20
 * prompts by our engine and by a peer (tools/peer) on the same file. They may part only at a near-tie: the two largest logits within 0.3 in both.
 */
final class Greedy {
    private static final double NEAR_TIE = 0.3;

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
        int wrong = 0;
        int equal = 0;
        try (Stepper ours = new Stepper(model, CpuOptions.defaults().withPrecision(precision))) {
            Distribution mine = new Distribution(ours.vocabulary());
            Distribution theirs = new Distribution(ours.vocabulary());
            for (String prompt : PROMPTS) {
                int[] head = Texts.ids(model, prompt);
                int[] ids = Arrays.copyOf(head, head.length + tokens);
                double[] margins = new double[tokens];
                ours.reset();
                ours.feed(ids, 0, head.length);
                int row = head.length - 1;
                for (int i = 0; i < tokens; i++) {
                    ours.executable().logits(row, mine.logits());
                    mine.update();
                    ids[head.length + i] = mine.best();
                    margins[i] = mine.margin();
                    ours.feed(ids, head.length + i, 1);
                    row = 0;
                }
                try (PeerLogits logits = PeerLogits.compute(peer, Models.path(model), ids, ours.vocabulary(), 2)) {
                    int parted = 0;
                    for (; parted < tokens; parted++) {
                        logits.row(head.length - 1 + parted, theirs.logits());
                        theirs.update();
                        if (theirs.best() != ids[head.length + parted]) {
                            break;
                        }
                    }
                    boolean tie = parted < tokens && margins[parted] <= NEAR_TIE && theirs.margin() <= NEAR_TIE;
                    wrong += parted == tokens || tie ? 0 : 1;
                    equal += parted == tokens ? 1 : 0;
                    out.printf(
                            "%-52s %s%n",
                            prompt.strip().replace('\n', ' '),
                            parted == tokens
                                    ? "equal"
                                    : "parts at token %d, margins %.3f and %.3f%s"
                                            .formatted(parted, margins[parted], theirs.margin(), tie ? "" : " WRONG"));
                }
            }
        }
        out.printf("%d equal, %d part at a near-tie, %d wrong%n", equal, PROMPTS.size() - equal - wrong, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
