package uzu.chat.jinja;

/**
 * How much a template may ask for. Each bound that is met ends the render with an error naming it.
 *
 * @param nesting depth of blocks and parentheses in the source
 * @param steps nodes evaluated, plus one for every 16 characters or values copied
 * @param depth nodes being evaluated at once, which bounds recursion of macros and loops
 * @param text characters of one string and of the output
 * @param range numbers of one {@code range()}, as in jinja2's sandbox
 * @param list values of one list
 * @param integerBits size of one integer; the default is the 4,300 digits that Python writes at most
 */
public record Limits(int nesting, long steps, int depth, int text, int range, int list, int integerBits) {
    public static final Limits DEFAULT = new Limits(100, 10_000_000, 1_000, 1 << 24, 100_000, 1 << 20, 14_280);
}
