package uzu.app.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/**
 * Lets a model write dialogues, many in one pass: both sides, or the answers to given prompts. A finished dialogue's
 * place is taken by the next one.
 */
final class Writers implements AutoCloseable {
    private static final int LONGEST_USER_TURN = 64;
    private static final int LONGEST_ANSWER = 320;
    private static final int SHORTEST_USER_TURN = 4;

    private final Executable executable;
    private final Turns turns;
    private final Prompts prompts;
    private final @Nullable FeatureTap tap;
    private final SplittableRandom random;
    private final Drawing drawing;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();

    /** Beginnings that dialogues share: all of their tokens but the last are committed. */
    private record Opening(Sequence sequence, int[] tokens, short[] features) {}

    /**
     * @param prompts user turns to answer
     * @param tap records features, or null
     * @param count dialogues at a time
     */
    Writers(
            Executable executable,
            int vocabulary,
            Turns turns,
            Prompts prompts,
            @Nullable FeatureTap tap,
            int count,
            long seed) {
        this.executable = executable;
        this.turns = turns;
        this.prompts = prompts;
        this.tap = tap;
        random = new SplittableRandom(seed);
        drawing = new Drawing(vocabulary);
        for (int[] tokens : turns.openings()) {
            openings.add(opening(tokens));
        }
        for (int i = 0; i < count; i++) {
            writers.add(new Writer(executable.newSequence()));
        }
    }

    private Opening opening(int[] tokens) {
        int run = tokens.length - 1;
        Sequence sequence = executable.newSequence();
        Run prefix = new Run(sequence, Arrays.copyOf(tokens, run));
        executable.run(prefix, () -> false, null);
        prefix.commit();
        short[] features = new short[tap == null ? 0 : run * tap.width()];
        for (int row = 0; tap != null && row < run; row++) {
            tap.copyRow(row, features, row * tap.width());
        }
        return new Opening(sequence, tokens, features);
    }

    /** Makes one pass; {@code done} gets the dialogues that it finished. */
    void step(Consumer<Dialogue> done) {
        Step step = new Step();
        executable.run(step, () -> false, null);
        for (Writer writer : writers) {
            if (writer.rows == 0) {
                continue;
            }
            writer.commit();
            if (writer.pending() == 0) {
                Dialogue finished = writer.advance(writer.firstRow + writer.rows - 1);
                if (finished != null) {
                    done.accept(finished);
                }
            }
        }
    }

    @Override
    public void close() {
        writers.forEach(writer -> writer.sequence.close());
        openings.forEach(opening -> opening.sequence.close());
    }

    private final class Writer {
        private Sequence sequence;
        private Dialogue dialogue = new Dialogue(false, 0);
        private byte turn;
        private int turnStart;
        private boolean second;
        private float temperature;
        private int firstRow;
        private int rows;

        Writer(Sequence sequence) {
            this.sequence = sequence;
            begin();
        }

        private void begin() {
            Opening opening = openings.get(random.nextInt(openings.size()));
            sequence.close();
            sequence = opening.sequence.fork();
            Prompts.Prompt prompt = prompts.next(random);
            dialogue = new Dialogue(prompt.heldOut(), tap == null ? 0 : tap.width());
            dialogue.given(opening.tokens);
            dialogue.addFeatures(opening.features);
            second = false;
            if (prompt.tokens().length > 0) {
                dialogue.given(prompt.tokens());
                answer();
            } else {
                ask();
            }
        }

        private void ask() {
            turn = Dialogue.USER;
            turnStart = dialogue.size();
            temperature = 1;
        }

        private void answer() {
            dialogue.given(turns.toAnswer());
            turn = Dialogue.ASSISTANT;
            turnStart = dialogue.size();
            temperature = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> 1;
                default -> 0.7f;
            };
        }

        int pending() {
            return dialogue.size() - sequence.length();
        }

        void commit() {
            int[] path = new int[rows];
            Arrays.setAll(path, i -> firstRow + i);
            sequence.commit(path);
            if (tap != null) {
                dialogue.addFeatures(tap, firstRow, rows);
            }
        }

        /** Draws the next token from the results of {@code row}; a dialogue when that was its last. */
        @Nullable Dialogue advance(int row) {
            int token = drawing.draw(executable.logits(row), temperature, random);
            int length = dialogue.size() - turnStart;
            if (turn == Dialogue.USER) {
                if (!turns.isEnd(token) && length < LONGEST_USER_TURN) {
                    dialogue.written(token, turn, drawing);
                } else if (length < SHORTEST_USER_TURN) {
                    begin();
                } else {
                    answer();
                }
                return null;
            }
            dialogue.written(token, turn, drawing);
            boolean ended = turns.isEnd(token);
            if (!ended && length < LONGEST_ANSWER && !dialogue.loops()) {
                return null;
            }
            if (ended && !second && random.nextInt(4) == 0) {
                second = true;
                dialogue.given(turns.toUser());
                ask();
                return null;
            }
            Dialogue finished = dialogue;
            begin();
            return finished;
        }
    }

    /** A row for each writer, or as many as its given tokens need. */
    private final class Step implements Batch {
        private final List<Writer> writerOf = new ArrayList<>();

        Step() {
            int free = executable.maxRows();
            int waiting = writers.size();
            for (Writer writer : writers) {
                waiting--;
                writer.firstRow = writerOf.size();
                writer.rows = Math.min(writer.pending(), free - writerOf.size() - waiting);
                for (int i = 0; i < writer.rows; i++) {
                    writerOf.add(writer);
                }
            }
        }

        @Override
        public int size() {
            return writerOf.size();
        }

        @Override
        public int token(int row) {
            Writer writer = writerOf.get(row);
            return writer.dialogue.id(writer.sequence.length() + row - writer.firstRow);
        }

        @Override
        public Sequence sequence(int row) {
            return writerOf.get(row).sequence;
        }

        @Override
        public int parent(int row) {
            return row == writerOf.get(row).firstRow ? -1 : row - 1;
        }

        @Override
        public Wanted wanted(int row) {
            Writer writer = writerOf.get(row);
            return Wanted.logitsIf(row - writer.firstRow == writer.pending() - 1);
        }
    }
}
