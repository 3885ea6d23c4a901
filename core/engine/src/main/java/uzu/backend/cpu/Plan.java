package uzu.backend.cpu;

import java.util.List;
import java.util.Set;
import uzu.backend.Weight;
import uzu.backend.cpu.Scratch.Slot;

/**
 * A program as phases.
 *
 * @param phases the body's, then the head's, which have no parts where no logits are wanted
 * @param logits where the head leaves them, {@code logitsWidth} floats a row
 * @param vocabulary tokens that the embedding knows
 * @param storesAll whether keys and values of all layers are stored
 * @param inputWidth numbers of a row from outside; 0 for none
 */
record Plan(
        List<Phase> phases,
        Slot logits,
        int logitsWidth,
        int vocabulary,
        int inputWidth,
        boolean storesAll,
        Set<Weight> weights) {}
