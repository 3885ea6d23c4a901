package uzu.app.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uzu.speculate.NgramTablesBuilder;

/**
 * Makes n-gram tables of dialogues: for every context of 1, 2, … tokens, the mean of what the model expected after it.
 * Contexts that say most beyond the next shorter one, for their bytes, are kept. The same dialogues give the same file.
 */
final class NgramTraining {
    /** Successors that the file has room for. */
    private static final int MOST = 8;

    /** Hash bits that tell contexts apart while they are counted; the rest of a word says where they stand. */
    private static final int POSITION_BITS = 24;

    private final Settings settings;
    private final List<Dialogue> dialogues;
    private final int[] dialogueOf;
    private final int[] placeOf;

    /**
     * @param strengths by length of context, see {@link NgramTablesBuilder}; their number is the longest
     * @param bytes most bytes of the contexts, about
     * @param temperature at which the model's expectations are counted
     * @param userWeight of what the model wrote as the user; its answers have 1
     */
    record Settings(float[] strengths, long bytes, double temperature, double userWeight, double least) {}

    /** What follows a context, mixed with what the shorter ones say. */
    private record Entry(
            int length,
            long hash,
            double count,
            int[] tokens,
            double[] probabilities,
            Map<Integer, Double> mixed,
            double gain) {
        double bytes() {
            return 2.5 + (tokens.length + 2) / 2 + 1.5 * tokens.length;
        }
    }

    NgramTraining(List<Dialogue> dialogues, Settings settings) {
        this.settings = settings;
        this.dialogues = dialogues;
        int count = 0;
        for (Dialogue dialogue : dialogues) {
            count += counted(dialogue);
        }
        if (count >= 1 << POSITION_BITS) {
            throw new IllegalArgumentException("more tokens than can be counted");
        }
        dialogueOf = new int[count];
        placeOf = new int[count];
        int at = 0;
        for (int i = 0; i < dialogues.size(); i++) {
            for (int place = 1; place < dialogues.get(i).size(); place++) {
                if (weight(dialogues.get(i), place) > 0) {
                    dialogueOf[at] = i;
                    placeOf[at++] = place;
                }
            }
        }
    }

    private int counted(Dialogue dialogue) {
        return (int) IntStream.range(1, dialogue.size())
                .filter(place -> weight(dialogue, place) > 0)
                .count();
    }

    private double weight(Dialogue dialogue, int place) {
        return switch (dialogue.writer(place)) {
            case Dialogue.ASSISTANT -> 1;
            case Dialogue.USER -> settings.userWeight;
            default -> 0;
        };
    }

    byte[] train(long fingerprint) {
        List<Entry> all = new ArrayList<>();
        List<Map<Long, Entry>> byLength = new ArrayList<>();
        for (int length = 1; length <= settings.strengths.length; length++) {
            Map<Long, Entry> known = count(length, byLength);
            all.addAll(known.values());
            byLength.add(known);
        }
        all.sort(Comparator.<Entry>comparingDouble(e -> -e.gain / e.bytes())
                .thenComparing(Entry::length)
                .thenComparing(Entry::hash));
        NgramTablesBuilder builder = new NgramTablesBuilder(fingerprint, settings.strengths);
        double bytes = 0;
        int[] kept = new int[settings.strengths.length];
        for (Entry entry : all) {
            bytes += entry.bytes();
            if (bytes > settings.bytes || entry.gain <= 0) {
                break;
            }
            builder.add(entry.length, entry.hash, entry.count, entry.tokens, entry.probabilities);
            kept[entry.length - 1]++;
        }
        System.err.println("contexts " + byLength.stream().map(Map::size).toList() + " kept " + Arrays.toString(kept));
        return builder.build();
    }

    private Map<Long, Entry> count(int length, List<Map<Long, Entry>> shorter) {
        long[] keys = new long[placeOf.length];
        int size = 0;
        for (int i = 0; i < placeOf.length; i++) {
            if (placeOf[i] >= length) {
                keys[size++] = hash(i, length) >>> POSITION_BITS << POSITION_BITS | i;
            }
        }
        keys = Arrays.copyOf(keys, size);
        Arrays.sort(keys);
        Map<Long, Entry> entries = new HashMap<>();
        for (int from = 0, to; from < size; from = to) {
            to = from + 1;
            while (to < size && keys[to] >>> POSITION_BITS == keys[from] >>> POSITION_BITS) {
                to++;
            }
            Entry entry = entry(length, keys, from, to, shorter);
            if (entry != null) {
                entries.put(entry.hash, entry);
            }
        }
        return entries;
    }

    private @Nullable Entry entry(int length, long[] keys, int from, int to, List<Map<Long, Entry>> shorter) {
        Map<Integer, Double> sums = new HashMap<>();
        double count = 0;
        for (int i = from; i < to; i++) {
            int position = (int) keys[i] & (1 << POSITION_BITS) - 1;
            count += add(dialogues.get(dialogueOf[position]), placeOf[position], sums);
        }
        int first = (int) keys[from] & (1 << POSITION_BITS) - 1;
        double total = count;
        List<Map.Entry<Integer, Double>> best = sums.entrySet().stream()
                .filter(e -> e.getValue() > settings.least * total)
                .sorted(Map.Entry.<Integer, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST)
                .toList();
        if (best.isEmpty()) {
            return null;
        }
        Map<Integer, Double> below = Map.of();
        for (int n = length - 1; n >= 1 && below.isEmpty(); n--) {
            Entry next = shorter.get(n - 1).get(hash(first, n));
            below = next == null ? below : next.mixed;
        }
        double strength = settings.strengths[length - 1];
        Map<Integer, Double> mixed = new HashMap<>();
        below.forEach((token, p) -> mixed.put(token, p * strength / (total + strength)));
        double gain = 0;
        for (Map.Entry<Integer, Double> one : best) {
            double before = Math.max(below.getOrDefault(one.getKey(), 0.0), 0.005);
            double after = mixed.merge(one.getKey(), one.getValue() / (total + strength), Double::sum);
            gain += one.getValue() * Math.log(after / before);
        }
        return new Entry(
                length,
                hash(first, length),
                total,
                best.stream().mapToInt(Map.Entry::getKey).toArray(),
                best.stream().mapToDouble(e -> e.getValue() / total).toArray(),
                mixed,
                gain);
    }

    /** Adds what the model expected at a place; its weight. */
    private double add(Dialogue dialogue, int place, Map<Integer, Double> sums) {
        double weight = weight(dialogue, place);
        double seen = 0;
        double mass = 0;
        for (int rank = 0; rank < Dialogue.TOP; rank++) {
            seen += dialogue.topProbability(place, rank);
            mass += Math.pow(dialogue.topProbability(place, rank), 1 / settings.temperature);
        }
        // What is not among the likeliest is taken for as many tokens of a hundredth of the rest.
        double rest = Math.max(0, 1 - seen);
        mass += 100 * Math.pow(rest / 100, 1 / settings.temperature);
        for (int rank = 0; rank < Dialogue.TOP; rank++) {
            double p = Math.pow(dialogue.topProbability(place, rank), 1 / settings.temperature) / mass;
            if (p > 0.01) {
                sums.merge(dialogue.topId(place, rank), weight * p, Double::sum);
            }
        }
        return weight;
    }

    private long hash(int position, int length) {
        Dialogue dialogue = dialogues.get(dialogueOf[position]);
        int[] context = new int[length];
        for (int i = 0; i < length; i++) {
            context[i] = dialogue.id(placeOf[position] - length + i);
        }
        return NgramTablesBuilder.hash(context);
    }
}
