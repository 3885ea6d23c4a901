package uzu.grammar;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Names, and other keys by which of some patterns they match; all of a language. */
final class PatternKeys implements KeyLanguage {
    private final List<String> names;
    private final List<Rx> patterns;
    private final Rx allowed;

    PatternKeys(List<String> names, List<Rx> patterns, Rx allowed) {
        this.names = names;
        this.patterns = patterns;
        this.allowed = allowed;
    }

    @Override
    public Chars of(ObjectSpec.KeyChoice choice) {
        List<Rx> ways = new ArrayList<>();
        for (int name = 0; name < names.size(); name++) {
            if (choice.names().testBit(name)) {
                ways.add(Rx.text(names.get(name)));
            }
        }
        ways.add(Rx.and(List.of(others(choice.others()), noName())));
        List<Rx> tracked = new ArrayList<>();
        tracked.add(Rx.or(ways));
        tracked.addAll(patterns);
        Automaton automaton = Automaton.of(tracked, true);
        return automaton == null ? new NoChars() : new Labelled(automaton, new NameTrie(names), names.size());
    }

    private Rx noName() {
        return Rx.not(Rx.or(names.stream().map(Rx::text).toList()));
    }

    /** Keys of which exactly those patterns match that one of the labels says. */
    private Rx others(BigInteger labels) {
        List<Rx> ways = new ArrayList<>();
        for (int matching = 0; matching < 1 << patterns.size(); matching++) {
            if (labels.testBit(matching)) {
                List<Rx> all = new ArrayList<>();
                all.add(allowed);
                for (int i = 0; i < patterns.size(); i++) {
                    all.add((matching >> i & 1) != 0 ? patterns.get(i) : Rx.not(patterns.get(i)));
                }
                ways.add(Rx.and(all));
            }
        }
        return Rx.or(ways);
    }

    @Override
    public boolean has(int label) {
        Automaton automaton = Automaton.of(
                List.of(Rx.and(List.of(others(BigInteger.ZERO.setBit(label)), noName()))), true);
        return automaton != null && automaton.start() >= 0;
    }

    @Override
    public int distanceOfOther(BigInteger labels) {
        Automaton automaton =
                Automaton.of(List.of(Rx.and(List.of(others(labels), noName()))), true);
        return automaton == null || automaton.start() < 0
                ? Cost.NEVER
                : automaton.distance(0, 0, Chars.UNBOUNDED, Chars.Writing.JSON);
    }
}
