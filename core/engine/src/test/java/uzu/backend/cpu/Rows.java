package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.List;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** A batch written down row by row; all logits wanted unless said otherwise. */
final class Rows implements Batch {
    private record Row(Sequence sequence, int token, int parent, Wanted wanted) {}

    private final List<Row> rows = new ArrayList<>();

    /** The new row's number. */
    int add(Sequence sequence, int token, int parent) {
        return add(sequence, token, parent, Wanted.LOGITS);
    }

    int add(Sequence sequence, int token, int parent, boolean logits) {
        return add(sequence, token, parent, Wanted.logitsIf(logits));
    }

    private int add(Sequence sequence, int token, int parent, Wanted wanted) {
        rows.add(new Row(sequence, token, parent, wanted));
        return rows.size() - 1;
    }

    /** A chain of {@code tokens} from {@code from} to {@code to}; the numbers of its rows. */
    int[] chain(Sequence sequence, int[] tokens, int from, int to) {
        return chain(sequence, tokens, from, to, Wanted.LOGITS);
    }

    int[] chain(Sequence sequence, int[] tokens, int from, int to, Wanted wanted) {
        int[] path = new int[to - from];
        int parent = -1;
        for (int i = from; i < to; i++) {
            parent = add(sequence, tokens[i], parent, wanted);
            path[i - from] = parent;
        }
        return path;
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public int token(int row) {
        return rows.get(row).token;
    }

    @Override
    public Sequence sequence(int row) {
        return rows.get(row).sequence;
    }

    @Override
    public int parent(int row) {
        return rows.get(row).parent;
    }

    @Override
    public Wanted wanted(int row) {
        return rows.get(row).wanted;
    }
}
