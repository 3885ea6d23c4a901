package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import uzu.backend.Rope;
import uzu.backend.Value;
import uzu.backend.cpu.Scratch.Slot;

/**
 * The buffers of a program's passes. Slots come into being as the planner asks for them, the body's first: a value that
 * only the head names has room for only the rows whose logits are wanted.
 */
final class ProgramScratch {
    private final MatrixKernels kernels;
    private final int workers;
    private final Scratch body;
    private final Scratch head;
    private final Scratch attention;
    private final Map<Integer, Slot> values = new HashMap<>();
    private final Map<Rope, Slot> angles = new LinkedHashMap<>();
    private final List<Slot> prepared = new ArrayList<>();
    private final AtomicIntegerArray blocksDone;
    private AtomicIntegerArray headsDone = new AtomicIntegerArray(0);
    private final Slot partials;
    private final Slot room;
    private final Slot own;
    private int widestInput;
    private long partialBytes;
    private long roomBytes;
    private long ownBytes;

    ProgramScratch(Memory memory, MatrixKernels kernels, int workers) {
        this.kernels = kernels;
        this.workers = workers;
        body = new Scratch(memory, "scratch of the layers");
        head = new Scratch(memory, "scratch of the head");
        attention = new Scratch(memory, "scratch of attention");
        blocksDone = new AtomicIntegerArray(Attention.items(workers));
        partials = attention.slot(blocks -> partialBytes * Attention.items(workers) * blocks);
        room = attention.slot(blocks -> roomBytes * workers);
        own = body.slot(rows -> ownBytes * workers);
    }

    Slot value(Value value, boolean inHead) {
        return values.computeIfAbsent(value.index(), index -> (inHead ? head : body).floats(value.width()));
    }

    /** The table of cosines and sines that all rotations by {@code rope} share. */
    Slot angles(Rope rope) {
        return angles.computeIfAbsent(rope, key -> body.floats(2 * key.frequencies().length));
    }

    Map<Rope, Slot> angles() {
        return angles;
    }

    /** Prepared inputs of {@code columns} floats a row; {@code number} tells apart those needed at the same time. */
    Slot prepared(int number, int columns) {
        widestInput = Math.max(widestInput, columns);
        while (prepared.size() <= number) {
            prepared.add(body.slot(rows -> kernels.preparedBytes(widestInput, rows)));
        }
        return prepared.get(number);
    }

    Slot partials(int group, int headSize) {
        partialBytes = Math.max(partialBytes, Attention.partialBytes(group, headSize));
        return partials;
    }

    Slot room(int group, int headSize) {
        roomBytes = Math.max(roomBytes, Attention.roomBytes(group, headSize));
        return room;
    }

    /** Room of {@code bytes} for each worker. */
    Slot own(long bytes) {
        ownBytes = Math.max(ownBytes, bytes);
        return own;
    }

    /** Room for {@code heads} in {@link #headsDone}. */
    void reserveHeads(int heads) {
        if (heads > headsDone.length()) {
            headsDone = new AtomicIntegerArray(heads);
        }
    }

    /** As of {@link HeadSteps}. */
    AtomicIntegerArray headsDone() {
        return headsDone;
    }

    /** As of {@link Attention}. */
    AtomicIntegerArray blocksDone() {
        return blocksDone;
    }

    void reserve(Pass pass) {
        for (int i = 0; i < blocksDone.length(); i++) {
            blocksDone.setPlain(i, 0); // a pass may have ended halfway
        }
        for (int i = 0; i < headsDone.length(); i++) {
            headsDone.setPlain(i, 0);
        }
        body.reserve(pass.rows());
        head.reserve(pass.headRows());
        attention.reserve(pass.blocks());
    }
}
