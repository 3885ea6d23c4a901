package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import uzu.UzuException;

/** The language of a syntax that is regular. */
final class RegularLanguage {
    private RegularLanguage() {}

    static boolean isRegular(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Literal literal -> true;
            case Syntax.Characters characters -> true;
            case Syntax.Sequence sequence -> sequence.parts().stream().allMatch(RegularLanguage::isRegular);
            case Syntax.Choice choice -> choice.alternatives().stream().allMatch(RegularLanguage::isRegular);
            case Syntax.Repeat repeat -> isRegular(repeat.body());
            case Syntax.Both both -> isRegular(both.first()) && isRegular(both.second());
            case Syntax.Except except -> isRegular(except.first()) && isRegular(except.second());
            case Syntax.Until until -> true;
            case Syntax.Without without -> true;
            case Syntax.Reference reference -> false;
            case Syntax.Rules rules -> false;
            case Syntax.Json json -> false;
            case Syntax.JsonSchema schema -> false;
        };
    }

    static Rx of(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Literal literal -> Rx.text(literal.text());
            case Syntax.Characters characters -> Rx.letter(characters.set());
            case Syntax.Sequence sequence -> sequence(sequence.parts());
            case Syntax.Choice choice ->
                Rx.or(choice.alternatives().stream().map(RegularLanguage::of).toList());
            case Syntax.Repeat repeat -> Rx.repeat(of(repeat.body()), repeat.min(), repeat.max());
            case Syntax.Both both -> Rx.and(List.of(of(both.first()), of(both.second())));
            case Syntax.Except except -> Rx.and(List.of(of(except.first()), Rx.not(of(except.second()))));
            case Syntax.Until until -> until(until.marker());
            case Syntax.Without without -> without(without.markers());
            case Syntax.Reference reference -> throw notRegular(reference.rule());
            case Syntax.Rules rules -> throw notRegular("rules");
            case Syntax.Json json -> throw notRegular("json");
            case Syntax.JsonSchema schema -> throw notRegular("schema");
        };
    }

    private static UzuException notRegular(String what) {
        return new UzuException.GrammarUnsupported(
                "\"" + what + "\" stands where only a regular expression can", Map.of("keyword", what));
    }

    private static Rx sequence(List<Syntax> parts) {
        Rx rest = Rx.EMPTY;
        for (int i = parts.size() - 1; i >= 0; i--) {
            rest = Rx.chain(of(parts.get(i)), rest);
        }
        return rest;
    }

    private static Rx until(String marker) {
        Rx ended = Rx.chain(Rx.ALL, Rx.text(marker));
        Rx more = Rx.chain(Rx.text(marker), Rx.repeat(Rx.letter(CodePoints.ANY), 1, Syntax.UNBOUNDED));
        return Rx.and(List.of(ended, Rx.not(Rx.chain(Rx.ALL, more))));
    }

    private static Rx without(List<String> markers) {
        List<Rx> texts = new ArrayList<>();
        for (String marker : markers) {
            texts.add(Rx.chain(Rx.ALL, Rx.chain(Rx.text(marker), Rx.ALL)));
        }
        return Rx.not(Rx.or(texts));
    }
}
