package uzu.backend.cpu;

import static uzu.backend.cpu.KeyValueLayout.BLOCK;

import uzu.backend.cpu.Scratch.Slot;

/**
 * Attention of a layer. A row's positions are cut at multiples of {@link KeyValueLayout#BLOCK}, whatever was committed
 * when; partial results of the blocks are joined in order. With few rows the blocks themselves are shared among the
 * parts and joined in the next phase, else tiles of a few rows are, each joined at once.
 *
 * @param workers of the team
 * @param partials room for {@link #items} partial results of all blocks of a row and key/value head
 * @param scores room for each worker's scores
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
        Slot queries,
        Slot out,
        Slot partials,
        Slot scores)
        implements Phase {
    /** Rows of a tile, which read a block of keys and values one after another while it is cached. */
    private static final int TILE = 4;

    /** How many rows × key/value heads {@link #partials} has room for. */
    static int items(int workers) {
        return TILE * workers;
    }

    @Override
    public int parts(Pass pass, int workers) {
        int kvHeads = layout.layer(layer).kvHeads();
        boolean byBlocks = sharesBlocks(pass, workers);
        return Phase.partsOf(kvHeads * (byBlocks ? pass.rows() * pass.blocks() : tiles(pass)), workers);
    }

    @Override
    public void run(Pass pass, int part, int parts, int worker) {
        int kvHeads = layout.layer(layer).kvHeads();
        if (sharesBlocks(pass, workers)) {
            int blocks = pass.blocks();
            int all = pass.rows() * kvHeads * blocks;
            for (int i = part; i < all; i += parts) {
                int item = i / blocks;
                int row = item / kvHeads;
                int block = firstBlock(pass, row) + i % blocks;
                if (block <= lastBlock(pass, row)) {
                    attend(pass, row, item % kvHeads, block, item, worker);
                }
            }
        } else {
            int tiles = tiles(pass);
            int tile = tile(pass);
            for (int i = part; i < kvHeads * tiles; i += parts) {
                int from = i % tiles * tile;
                attendTile(pass, from, Math.min(from + tile, pass.rows()), i / tiles, worker);
            }
        }
    }

    private int tile(Pass pass) {
        return Math.clamp((long) pass.rows() * layout.layer(layer).kvHeads() / items(workers), 1, TILE);
    }

    private int tiles(Pass pass) {
        int tile = tile(pass);
        return (pass.rows() + tile - 1) / tile;
    }

    /** The step after: joins what the workers left if they shared the blocks. */
    RowStep join() {
        return (pass, from, to) -> {
            if (sharesBlocks(pass, workers)) {
                int kvHeads = layout.layer(layer).kvHeads();
                for (int row = from; row < to; row++) {
                    for (int head = 0; head < kvHeads; head++) {
                        join(pass, row, head, row * kvHeads + head);
                    }
                }
            }
        };
    }

    private boolean sharesBlocks(Pass pass, int workers) {
        return pass.rows() * layout.layer(layer).kvHeads() <= items(workers);
    }

    private void attendTile(Pass pass, int from, int to, int head, int worker) {
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (int row = from; row < to; row++) {
            first = Math.min(first, firstBlock(pass, row));
            last = Math.max(last, lastBlock(pass, row));
        }
        for (int block = first; block <= last; block++) {
            for (int row = from; row < to; row++) {
                if (block >= firstBlock(pass, row) && block <= lastBlock(pass, row)) {
                    attend(pass, row, head, block, worker * TILE + row - from, worker);
                }
            }
        }
        for (int row = from; row < to; row++) {
            join(pass, row, head, worker * TILE + row - from);
        }
    }

    private void attend(Pass pass, int row, int head, int block, int item, int worker) {
        int headSize = layout.layer(layer).headSize();
        int group = group();
        long rowBytes = layout.rowBytes(layer);
        int committed = pass.committed[row];
        int from = Math.max(block * BLOCK, firstPosition(pass, row));
        int to = Math.min((block + 1) * BLOCK, pass.position[row] + 1);
        int stored = Math.max(0, Math.min(to, committed) - from);
        long keys = 0;
        long values = 0;
        if (stored > 0) {
            long at = pass.sequence[row].block(block) + (from - block * BLOCK) * rowBytes;
            keys = at + layout.keys(layer, head, BLOCK);
            values = at + layout.values(layer, head, BLOCK);
        }
        KeyValues.Pending pending = pass.pending();
        kernels.attend(
                layout.type(),
                queries.row(row, heads * headSize) + 4L * head * group * headSize,
                group,
                headSize,
                keys,
                values,
                stored,
                pending.address + layout.keys(layer, head, pending.capacity),
                pending.address + layout.values(layer, head, pending.capacity),
                pass.ancestors(row) + 4L * Math.max(0, from - committed),
                to - from - stored,
                scale,
                softCap,
                scores.address + worker * scoreBytes(group),
                partial(pass, item, block - firstBlock(pass, row)));
    }

    private void join(Pass pass, int row, int head, int item) {
        int headSize = layout.layer(layer).headSize();
        int blocks = lastBlock(pass, row) - firstBlock(pass, row) + 1;
        long result = out.row(row, heads * headSize) + 4L * head * group() * headSize;
        kernels.join(partial(pass, item, 0), blocks, group(), headSize, result);
    }

    private long partial(Pass pass, int item, int block) {
        long bytes = partialBytes(group(), layout.layer(layer).headSize());
        return partials.address + ((long) item * pass.blocks() + block) * bytes;
    }

    static long partialBytes(int group, int headSize) {
        return 4L * group * RowKernels.partialFloats(headSize);
    }

    static long scoreBytes(int group) {
        return 4L * group * BLOCK;
    }

    private int group() {
        return heads / layout.layer(layer).kvHeads();
    }

    private int firstPosition(Pass pass, int row) {
        return window > 0 ? Math.max(0, pass.position[row] - window + 1) : 0;
    }

    private int firstBlock(Pass pass, int row) {
        return firstPosition(pass, row) / BLOCK;
    }

    private int lastBlock(Pass pass, int row) {
        return pass.position[row] / BLOCK;
    }
}
