package uzu.speculate;

/** No constraint beyond the vocabulary. */
record AnyToken(int size) implements Constraint {
    @Override
    public boolean accepts(int token) {
        return token >= 0 && token < size;
    }

    @Override
    public Constraint after(int token) {
        return this;
    }

    @Override
    public boolean isFree() {
        return true;
    }
}
