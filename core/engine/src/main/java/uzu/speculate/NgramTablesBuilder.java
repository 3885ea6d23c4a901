package uzu.speculate;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes {@link NgramTables}. The same contexts give the same bytes, in whatever order they are added. */
public final class NgramTablesBuilder {
    /** Contexts of a group, about. */
    private static final int GROUP = 6;

    private final long fingerprint;
    private final float[] strengths;
    private final List<List<Entry>> orders = new ArrayList<>();

    private record Entry(long hash, double count, int[] tokens, double[] probabilities) {}

    /**
     * @param fingerprint of the vocabulary
     * @param strengths for contexts of 1, 2, … tokens, how many observations what the next shorter one says counts
     */
    public NgramTablesBuilder(long fingerprint, float... strengths) {
        this.fingerprint = fingerprint;
        this.strengths = strengths.clone();
        for (int i = 0; i < strengths.length; i++) {
            orders.add(new ArrayList<>());
        }
    }

    /** The hash by which a context is found; its last token is the latest. */
    public static long hash(int... context) {
        long hash = 0;
        for (int i = context.length - 1; i >= 0; i--) {
            hash = NgramTables.extend(hash, context[i]);
        }
        return hash;
    }

    /**
     * Adds a context; of several with the same place in the file the one with the largest count stays.
     *
     * @param count how often it was seen
     * @param tokens that follow, the likeliest first, 1 to 8
     */
    public void add(int length, long hash, double count, int[] tokens, double[] probabilities) {
        orders.get(length - 1).add(new Entry(hash, count, tokens.clone(), probabilities.clone()));
    }

    public byte[] build() {
        int[] byRank = byFrequency();
        int vocabulary = Arrays.stream(byRank).max().orElse(0) + 1;
        Map<Integer, Integer> codes = new HashMap<>();
        for (int i = 0; i < byRank.length; i++) {
            codes.put(byRank[i], i);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer header = buffer(NgramTables.HEADER_BYTES + NgramTables.ORDER_BYTES * orders.size());
        header.putLong(NgramTables.MAGIC).putInt(NgramTables.VERSION).putInt(vocabulary);
        header.putLong(fingerprint).putInt(byRank.length).putInt(orders.size());
        ByteBuffer dictionary = buffer(3 * byRank.length);
        for (int token : byRank) {
            dictionary.put((byte) token).put((byte) (token >> 8)).put((byte) (token >> 16));
        }
        all.writeBytes(dictionary.array());
        for (int i = 0; i < orders.size(); i++) {
            int groups = Math.max(1, orders.get(i).size() / GROUP);
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            ByteBuffer starts = buffer(4 * (groups + 1));
            write(orders.get(i), groups, codes, starts, records);
            header.putInt(groups).putInt(records.size()).putFloat(strengths[i]).putInt(0);
            all.writeBytes(starts.array());
            all.writeBytes(records.toByteArray());
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(header.array());
        file.writeBytes(all.toByteArray());
        return file.toByteArray();
    }

    private static void write(
            List<Entry> entries,
            int groups,
            Map<Integer, Integer> codes,
            ByteBuffer starts,
            ByteArrayOutputStream records) {
        List<Entry> sorted = new ArrayList<>(entries);
        // The most frequent contexts of a group are found first.
        sorted.sort(Comparator.<Entry>comparingInt(e -> NgramTables.group(e.hash, groups))
                .thenComparing(e -> -e.count)
                .thenComparing(Entry::hash));
        int group = 0;
        starts.putInt(0);
        boolean[] taken = new boolean[1 << NgramTables.TAG_BITS];
        for (Entry entry : sorted) {
            while (group < NgramTables.group(entry.hash, groups)) {
                starts.putInt(records.size());
                group++;
                Arrays.fill(taken, false);
            }
            int tag = NgramTables.tag(entry.hash);
            if (!taken[tag]) {
                taken[tag] = true;
                write(entry, tag, codes, records);
            }
        }
        while (group++ < groups) {
            starts.putInt(records.size());
        }
    }

    private static void write(Entry entry, int tag, Map<Integer, Integer> codes, ByteArrayOutputStream records) {
        int size = entry.tokens.length;
        int head = tag | (size - 1) << NgramTables.TAG_BITS;
        records.write(head);
        records.write(head >> 8);
        int[] levels = new int[(size + 2) / 2 * 2];
        levels[0] = level(2 * entry.count, NgramTables.COUNT_STEP);
        for (int i = 0; i < size; i++) {
            levels[i + 1] = level(entry.probabilities[i], NgramTables.PROBABILITY_STEP);
        }
        for (int i = 0; i < levels.length; i += 2) {
            records.write(levels[i] | levels[i + 1] << 4);
        }
        for (int token : entry.tokens) {
            int code = codes.getOrDefault(token, 0);
            if (code < NgramTables.SHORT_CODES) {
                records.write(code);
            } else if (code < NgramTables.LONG_CODE) {
                int rest = code - NgramTables.SHORT_CODES;
                records.write(NgramTables.SHORT_CODES + rest / 256);
                records.write(rest % 256);
            } else {
                int rest = code - NgramTables.LONG_CODE;
                records.write(255);
                records.write(rest);
                records.write(rest >> 8);
            }
        }
    }

    private static int level(double value, double step) {
        return (int) Math.clamp(Math.round(Math.log(value) / Math.log(step)), 0, 15);
    }

    /** Tokens that occur, the most frequent first. */
    private int[] byFrequency() {
        Map<Integer, Integer> uses = new HashMap<>();
        for (List<Entry> order : orders) {
            for (Entry entry : order) {
                for (int token : entry.tokens) {
                    uses.merge(token, 1, Integer::sum);
                }
            }
        }
        uses.putIfAbsent(0, 0);
        return uses.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Integer, Integer>>comparingInt(e -> -e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .mapToInt(Map.Entry::getKey)
                .toArray();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
