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
    private final List<int[]> prompts;
    private final double promptShare;
    private final SplittableRandom random;
    private final Drawing drawing;
    private final List<Writer> writers = new ArrayList<>();
    // Shared by all dialogues that begin so.
    private final List<Sequence> openings = new ArrayList<>();

    /**
     * @param prompts user turns to answer
     * @param promptShare of the dialogues that begin with one
     */
    Writers(
            Executable executable,
            int vocabulary,
            Turns turns,
            List<int[]> prompts,
            double promptShare,
            int count,
            long seed) {
        this.executable = executable;
        this.turns = turns;
        this.prompts = prompts;
        this.promptShare = prompts.isEmpty() ? 0 : promptShare;
        random = new SplittableRandom(seed);
        drawing = new Drawing(vocabulary);
        for (int[] opening : turns.openings()) {
            openings.add(committed(Arrays.copyOf(opening, opening.length - 1)));
        }
        for (int i = 0; i < count; i++) {
            writers.add(new Writer(executable.newSequence()));
        }
    }

    private Sequence committed(int[] tokens) {
        Sequence sequence = executable.newSequence();
        executable.run(new Prefix(sequence, tokens), () -> false, null);
        int[] path = new int[tokens.length];
        Arrays.setAll(path, i -> i);
        sequence.commit(path);
        return sequence;
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
        openings.forEach(Sequence::close);
    }

    private final class Writer {
        private Sequence sequence;
        private Dialogue dialogue = new Dialogue();
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
            int opening = random.nextInt(openings.size());
            sequence.close();
            sequence = openings.get(opening).fork();
            dialogue = new Dialogue();
            second = false;
            dialogue.given(turns.openings()[opening]);
            if (random.nextDouble() < promptShare) {
                dialogue.given(prompts.get(random.nextInt(prompts.size())));
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

    private record Prefix(Sequence sequence, int[] tokens) implements Batch {
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
            return row - 1;
        }

        @Override
        public boolean wantsLogits(int row) {
            return false;
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
        public boolean wantsLogits(int row) {
            Writer writer = writerOf.get(row);
            return row - writer.firstRow == writer.pending() - 1;
        }
    }
}
