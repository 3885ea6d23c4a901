package uzu.model;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** Passes of a test and what they tapped, row after row. */
final class Run implements AutoCloseable {
    private final Executable executable;
    private final Sequence sequence;
    final Map<String, float[]> tapped = new LinkedHashMap<>();

    Run(Executable executable) {
        this.executable = executable;
        this.sequence = executable.newSequence();
    }

    /** A chain of tokens in one pass, committed. */
    void chain(int... tokens) {
        int[] parents = new int[tokens.length];
        Arrays.setAll(parents, i -> i - 1);
        tree(tokens, parents);
        int[] path = new int[tokens.length];
        Arrays.setAll(path, i -> i);
        commit(path);
    }

    /** One pass over a tree; nothing is committed. */
    void tree(int[] tokens, int[] parents) {
        boolean ran = executable.run(new Rows(sequence, tokens, parents), () -> false, (name, rows, width, values) -> {
            float[] before = tapped.getOrDefault(name, new float[0]);
            float[] all = Arrays.copyOf(before, before.length + rows * width);
            System.arraycopy(values, 0, all, before.length, rows * width);
            tapped.put(name, all);
        });
        if (!ran) {
            throw new AssertionError("the pass was cancelled");
        }
    }

    void commit(int... path) {
        sequence.commit(path);
    }

    float[] row(String name, int row, int rows) {
        float[] values = tapped.get(name);
        int width = values.length / rows;
        return Arrays.copyOfRange(values, row * width, (row + 1) * width);
    }

    @Override
    public void close() {
        sequence.close();
    }

    private record Rows(Sequence sequence, int[] tokens, int[] parents) implements Batch {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public int token(int row) {
            return tokens[row];
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return parents[row];
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.LOGITS;
        }
    }
}
