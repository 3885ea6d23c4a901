package uzu.app.speculation;

import java.util.ArrayList;
import java.util.List;

/**
 * What was measured of a model.
 *
 * @param file its name
 * @param notes what couldn't be measured, and why
 */
record ModelFigures(String file, int threads, List<String> notes, List<Measured> measured) {
    ModelFigures {
        notes = List.copyOf(notes);
        measured = List.copyOf(measured);
    }

    /** Whether all of {@code names} have answered the unit. */
    boolean has(Unit unit, List<String> names) {
        return measured.stream()
                .anyMatch(one -> one.isOf(unit) && one.replies().keySet().containsAll(names));
    }

    /** With a unit's turns, in place of what there was of it. */
    ModelFigures with(Unit unit, List<Measured> turns) {
        List<Measured> all = new ArrayList<>(measured);
        all.removeIf(one -> one.isOf(unit));
        all.addAll(turns);
        return new ModelFigures(file, threads, notes, all);
    }

    ModelFigures withNotes(List<String> more) {
        return new ModelFigures(file, threads, more, measured);
    }
}
