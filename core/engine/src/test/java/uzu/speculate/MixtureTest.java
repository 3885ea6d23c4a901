package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MixtureTest {
    private final Mixture mixture = new Mixture();
    private final Occurrences nothingYet = new Occurrences();
    private final Calibration none = new Calibration();

    @Test
    void twoWhoAgreeAreSurerThanEither() {
        double both = chance(Spelled.proposals(1, 0.6), Spelled.proposals(1, 0.5));
        assertTrue(both > 0.65, "together " + both);
    }

    @Test
    void whoIsContradictedIsLessSure() {
        double contradicted = chance(Spelled.proposals(1, 0.4), Spelled.proposals(2, 0.9));
        assertTrue(contradicted < 0.3, "contradicted " + contradicted);
    }

    @Test
    void tablesAloneAreWorthAboutTheirWord() {
        assertEquals(0.5, chance(new Proposals(), Spelled.proposals(1, 0.5)), 0.1);
        assertEquals(0.9, chance(new Proposals(), Spelled.proposals(1, 0.9)), 0.1);
    }

    @Test
    void whatOccurredIsLikelierToOccurAgain() {
        Occurrences occurred = new Occurrences();
        occurred.follow(Spelled.path(1, 1, 1));
        gather(new Proposals(), Spelled.proposals(1, 0.3, 2, 0.3), Constraint.NONE);
        assertTrue(mixture.chance(0, occurred) > mixture.chance(1, occurred));
    }

    @Test
    void whatIsDrawnTeaches() {
        gather(Spelled.proposals(1, 0.6), Spelled.proposals(2, 0.6), Constraint.NONE);
        double before = mixture.chance(1, nothingYet);
        for (int i = 0; i < 400; i++) {
            mixture.drawn(2, nothingYet);
        }
        double after = mixture.chance(1, nothingYet);
        assertTrue(before < 0.4 && after > 0.8, before + " became " + after);
        assertTrue(mixture.chance(0, nothingYet) < 0.2);
    }

    @Test
    void whatAGrammarForbidsIsNothing() {
        gather(Spelled.proposals(1, 0.6, 7, 0.3), Spelled.proposals(9, 0.2), Constraint.below(8));
        assertEquals(2, mixture.size());
    }

    @Test
    void aThirdWhoAgreesMakesItSurer() {
        double two = chance(Spelled.proposals(1, 0.4), Spelled.proposals(1, 0.3));
        mixture.add(Mixture.SOURCES.indexOf(Recall.class), Spelled.proposals(1, 0.5), none, Constraint.NONE);
        assertTrue(mixture.chance(0, nothingYet) > two, "two " + two);
    }

    private double chance(Proposals lookup, Proposals tables) {
        gather(lookup, tables, Constraint.NONE);
        return mixture.chance(0, nothingYet);
    }

    private void gather(Proposals lookup, Proposals tables, Constraint constraint) {
        mixture.begin();
        mixture.add(Mixture.SOURCES.indexOf(Lookup.class), lookup, none, constraint);
        mixture.add(Mixture.SOURCES.indexOf(Tables.class), tables, none, constraint);
    }
}
