package uzu.grammar;

/** Any number of any of the characters of a set that isn't empty. */
record UniformChars(CodePoints set) implements Chars {
    static final UniformChars ANY = new UniformChars(CodePoints.ANY);

    @Override
    public int start() {
        return 0;
    }

    @Override
    public int next(int state, int codePoint) {
        return set == CodePoints.ANY || set.contains(codePoint) ? 0 : -1;
    }

    @Override
    public boolean accepts(int state) {
        return true;
    }

    @Override
    public boolean isUniform() {
        return true;
    }

    @Override
    public int distance(int state, int min, int max, Writing writing) {
        return min == 0 ? 0 : Cost.times(least(0, CodePoints.LAST, writing), min);
    }

    @Override
    public int distanceAfter(int state, int first, int last, int min, int max, Writing writing) {
        boolean some = set == CodePoints.ANY || least(first, last, writing) < Cost.NEVER;
        return some ? distance(state, min, max, writing) : Cost.NEVER;
    }

    @Override
    public int farthest() {
        return 0;
    }

    private int least(int first, int last, Writing writing) {
        int least = Cost.NEVER;
        for (int i = 0; i < set.size(); i++) {
            if (set.last(i) >= first && set.first(i) <= last) {
                least = Math.min(least, writing.bytes(Math.max(first, set.first(i)), Math.min(last, set.last(i))));
            }
        }
        return least;
    }
}
