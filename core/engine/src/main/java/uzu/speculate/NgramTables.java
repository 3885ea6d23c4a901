package uzu.speculate;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import uzu.UzuException;

/**
 * What a model says after its last tokens: for contexts of 1, 2, … tokens, the likeliest tokens that follow. Little
 * endian; {@code docs/speculation.md} has the layout. A context is found by hash, and taken for another one once in
 * some thousand times. Immutable; reading allocates nothing.
 */
public final class NgramTables {
    static final long MAGIC = 0x454C424154555A55L; // "UZUTABLE"
    static final int VERSION = 1;
    static final int HEADER_BYTES = 32;
    static final int ORDER_BYTES = 16;
    static final int MOST_ORDERS = 8;
    static final int MOST_SUCCESSORS = 8;
    static final int TAG_BITS = 12;

    /** A probability of level k is this to the power of k. */
    static final double PROBABILITY_STEP = 0.77;

    /** A count of level k is (this to the power of k) / 2. */
    static final double COUNT_STEP = 2;

    /** Codes below this take a byte, from {@link #LONG_CODE} on three, others two. */
    static final int SHORT_CODES = 160;

    static final int LONG_CODE = SHORT_CODES + (255 - SHORT_CODES) * 256;

    /** Of a file; tables that pay are far smaller. */
    private static final long MOST_BYTES = 256L << 20;

    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private static final float[] PROBABILITIES = powers(PROBABILITY_STEP, 1);
    private static final float[] COUNTS = powers(COUNT_STEP, 0.5);

    private final String source;
    private final byte[] data;
    private final long fingerprint;
    private final int[] tokens;
    private final Order[] orders;

    /**
     * Contexts of one length.
     *
     * @param groups into which hashes are parted; each has its records one after the other
     * @param starts where the table of the groups' starts lies, one more than groups
     * @param records where the records lie
     * @param strength how many observations what the shorter context says counts
     */
    private record Order(int groups, int starts, int records, float strength) {}

    private NgramTables(String source, byte[] data) {
        this.source = source;
        this.data = data;
        need(0, HEADER_BYTES, "header");
        if ((long) LONG.get(data, 0) != MAGIC) {
            throw corrupt("magic", "doesn't begin as tables do");
        }
        if (integer(8) != VERSION) {
            throw new UzuException.ModelUnsupported(
                    source + " has version " + integer(8) + " of tables, this engine reads " + VERSION,
                    Map.of("path", source, "field", "version"));
        }
        fingerprint = (long) LONG.get(data, 16);
        int vocabulary = integer(12);
        int codes = integer(24);
        int count = integer(28);
        if (count < 1 || count > MOST_ORDERS) {
            throw corrupt("orders", "has " + count + " orders");
        }
        if (codes < 1 || codes > vocabulary || codes > LONG_CODE + 0x10000) {
            throw corrupt("tokens", "has " + codes + " different tokens");
        }
        int at = HEADER_BYTES + count * ORDER_BYTES;
        need(at, 3L * codes, "tokens");
        tokens = new int[codes];
        for (int i = 0; i < codes; i++, at += 3) {
            tokens[i] = unsigned(at) | unsigned(at + 1) << 8 | unsigned(at + 2) << 16;
            if (tokens[i] >= vocabulary) {
                throw corrupt("tokens", "names token " + tokens[i] + " of " + vocabulary);
            }
        }
        orders = new Order[count];
        for (int i = 0; i < count; i++) {
            int head = HEADER_BYTES + i * ORDER_BYTES;
            int groups = integer(head);
            int bytes = integer(head + 4);
            float strength = Float.intBitsToFloat(integer(head + 8));
            if (groups < 1 || bytes < 0 || !(strength > 0) || !(strength < 1000)) {
                throw corrupt("order " + (i + 1), "has an order that can't be");
            }
            int starts = at;
            need(starts, 4L * (groups + 1L), "groups of order " + (i + 1));
            at += 4 * (groups + 1);
            need(at, bytes, "records of order " + (i + 1));
            orders[i] = new Order(groups, starts, at, strength);
            checkStarts(orders[i], bytes, i + 1);
            at += bytes;
        }
        if (at != data.length) {
            throw corrupt("records", "goes on after its end");
        }
    }

    private void checkStarts(Order order, int bytes, int length) {
        int before = 0;
        for (int i = 0; i <= order.groups; i++) {
            int start = integer(order.starts + 4 * i);
            if (start < before || start > bytes) {
                throw corrupt("groups of order " + length, "has groups that overlap");
            }
            before = start;
        }
        if (integer(order.starts) != 0 || before != bytes) {
            throw corrupt("groups of order " + length, "has groups that leave a gap");
        }
    }

