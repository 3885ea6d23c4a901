package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import uzu.backend.Executable;
import uzu.generate.ToyExecutable;

/** Decisions about a draft's size, with costs and chances given, on a clock that the test moves. */
class BudgetTest {
    private final AtomicLong clock = new AtomicLong();
    private final Executable target = new ToyExecutable(1, ToyExecutable.hashed());
    private final List<Integer> path = new ArrayList<>(List.of(1, 2, 3));

    private final TokenPath tokens = new TokenPath() {
        @Override
        public int size() {
            return path.size();
        }

        @Override
        public int get(int index) {
            return path.get(index);
        }
    };

    @AfterEach
    void restore() {
        Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    /** A row 10 ms, two 10.5, and from there on 1 ms more for each. */
    private static PassCosts cheapRows() {
        return new PassCosts(new int[] {1, 2, 32}, new double[] {0.010, 0.0105, 0.0405});
    }

    /** Every row like the first. */
    private static PassCosts dearRows() {
        return new PassCosts(new int[] {1, 32}, new double[] {0.010, 0.320});
    }

    private DraftSession session(PassCosts costs, Drafter... drafters) {
        DraftSession session = new DraftSession(new Speculator(costs, clock::get));
        session.use(new Speculation(List.of(drafters), 32));
        return session;
    }

    private Draft draft(DraftSession session) {
        return session.draft(tokens, Conditions.GREEDY, Company.NONE, 32);
    }

    @Test
    void aChainGrowsWhileItsNextTokenIsWorthItsRow() {
        // The chances 0.5, 0.25, 0.125 against 0.05 for the second row and 0.1 for each further one, times what time
        // yields: halfway from 1 to the best tree's 1.75 tokens for 1.15 passes; of the other chain, 4.6 for 1.5.
        assertEquals(3, draft(session(cheapRows(), ScriptedDrafter.chain(0.5f))).size());
        assertEquals(
                11, draft(session(cheapRows(), ScriptedDrafter.chain(0.86f))).size());
        assertEquals(
                1, draft(session(cheapRows(), ScriptedDrafter.chain(0.04f))).size());
    }

    @Test
    void nothingIsDraftedWhereRowsCostAsMuchAsPasses() {
        assertEquals(1, draft(session(dearRows(), ScriptedDrafter.chain(0.97f))).size());
    }

    @Test
    void stepsInTheCostsAreClimbedWhenWhatLiesBehindPays() {
        // The second row costs 0.6 of a pass, but three more come with it.
        PassCosts step = new PassCosts(new int[] {1, 2, 5, 6, 32}, new double[] {0.010, 0.016, 0.016, 0.030, 0.5});
        assertEquals(5, draft(session(step, ScriptedDrafter.chain(0.5f))).size());
        assertEquals(1, draft(session(step, ScriptedDrafter.chain(0.3f))).size());
    }

    @Test
    void alreadyPaidPassesOfOthersMakeRowsCheap() {
        PassCosts costs = new PassCosts(new int[] {1, 4, 5, 32}, new double[] {0.010, 0.040, 0.041, 0.068});
        DraftSession session = session(costs, ScriptedDrafter.chain(0.5f));
        assertEquals(1, draft(session).size());
        assertTrue(session.draft(tokens, Conditions.GREEDY, new Company(3, 3, 0), 32)
                        .size()
                > 3);
    }

    @Test
    void longContextsMakeRowsDear() {
        PassCosts costs = cheapRows();
        costs.measuredReads(1, 2000, 0.020);
        DraftSession session = session(costs, ScriptedDrafter.chain(0.5f));
        assertEquals(3, draft(session).size());
        while (path.size() < 8000) {
            path.add(7);
        }
        // A row costs 41 ms more, the pass at least 90.
        assertEquals(2, draft(session).size());
    }

    @Test
    void aTextThatAcceptsNothingIsDecodedPlainlyWithinAFewPasses() {
        DraftSession session = session(cheapRows(), ScriptedDrafter.chain(0.5f));
        double extra = 0;
        int drafted = 0;
        for (int pass = 0; pass < 300; pass++) {
            Draft draft = draft(session);
            extra += cheapRows().seconds(draft.size()) / 0.010 - 1;
            drafted += draft.size() > 1 ? 1 : 0;
            session.drawn(0, 5);
            session.walked(0);
            path.add(5);
        }
        assertTrue(drafted < 40, drafted + " passes drafted");
        assertTrue(extra < 2, extra + " passes lost");
    }

    @Test
    void aTextThatBecomesPredictableIsDraftedAgain() {
        DraftSession session = session(cheapRows(), ScriptedDrafter.chain(0.5f));
        for (int pass = 0; pass < 200; pass++) {
            draft(session);
            session.drawn(0, 5);
            session.walked(0);
        }
        int drafted = 0;
        for (int pass = 0; pass < 100; pass++) {
            Draft draft = draft(session);
            drafted += draft.size() > 1 ? 1 : 0;
            walk(session, draft, new SplittableRandom(pass), 0.9);
        }
        assertTrue(drafted > 60, drafted + " passes drafted");
    }

    /** Accepts each next token with a chance, as estimates of that chance say. */
    private static int walk(DraftSession session, Draft draft, SplittableRandom random, double chance) {
        int node = 0;
        int accepted = 0;
        while (true) {
            int wanted = 1000 + draft.depth(node);
            int token = random.nextDouble() < chance ? wanted : 5;
            session.drawn(node, token);
            node = draft.child(node, token);
            if (node < 0) {
                session.walked(accepted);
                return accepted + 1;
            }
            accepted++;
        }
    }

    @Test
    void honestEstimatesBringWhatTheyPromise() {
        SplittableRandom random = new SplittableRandom(11);
        DraftSession session = session(cheapRows(), ScriptedDrafter.chain(0.7f));
        double passes = 0;
        int made = 0;
        for (int pass = 0; pass < 2000; pass++) {
            Draft draft = draft(session);
            passes += cheapRows().seconds(draft.size()) / 0.010;
            made += walk(session, draft, random, 0.7);
        }
        // The best chain of that kind: 6 nodes, 2.94 tokens for 1.45 passes.
        assertEquals(2.0, made / passes, 0.08);
    }

    @Test
    void aDrafterThatTakesLongIsAskedOnlyWhileItPays() {
        for (double chance : new double[] {0.8, 0.02}) {
            clock.set(0);
            ScriptedDrafter slow = new ScriptedDrafter(0.002, (draft, node, into) -> {
                clock.addAndGet(2_000_000);
                into.add(1000 + draft.depth(node), 0.8f);
            });
            DraftSession session = session(cheapRows(), slow);
            SplittableRandom random = new SplittableRandom(5);
            double nanos = 0;
            int made = 0;
            for (int pass = 0; pass < 600; pass++) {
                Draft draft = draft(session);
                nanos += cheapRows().seconds(draft.size()) * 1e9;
                made += walk(session, draft, random, chance);
            }
            double gain = made * 0.010e9 / (nanos + clock.get());
            if (chance > 0.5) {
                assertTrue(gain > 1.5, gain + " times as fast");
            } else {
                assertTrue(gain > 0.97, gain + " times as fast");
                assertTrue(slow.asked < 120, slow.asked + " times asked");
            }
        }
    }

    @Test
    void byLotsADrafterThatTakesLongIsAskedOnlyWhileItPaysToo() {
        Conditions lots = new Conditions(1, null, (root, node, token) -> 0);
        ScriptedDrafter slow = new ScriptedDrafter(0.002, (draft, node, into) -> {
            clock.addAndGet(2_000_000);
            into.add(1000 + draft.depth(node), 0.02f);
        });
        DraftSession session = session(cheapRows(), slow);
        SplittableRandom random = new SplittableRandom(5);
        for (int pass = 0; pass < 600; pass++) {
            walk(session, session.draft(tokens, lots, Company.NONE, 32), random, 0.02);
        }
        assertTrue(slow.asked < 120, slow.asked + " times asked");
    }

    @Test
    void aDrafterThatTakesLongIsntAskedBelowAPromptThatIsntComputedYet() {
        ScriptedDrafter slow =
                new ScriptedDrafter(0.0001, (draft, node, into) -> into.add(1000 + draft.depth(node), 0.9f));
        DraftSession session = session(cheapRows(), slow);
        session.draft(tokens, Conditions.GREEDY, Company.NONE.withPrompt(100), 32);
        assertEquals(0, slow.asked);
        assertTrue(draft(session).size() > 1);
    }

    @Test
    void aDrafterThatLiesAboutItsTimeIsSilencedByTheAccount() {
        ScriptedDrafter liar = new ScriptedDrafter(0, (draft, node, into) -> {
            clock.addAndGet(3_000_000);
            into.add(9, 0.01f);
        });
        DraftSession session = session(cheapRows(), liar);
        for (int pass = 0; pass < 1000; pass++) {
            draft(session);
            session.drawn(0, 5);
            session.walked(0);
        }
        assertTrue(clock.get() < 0.03 * 1000 * 10_000_000L, clock.get() / 1e6 + " ms of 10000 lost");
    }

    @Test
    void aDrafterWhoseFirstConversationFailedTakesItsTimeInTheNextOne() {
        ScriptedDrafter slow = slow(2_000_000, 0.9f);
        slow.failures = 1;
        Speculator speculator = new Speculator(cheapRows(), clock::get);
        DraftSession session = new DraftSession(speculator);
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
        session.use(new Speculation(List.of(slow), 32));
        session.use(new Speculation(List.of(slow), 32));
        session.draft(tokens, Conditions.GREEDY, Company.NONE.withPrompt(100), 32);
        assertEquals(0, slow.asked);
        assertTrue(draft(session).size() > 1);
    }

    @Test
    void aDrafterThatFailedAndCameBackIsHeardFirstAgain() {
        ScriptedDrafter specific = new ScriptedDrafter(0, (draft, node, into) -> into.add(1, 0.9f));
        ScriptedDrafter general = new ScriptedDrafter(0, (draft, node, into) -> into.add(2, 0.9f));
        specific.failures = 1;
        Speculation both = new Speculation(List.of(specific, general), 32);
        DraftSession session = new DraftSession(new Speculator(cheapRows(), clock::get));
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
        session.use(both);
        assertEquals(2, draft(session).token(1));
        session.use(both);
        assertEquals(1, draft(session).token(1));
    }

    /** Takes so long, and says the same of each next token. */
    private ScriptedDrafter slow(long nanos, float chance) {
        return new ScriptedDrafter(nanos / 1e9, (draft, node, into) -> {
            clock.addAndGet(nanos);
            into.add(1000 + draft.depth(node), chance);
        });
    }

    @Test
    void aDrafterThatHasNothingToSayIsAskedSeldom() {
        for (long nanos : new long[] {10_000, 2_000_000}) {
            clock.set(0);
            ScriptedDrafter silent = new ScriptedDrafter(0.002, (draft, node, into) -> clock.addAndGet(nanos));
            DraftSession session = session(cheapRows(), silent);
            for (int pass = 0; pass < 1000; pass++) {
                draft(session);
                session.drawn(0, 5);
                session.walked(0);
            }
            assertTrue(silent.asked < 30, silent.asked + " times asked");
            assertTrue(clock.get() < 0.01 * 1000 * 10_000_000L, clock.get() / 1e6 + " ms of 10000 lost");
        }
    }

    @Test
    void aDrafterThatHasNothingToSayYetIsAskedInTheNextPassAndInTheNextReply() {
        boolean[] speaks = {false};
        ScriptedDrafter late = new ScriptedDrafter(0.0005, (draft, node, into) -> {
            clock.addAndGet(500_000);
            if (speaks[0]) {
                into.add(1000 + draft.depth(node), 0.8f);
            }
        });
        DraftSession session = session(cheapRows(), late);
        assertEquals(1, draft(session).size());
        session.walked(0);
        assertEquals(1, draft(session).size());
        session.walked(0);
        assertEquals(2, late.asked);
        for (int pass = 0; pass < 100; pass++) {
            draft(session);
            session.walked(0);
        }
        speaks[0] = true;
        session.use(new Speculation(List.of(late), 32));
        assertTrue(draft(session).size() > 1);
    }

    @Test
    void followingTheConversationIsPaidFromTheAccountToo() {
        ScriptedDrafter follower = slow(2_000_000, 0.02f);
        follower.follows = () -> clock.addAndGet(follower.prepares ? 3_000_000 : 0);
        DraftSession session = session(cheapRows(), follower);
        double rows = 0;
        int passes = 20_000;
        for (int pass = 0; pass < passes; pass++) {
            Draft draft = draft(session);
            rows += cheapRows().seconds(draft.size()) / 0.010 - 1;
            session.drawn(0, 5);
            session.walked(0);
            session.committed(tokens, 2, new int[] {0}, target);
        }
        double lost = rows + clock.get() / 10e6;
        assertTrue(lost < 0.03 * passes, lost + " of " + passes + " passes lost");
    }

    @Test
    void aLongPromptIsReadWholeAndDoesntKeepADrafterFromDrafting() {
        int[] chunks = {0};
        ScriptedDrafter reader = slow(500_000, 0.8f);
        reader.follows = () -> {
            chunks[0]++;
            clock.addAndGet(500_000_000);
        };
        DraftSession session = session(cheapRows(), reader);
        for (int chunk = 0; chunk < 8; chunk++) {
            session.committed(tokens, 0, new int[] {0, 1}, target);
            assertEquals(500_000_000, session.followingNanos());
        }
        assertEquals(8, chunks[0]);
        reader.follows = () -> {};
        SplittableRandom random = new SplittableRandom(5);
        int made = 0;
        for (int pass = 0; pass < 100; pass++) {
            made += walk(session, draft(session), random, 0.8);
        }
        assertTrue(made > 250, made + " tokens");
    }

    @Test
    void noClockIsReadForDraftersThatTakeNoTime() {
        ScriptedDrafter quick = ScriptedDrafter.chain(0.5f);
        int[] reads = {0};
        DraftSession session = new DraftSession(new Speculator(cheapRows(), () -> reads[0]++));
        session.use(new Speculation(List.of(quick), 32));
        session.committed(tokens, 0, new int[] {0, 1}, target);
        assertEquals(0, reads[0]);
    }
}
