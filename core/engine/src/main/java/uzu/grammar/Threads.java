package uzu.grammar;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The ways in which a text may go on at one place: a set of stacks. Reused; for one thread. */
final class Threads {
    /** So many ways only an ambiguous grammar has; of more, those that end soonest stay. */
    private static final int MOST = 256;

    private Stack[] stacks = new Stack[4];
    private int size;
    private boolean ended;
    private int label;
    /** A repetition whose body is being entered, which may be empty: then it isn't begun again. */
    private @Nullable Stack entering;

    /** The stack whose frame takes a byte. */
    private @Nullable Stack stepping;

    void clear() {
        size = 0;
        ended = false;
        label = 0;
    }

    int size() {
        return size;
    }

    Stack get(int index) {
        return stacks[index];
    }

    /** Whether the text may be over here. */
    boolean hasEnded() {
        return ended;
    }

    /** What the part that is over had to say of itself. */
    int label() {
        return label;
    }

    boolean isEmpty() {
        return size == 0 && !ended;
    }

    /** Adds {@code frame}, which takes bytes, on top of {@code below}. */
    void add(Frame frame, Stack below) {
        Stack same = stepping;
        // A frame that stays as it is keeps its stack, and what is known of it.
        add(same != null && same.frame() == frame && same.below() == below ? same : new Stack(frame, below));
    }

    void add(Stack stack) {
        for (int i = 0; i < size; i++) {
            if (stacks[i].equals(stack)) {
                return;
            }
        }
        if (size == MOST) {
            dropCostliest(stack);
            return;
        }
        if (size == stacks.length) {
            stacks = Arrays.copyOf(stacks, 2 * size);
        }
        stacks[size++] = stack;
        if (stack.frame().mayEnd()) {
            end(0, stack.below());
        }
    }

    private void dropCostliest(Stack stack) {
        int costliest = 0;
        for (int i = 1; i < size; i++) {
            if (stacks[i].cost() > stacks[costliest].cost()) {
                costliest = i;
            }
        }
        if (stack.cost() < stacks[costliest].cost()) {
            stacks[costliest] = stack;
        }
    }

    /** The part above {@code below} is over. */
    void end(int saying, Stack below) {
        if (below == entering) {
            return;
        }
        if (below.isEnd()) {
            ended = true;
            label = saying;
        } else {
            below.frame().resume(saying, below.below(), this);
        }
    }

    /** Enters {@code body}, but doesn't go on with {@code then} where it is empty. */
    void enterUnlessEmpty(Part body, Stack then) {
        Stack before = entering;
        entering = then;
        body.enter(then, this);
        entering = before;
    }

    /** Takes a byte: {@code into} is what holds after it. */
    void step(int unsignedByte, Threads into) {
        into.clear();
        for (int i = 0; i < size; i++) {
            Stack stack = stacks[i];
            into.stepping = stack;
            stack.frame().step(unsignedByte, stack.below(), into);
        }
        into.stepping = null;
    }

    void stepControl(int token, Threads into) {
        into.clear();
        for (int i = 0; i < size; i++) {
            Stack stack = stacks[i];
            stack.frame().stepControl(token, stack.below(), into);
        }
    }

    /** Leaves out what can't be ended with {@code tokens}. */
    void keepWithin(int tokens) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (stacks[i].cost() <= tokens) {
                stacks[kept++] = stacks[i];
            }
        }
        size = kept;
        ended &= tokens >= 0;
    }

    /** Whether one way can be ended with {@code tokens}. */
    boolean fitsWithin(int tokens) {
        if (ended && tokens >= 0) {
            return true;
        }
        for (int i = 0; i < size; i++) {
            if (stacks[i].cost() <= tokens) {
                return true;
            }
        }
        return false;
    }

    /** Tokens that suffice for one way to end. */
    int cheapest() {
        int least = ended ? 0 : Cost.NEVER;
        for (int i = 0; i < size; i++) {
            least = Math.min(least, stacks[i].cost());
        }
        return least;
    }

    void set(Threads other) {
        clear();
        if (stacks.length < other.size) {
            stacks = new Stack[other.stacks.length];
        }
        System.arraycopy(other.stacks, 0, stacks, 0, other.size);
        size = other.size;
        ended = other.ended;
        label = other.label;
    }

    void set(Stack stack) {
        clear();
        add(stack);
    }

    void set(Stack[] others, boolean hasEnded) {
        clear();
        if (stacks.length < others.length) {
            stacks = Arrays.copyOf(others, others.length);
        } else {
            System.arraycopy(others, 0, stacks, 0, others.length);
        }
        size = others.length;
        ended = hasEnded;
    }

    Stack[] copy() {
        return Arrays.copyOf(stacks, size);
    }
}