    /**
     * The tables in a file.
     *
     * @throws UzuException.ModelCorrupt for a file that can't be read or isn't what it says, naming path and field
     * @throws UzuException.ModelUnsupported for a later version of the format
     */
    public static NgramTables read(Path path) {
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw new UzuException.ModelCorrupt(
                        path + " is larger than tables are", Map.of("path", path.toString(), "field", "size"));
            }
            return of(Files.readAllBytes(path), path.toString());
        } catch (IOException e) {
            throw new UzuException.ModelCorrupt(
                    path + " can't be read: " + e.getMessage(), Map.of("path", path.toString()), e);
        }
    }

    /**
     * The tables in memory.
     *
     * @param source what errors call them
     */
    public static NgramTables of(byte[] bytes, String source) {
        return new NgramTables(source, bytes);
    }

    /** Of the vocabulary whose tokens are meant; see {@link uzu.tokenizer.VocabularyFingerprint}. */
    public long fingerprint() {
        return fingerprint;
    }

    /** One more than the largest token that is proposed. */
    public int vocabulary() {
        return integer(12);
    }

    /** The longest context. */
    int longest() {
        return orders.length;
    }

    /** How many observations what the next shorter context says counts, against those of {@code length} tokens. */
    float strength(int length) {
        return orders[length - 1].strength;
    }

    /** One context's successors, read by {@link #find}. */
    static final class Successors {
        final int[] tokens = new int[MOST_SUCCESSORS];
        final float[] probabilities = new float[MOST_SUCCESSORS];
        int size;
        float count;
    }

    /**
     * Reads what follows the context with {@code hash}; false where nothing is known.
     *
     * @param hash see {@link #extend}
     */
    boolean find(int length, long hash, Successors into) {
        Order order = orders[length - 1];
        int slot = order.starts + 4 * group(hash, order.groups);
        int at = order.records + integer(slot);
        int end = order.records + integer(slot + 4);
        int tag = tag(hash);
        while (at + 2 <= end) {
            int head = unsigned(at) | unsigned(at + 1) << 8;
            int size = (head >> TAG_BITS & 7) + 1;
            at += 2;
            if ((head & (1 << TAG_BITS) - 1) == tag) {
                return read(at, end, size, into);
            }
            at += (size + 2) / 2;
            for (int i = 0; i < size && at < end; i++) {
                int first = unsigned(at);
                at += first < SHORT_CODES ? 1 : first < 255 ? 2 : 3;
            }
        }
        return false;
    }

    private boolean read(int from, int end, int size, Successors into) {
        int levels = (size + 2) / 2;
        int at = from + levels;
        if (at + size > end) {
            return false;
        }
        into.count = COUNTS[unsigned(from) & 15];
        into.size = 0;
        for (int i = 0; i < size; i++) {
            int nibble = i + 1;
            int level = unsigned(from + nibble / 2) >> 4 * (nibble & 1) & 15;
            if (at >= end) {
                return false;
            }
            int code = unsigned(at++);
            if (code == 255) {
                if (at + 2 > end) {
                    return false;
                }
                code = LONG_CODE + (unsigned(at) | unsigned(at + 1) << 8);
                at += 2;
            } else if (code >= SHORT_CODES) {
                if (at >= end) {
                    return false;
                }
                code = SHORT_CODES + (code - SHORT_CODES) * 256 + unsigned(at++);
            }
            if (code >= tokens.length) {
                return false;
            }
            into.tokens[into.size] = tokens[code];
            into.probabilities[into.size++] = PROBABILITIES[level];
        }
        return true;
    }

    /** The hash of a context one token longer to the left: begin with 0 and the last token. */
    static long extend(long hash, int token) {
        long h = (hash ^ (token + 1L)) * 0x9E3779B97F4A7C15L;
        return h ^ h >>> 29;
    }

    static int group(long hash, int groups) {
        return (int) ((hash >>> 32) * groups >>> 32);
    }

    static int tag(long hash) {
        return (int) hash & (1 << TAG_BITS) - 1;
    }

    private int integer(int at) {
        return (int) INT.get(data, at);
    }

    private int unsigned(int at) {
        return data[at] & 0xFF;
    }

    private void need(int at, long bytes, String field) {
        if (bytes > data.length - at) {
            throw corrupt(field, "ends within its " + field);
        }
    }

    private UzuException.ModelCorrupt corrupt(String field, String problem) {
        return new UzuException.ModelCorrupt(source + " " + problem, Map.of("path", source, "field", field));
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    private static float[] powers(double step, double first) {
        float[] powers = new float[16];
        for (int i = 0; i < powers.length; i++) {
            powers[i] = (float) (first * StrictMath.pow(step, i));
        }
        return powers;
    }
}
