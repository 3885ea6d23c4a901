package uzu.app;

/**
 * What a fresh process shows of a model.
 *
 * @param loadSeconds opening the file, loading and laying out its weights
 * @param firstPasses seconds of the first ten passes of one row together
 * @param tenthPass seconds of the tenth
 * @param settledPass seconds of one a hundred passes later, the median of some
 * @param firstToken seconds from 512 ids to the first one drawn
 * @param weights bytes laid out
 * @param cache bytes of keys and values for each token of context
 * @param peak most bytes resident while all this ran, with 1,024 tokens of context; 0 where the system doesn't say
 */
record StartFigures(
        double loadSeconds,
        double firstPasses,
        double tenthPass,
        double settledPass,
        double firstToken,
        long weights,
        long cache,
        long peak) {}
