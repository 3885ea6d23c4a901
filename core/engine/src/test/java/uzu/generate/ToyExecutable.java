package uzu.generate;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/**
 * A deterministic executable with a backend's whole contract: trees, commits, truncation, one thread at a time. A row's
 * logits are a function of its path alone.
 */
public final class ToyExecutable implements Executable {
    /** Two columns more than the tokenizer has ids, always the largest. */
    public static final int VOCABULARY = 260;

    /** What a row says about the next token. */
    public interface Law {
        /** @param path all tokens of the sequence up to the row; {@code into} is zero everywhere */
        void logits(int[] path, float[] into);
    }

    /** Asked for each row; the test's way to hold up or break a pass. */
    public interface Probe {
        void row(int[] path);
    }

    private final int maxRows;
    private final Law law;
    private final Probe probe;
    private int[][] paths = new int[0][];
    private @Nullable Batch last;
    private @Nullable Thread owner;
    final AtomicLong computedRows = new AtomicLong();
    final AtomicInteger passes = new AtomicInteger();
    volatile boolean isAlone = true;
    /** Before a sequence is forked, and before its memory is counted: to break it. */
    volatile Runnable onFork = () -> {};

    volatile Runnable onMemory = () -> {};
    final AtomicInteger sequences = new AtomicInteger();
    final AtomicInteger largestBatchSequences = new AtomicInteger();

    public ToyExecutable(int maxRows, Law law) {
        this(maxRows, law, path -> {});
    }

    public ToyExecutable(int maxRows, Law law, Probe probe) {
        this.maxRows = maxRows;
        this.law = law;
        this.probe = probe;
    }

    /** Random-looking logits that follow from every token of the path. */
    public static Law hashed() {
        return (path, into) -> {
            long state = 17;
            for (int token : path) {
                state = (state + token) * 0x9E3779B97F4A7C15L;
                state ^= state >>> 29;
            }
            for (int token = 0; token < into.length; token++) {
                long mixed = (state + token) * 0xBF58476D1CE4E5B9L;
                mixed ^= mixed >>> 32;
                into[token] = (mixed & 0xFFFF) / 8192f - (token < 128 && token >= 32 ? 0 : 30);
            }
        };
    }

    /** Says {@code text} after a prompt of {@code promptLength} tokens, then ends. */
    public static Law scripted(int promptLength, String text) {
        int[] script = new ToyTokenizer().encode(text, false);
        return (path, into) -> {
            int at = path.length - promptLength;
            into[at < script.length ? script[Math.max(0, at)] : ToyTokenizer.END] = 50;
        };
    }

    @Override
    public boolean isAlone(long nanos) {
        return isAlone;
    }

    @Override
    public int maxRows() {
        return maxRows;
    }

    @Override
    public Sequence newSequence() {
        checkThread();
        sequences.incrementAndGet();
        return new ToySequence(new int[0]);
    }

    @Override
    public boolean run(Batch batch, BooleanSupplier cancelled, @Nullable Tracer tracer) {
        checkThread();
        if (batch.size() == 0 || batch.size() > maxRows) {
            throw new IllegalStateException("a batch of " + batch.size());
        }
        passes.incrementAndGet();
        last = null;
        paths = new int[batch.size()][];
        int distinct = 0;
        for (int row = 0; row < batch.size(); row++) {
            if (cancelled.getAsBoolean()) {
                return false;
            }
            int parent = batch.parent(row);
            int[] before = parent < 0 ? ((ToySequence) batch.sequence(row)).committed : paths[parent];
            distinct += parent < 0 ? 1 : 0;
            paths[row] = Arrays.copyOf(before, before.length + 1);
            paths[row][before.length] = batch.token(row);
            probe.row(paths[row]);
            computedRows.incrementAndGet();
        }
        largestBatchSequences.accumulateAndGet(distinct, Math::max);
        last = batch;
        return !cancelled.getAsBoolean();
    }

    @Override
    public int best(int row) {
        int choices = Math.min(wanted(row, Wanted.BEST).choices(), VOCABULARY);
        float[] logits = new float[VOCABULARY];
        fill(row, logits);
        int best = new ArrayLogits(logits).largest(choices);
        return best < 0 || Float.isInfinite(logits[best]) ? -1 : best;
    }

    @Override
    public void logits(int row, float[] into) {
        wanted(row, Wanted.LOGITS);
        fill(row, into);
    }

    private Batch wanted(int row, Wanted least) {
        checkThread();
        Batch batch = last;
        if (batch == null || batch.wanted(row).compareTo(least) < 0) {
            throw new IllegalStateException("row " + row + " has no " + least);
        }
        return batch;
    }

    private void fill(int row, float[] into) {
        Arrays.fill(into, 0);
        law.logits(paths[row], into);
        into[VOCABULARY - 1] = 1000;
        into[VOCABULARY - 2] = 1000;
    }

    @Override
    public Logits logits(int row) {
        float[] copy = new float[VOCABULARY];
        logits(row, copy);
        return new ArrayLogits(copy);
    }

    @Override
    public long weightBytes() {
        return 0;
    }

    @Override
    public long memoryBytes() {
        onMemory.run();
        return 4096;
    }

    @Override
    public void close() {}

    private void checkThread() {
        if (owner == null) {
            owner = Thread.currentThread();
        }
        if (owner != Thread.currentThread()) {
            throw new IllegalStateException("two threads run passes");
        }
    }

    private final class ToySequence implements Sequence {
        private int[] committed;

        ToySequence(int[] committed) {
            this.committed = committed;
        }

        @Override
        public int length() {
            return committed.length;
        }

        @Override
        public void commit(int[] path) {
            checkThread();
            int[] longest = committed;
            for (int row : path) {
                if (!Arrays.equals(paths[row], 0, longest.length, longest, 0, longest.length)
                        || paths[row].length != longest.length + 1) {
                    throw new IllegalStateException("row " + row + " doesn't continue the path");
                }
                longest = paths[row];
            }
            committed = longest;
        }

        @Override
        public void truncate(int length) {
            if (length > committed.length) {
                throw new UzuException.InvalidArgument("truncate to " + length);
            }
            committed = Arrays.copyOf(committed, length);
        }

        @Override
        public Sequence fork() {
            onFork.run();
            sequences.incrementAndGet();
            return new ToySequence(committed);
        }

        @Override
        public void close() {
            sequences.decrementAndGet();
        }
    }
}
