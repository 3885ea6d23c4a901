package uzu.backend.cpu;

import static uzu.backend.cpu.KeyValueLayout.BLOCK;
import static uzu.backend.cpu.MatrixLayout.GROUP;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import uzu.backend.Program;
import uzu.backend.cpu.Scratch.Slot;

/**
 * Attention of a layer. A row's positions are cut at multiples of {@link KeyValueLayout#BLOCK}, whatever was committed
 * when; partial results of the blocks are joined in order. Rows of a sequence that follow one another go in tiles, which
 * read a block's keys and values once. With few rows the blocks too are shared among the workers, and who is the last to
 * be done with one of a tile joins them all; else a worker takes a tile through all of its blocks. Joined columns are
 * prepared at once for the product that follows.
 *
 * @param workers of the team
 * @param next prepares what comes out, or null
 * @param partials room for {@link #items} partial results of all blocks of a row and key/value head
 * @param room {@link #roomBytes} for each worker
 * @param done of {@link #items} tiles and key/value heads, the blocks done: 0 between passes
 */
record Attention(
        RowKernels kernels,
        KeyValueLayout layout,
        int workers,
        int layer,
        int heads,
        float scale,
        int window,
        float softCap,
        boolean causal,
        Slot queries,
        Slot out,
        RowStep.@Nullable Prepare next,
        Slot partials,
        Slot room,
        AtomicIntegerArray done)
        implements Phase {
    private static final int MOST_ROWS = 16;
    // So many scores stay in the first cache.
    private static final int MOST_QUERIES = 48;
    // What reading a block's keys and values costs, in rows that attend to it.
    private static final float READING = 0.7f;

    /** How many rows × key/value heads {@link #partials} has room for. */
    static int items(int workers) {
        return MOST_ROWS * workers;
    }

    static long partialBytes(int group, int headSize) {
        return 4L * group * RowKernels.partialFloats(headSize);
    }

    /** What a worker needs for a tile: the kernel's scratch, then spans. */
    static long roomBytes(int group, int headSize) {
        return scratchBytes(group, headSize) + 4L * RowKernels.SPAN * MOST_ROWS + Memory.ALIGNMENT;
    }

    private static long scratchBytes(int group, int headSize) {
        return RowKernels.scratchBytes(mostRows(group), group, headSize) + 63 & -64L;
    }

    private static int mostRows(int group) {
        return Math.clamp(MOST_QUERIES / group, 1, MOST_ROWS);
    }

    @Override
    public int parts(Pass pass, int workers) {
        return Phase.partsOf(items(pass, tiles(pass)), workers);
    }

    @Override
    public void run(Pass pass, int part, int parts, int worker) {
        boolean byBlocks = sharesBlocks(pass);
        int blocks = pass.blocks();
        int kvHeads = kvHeads();
        int tiles = tiles(pass);
        int items = items(pass, tiles);
        for (int i = part; i < items; i += parts) {
            // The last block, which is shorter, comes last: it evens out what the others left.
            int item = i % (tiles * kvHeads);
            int from = Phase.share(pass.rows(), item / kvHeads, tiles);
            int to = Phase.share(pass.rows(), item / kvHeads + 1, tiles);
            int head = item % kvHeads;
            if (!byBlocks) {
                attendToAll(pass, from, to, head, worker);
            } else {
                attend(pass, from, to, head, i / (tiles * kvHeads), partial(pass, head), kvHeads, worker);
                if (blocks == 1 || done.incrementAndGet(item) == blocks) {
                    done.setPlain(item, 0);
                    for (int row = from; row < to; row++) {
                        join(pass, row, head, partial(pass, row * kvHeads + head));
                    }
                    prepare(pass, from, to, head);
                }
            }
        }
    }

    private int items(Pass pass, int tiles) {
        int items = tiles * kvHeads();
        return sharesBlocks(pass) ? items * pass.blocks() : items;
    }

    private boolean sharesBlocks(Pass pass) {
        return pass.rows() * kvHeads() <= items(workers);
    }

    /** How many tiles of rows to make: as few as still keep all workers busy. */
    private int tiles(Pass pass) {
        int rows = pass.rows();
        int fewest = (rows + mostRows(group()) - 1) / mostRows(group());
        int best = fewest;
        float least = Float.MAX_VALUE;
        for (int tiles = fewest; tiles <= rows && tiles < fewest + MOST_ROWS; tiles++) {
            int rounds = (items(pass, tiles) + workers - 1) / workers;
            float time = rounds * (READING + (float) rows / tiles);
            if (time < least) {
                least = time;
                best = tiles;
            }
        }
        return best;
    }

    private void attendToAll(Pass pass, int from, int to, int head, int worker) {
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (int row = from; row < to; row++) {
            first = Math.min(first, firstBlock(pass, row));
            last = Math.max(last, lastBlock(pass, row));
        }
        // Row `from` has the worker's first item.
        int item = worker * MOST_ROWS;
        long partial = partial(pass, item - from);
        for (int block = first; block <= last; block++) {
            attend(pass, from, to, head, block, partial, 1, worker);
        }
        for (int row = from; row < to; row++) {
            join(pass, row, head, partial(pass, item + row - from));
        }
        prepare(pass, from, to, head);
    }

    /** Prepares the columns of a key/value head's queries. */
    private void prepare(Pass pass, int from, int to, int head) {
        if (next != null) {
            next.run(from, to, head * groupColumns() / GROUP, (head + 1) * groupColumns() / GROUP);
        }
    }

    /**
     * Those rows of a tile that see {@code block}, one sequence after another.
     *
     * @param partial where row 0's results would lie, {@code items} items before row 1's
     */
    private void attend(Pass pass, int from, int to, int head, int block, long partial, int items, int worker) {
        int start = from;
        while (start < to) {
            int end = start + 1;
            while (end < to && pass.sequence[end] == pass.sequence[start]) {
                end++;
            }
            attendRun(pass, start, end, head, block, partial, items, worker);
            start = end;
        }
    }

    /** Rows of one sequence. */
    private void attendRun(Pass pass, int from, int to, int head, int block, long partial, int items, int worker) {
        int headSize = layout.layer(layer).headSize();
        int group = group();
        long scratch = room.address + worker * (roomBytes(group, headSize) & -64L);
        long spans = scratch + scratchBytes(group, headSize);
        int committed = Math.clamp(pass.committed[from] - block * BLOCK, 0, BLOCK);
        int rows = 0;
        for (int row = from; row < to; row++) {
            if (block >= firstBlock(pass, row) && block <= lastBlock(pass, row)) {
                int first = Math.max(0, firstPosition(pass, row) - block * BLOCK);
                int end = Math.min(BLOCK, lastPosition(pass, row) + 1 - block * BLOCK);
                int stored = Math.max(0, Math.min(committed, end) - first);
                int before = Math.max(0, block * BLOCK + first - pass.committed[row]);
                long span = spans + 4L * RowKernels.SPAN * rows++;
                Memory.RAW.putInt(span, row);
                Memory.RAW.putInt(span + 4, first);
                Memory.RAW.putInt(span + 8, stored);
                Memory.RAW.putInt(span + 12, end - first - stored);
                Memory.RAW.putInt(span + 16, pass.ancestors(lastRow(pass, row)) + before);
            }
        }
        if (rows == 0) {
            return;
        }
        long address = committed > 0 ? pass.sequence[from].block(block) : 0;
        KeyValues.Pending pending = pass.pending();
        long blockBytes = partialBytes(group, headSize);
        kernels.attend(
                layout.type(),
                queries.address + 4L * head * group * headSize,
                4L * heads * headSize,
                group,
                headSize,
                address + layout.keys(layer, head, BLOCK),
                address + layout.values(layer, head, BLOCK),
                pending.address + layout.keys(layer, head, pending.capacity),
                pending.address + layout.values(layer, head, pending.capacity),
                pass.ancestors(),
                spans,
                rows,
                scale,
                softCap,
                scratch,
                partial + block * blockBytes,
                items * pass.blocks() * blockBytes);
    }

    private void join(Pass pass, int row, int head, long partial) {
        int headSize = layout.layer(layer).headSize();
        int first = firstBlock(pass, row);
        long result = out.row(row, heads * headSize) + 4L * head * group() * headSize;
        kernels.join(
                partial + first * partialBytes(group(), headSize),
                lastBlock(pass, row) - first + 1,
                group(),
                headSize,
                result);
    }

    private long partial(Pass pass, int item) {
        return partials.address
                + (long) item
                        * pass.blocks()
                        * partialBytes(group(), layout.layer(layer).headSize());
    }

    private int kvHeads() {
        return layout.layer(layer).kvHeads();
    }

    /** Whether the columns of each key/value head's queries can be prepared apart. */
    static boolean preparesHeads(int heads, Program.Layer layer) {
        return heads / layer.kvHeads() * layer.headSize() % GROUP == 0;
    }

    private int groupColumns() {
        return group() * layout.layer(layer).headSize();
    }

    private int group() {
        return heads / kvHeads();
    }

    private int firstPosition(Pass pass, int row) {
        int before = causal ? window - 1 : window / 2;
        return window > 0 ? Math.max(0, pass.position[row] - before) : 0;
    }

    private int lastPosition(Pass pass, int row) {
        int last = pass.position[lastRow(pass, row)];
        return window > 0 && !causal ? Math.min(last, pass.position[row] + window / 2) : last;
    }

    /** The last of the rows whose ancestors the row sees. */
    private int lastRow(Pass pass, int row) {
        return causal ? row : pass.chainEnd(row);
    }

    private int firstBlock(Pass pass, int row) {
        return firstPosition(pass, row) / BLOCK;
    }

    private int lastBlock(Pass pass, int row) {
        return lastPosition(pass, row) / BLOCK;
    }
}
