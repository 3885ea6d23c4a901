package uzu.app.speculation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import uzu.app.TextTable;

/**
 * The tables of {@code bench speculation}. A speed is all tokens by all seconds of decoding, a ratio that of two such
 * speeds over the same turns, with where eight of ten turns' own ratios lie.
 */
record SpeculationReport(ModelFigures model) {
    private static final List<String> ORDER = List.of(
            Variant.PLAIN,
            "lookup",
            Variant.RECALL,
            "tables",
            "network",
            Variant.TEXTS,
            Variant.DRAFT,
            "all",
            Variant.AUTO,
            Contest.PEER,
            Contest.PEER_DRAFT);

    static final int[] DEPTHS = {1, 2, 3, 4, 5, 6, 8, 12, 16};

    /** What turns have in common. */
    record Group(String task, String sampling) {
        @Override
        public String toString() {
            return task + ", " + sampling;
        }
    }

    List<Group> groups() {
        Set<Group> groups = new LinkedHashSet<>();
        model.measured().forEach(one -> groups.add(new Group(one.task(), one.sampling())));
        return List.copyOf(groups);
    }

    /** The variants that answered some turn of the group, in the order of the report. */
    List<String> names(Group group) {
        return ORDER.stream()
                .filter(name -> turns(group).stream().anyMatch(one -> has(one, name)))
                .toList();
    }

    Totals totals(Group group, String name) {
        return Totals.of(replies(turns(group, name), name));
    }

    TextTable speeds() {
        boolean peer = groups().stream().anyMatch(group -> names(group).contains(Contest.PEER));
        List<String> heads = new ArrayList<>(List.of("", "", "tokens/s", "÷ plain", "8 of 10"));
        if (peer) {
            heads.addAll(List.of("÷ llama.cpp", "8 of 10"));
        }
        heads.addAll(List.of("a pass", "accepted", "drafting", "verifying", "sampling", "equal"));
        TextTable table = new TextTable(heads.toArray(String[]::new));
        for (Group group : groups()) {
            String title = group.toString();
            for (String name : names(group)) {
                List<String> cells = new ArrayList<>(List.of(title, name));
                Totals totals = totals(group, name);
                cells.add(number(totals.rate(), 1));
                addRatio(cells, group, name, Variant.PLAIN);
                if (peer) {
                    addRatio(cells, group, name, Contest.PEER);
                }
                addSpeculation(cells, totals, name);
                table.add(cells.toArray(String[]::new));
                title = "";
            }
        }
        return table;
    }

    private void addRatio(List<String> cells, Group group, String name, String base) {
        List<Measured> both =
                turns(group, name).stream().filter(one -> has(one, base)).toList();
        if (name.equals(base) || both.isEmpty()) {
            cells.addAll(List.of("", ""));
            return;
        }
        List<ReplyFigures> ours = replies(both, name);
        List<ReplyFigures> bases = replies(both, base);
        double[] ratios = new double[both.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours.get(i).rate() / bases.get(i).rate();
        }
        Arrays.sort(ratios);
        cells.add(number(Totals.of(ours).rate() / Totals.of(bases).rate(), 2));
        cells.add(number(ratios[ratios.length / 10], 2) + "–"
                + number(ratios[ratios.length - 1 - ratios.length / 10], 2));
    }

    private static void addSpeculation(List<String> cells, Totals totals, String name) {
        boolean own = !name.equals(Contest.PEER) && !name.equals(Contest.PEER_DRAFT);
        cells.add(number(totals.tokensPerPass(), 2));
        cells.add(totals.speculates() ? percent(totals.acceptance()) : "");
        boolean timed = own && !name.equals(Variant.PLAIN);
        cells.add(timed ? percent(totals.draftingShare()) : "");
        cells.add(timed ? percent(totals.verifyingShare()) : "");
        cells.add(timed ? percent(totals.samplingShare()) : "");
        cells.add(timed ? totals.equal() + " of " + totals.replies() : "");
    }

    TextTable depths() {
        List<String> heads = new ArrayList<>(List.of("", ""));
        for (int depth : DEPTHS) {
            heads.add("≥ " + depth);
        }
        TextTable table = new TextTable(heads.toArray(String[]::new));
        for (Group group : groups()) {
            String title = group.toString();
            for (String name : names(group)) {
                Totals totals = totals(group, name);
                if (totals.knowsDepths()) {
                    List<String> cells = new ArrayList<>(List.of(title, name));
                    for (int depth : DEPTHS) {
                        cells.add(percent(totals.reaching(depth)));
                    }
                    table.add(cells.toArray(String[]::new));
                    title = "";
                }
            }
        }
        return table;
    }

    /** Whether speculation changed any output. */
    String equality() {
        int replies = 0;
        int equal = 0;
        for (Measured one : model.measured()) {
            for (Map.Entry<String, ReplyFigures> reply : one.replies().entrySet()) {
                if (!List.of(Variant.PLAIN, Contest.PEER, Contest.PEER_DRAFT).contains(reply.getKey())) {
                    replies++;
                    equal += reply.getValue().equal() ? 1 : 0;
                }
            }
        }
        return equal + " of " + replies + " speculated replies equal plain decoding's";
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("### ")
                .append(model.file())
                .append(", ")
                .append(model.threads())
                .append(" threads\n\n");
        text.append(equality()).append(".");
        model.notes()
                .forEach(note -> text.append(" Not measured: ").append(note).append('.'));
        text.append("\n\n").append(speeds().markdown());
        text.append("\nPasses that accept at least so many drafted tokens:\n\n").append(depths().markdown());
        return text.append('\n').toString();
    }

    private List<Measured> turns(Group group) {
        return model.measured().stream()
                .filter(one -> one.task().equals(group.task()) && one.sampling().equals(group.sampling()))
                .toList();
    }

    /** Those in which this one decoded something. */
    private List<Measured> turns(Group group, String name) {
        return turns(group).stream().filter(one -> has(one, name)).toList();
    }

    private static boolean has(Measured one, String name) {
        ReplyFigures reply = one.replies().get(name);
        return reply != null && reply.tokens() > 0;
    }

    private static List<ReplyFigures> replies(List<Measured> turns, String name) {
        return turns.stream()
                .map(one -> Objects.requireNonNull(one.replies().get(name)))
                .toList();
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    private static String number(double value, int places) {
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }
}
