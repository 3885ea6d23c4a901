package uzu.chat.jinja;

/** Text being written, within the limit on text. */
final class Output {
    private final Budget budget;
    private final StringBuilder text = new StringBuilder();

    Output(Budget budget) {
        this.budget = budget;
    }

    Output append(String part) {
        grow(part.length());
        text.append(part);
        return this;
    }

    Output append(char part) {
        grow(1);
        text.append(part);
        return this;
    }

    Output appendCodePoint(int codePoint) {
        grow(2);
        text.appendCodePoint(codePoint);
        return this;
    }

    private void grow(int length) {
        int bound = budget.limits().text();
        if (text.length() + length > bound) {
            throw TemplateError.limit("text", bound);
        }
        if (length > 16) {
            budget.copy(length);
        }
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
