package uzu.tokenizer;

import java.text.Normalizer.Form;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happens to a text before it is cut into pieces. */
record Normalizer(List<Step> steps) {
    static final Normalizer NONE = new Normalizer(List.of());

    sealed interface Step {
        String apply(String text);
    }

    record Unicode(Form form) implements Step {
        @Override
        public String apply(String text) {
            String ordered = MarkRuns.ordered(text);
            return java.text.Normalizer.isNormalized(ordered, form)
                    ? ordered
                    : java.text.Normalizer.normalize(ordered, form);
        }
    }

    record Prepend(String prefix) implements Step {
        @Override
        public String apply(String text) {
            return text.isEmpty() ? text : prefix + text;
        }
    }

    record Replace(Pattern pattern, String content) implements Step {
        static Replace literal(String from, String to) {
            return new Replace(Pattern.compile(from, Pattern.LITERAL), to);
        }

        @Override
        public String apply(String text) {
            return pattern.matcher(text).replaceAll(Matcher.quoteReplacement(content));
        }
    }

    record Strip(boolean left, boolean right) implements Step {
        @Override
        public String apply(String text) {
            int from = 0;
            int to = text.length();
            while (left && from < to && Characters.isSpace(text.charAt(from))) {
                from++;
            }
            while (right && to > from && Characters.isSpace(text.charAt(to - 1))) {
                to--;
            }
            return text.substring(from, to);
        }
    }

    record Lowercase() implements Step {
        @Override
        public String apply(String text) {
            return text.toLowerCase(java.util.Locale.ROOT);
        }
    }

    String apply(String text) {
        String result = text;
        for (Step step : steps) {
            result = step.apply(result);
        }
        return result;
    }
}
