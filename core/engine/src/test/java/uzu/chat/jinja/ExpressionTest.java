package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static uzu.chat.jinja.Rendering.render;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpressionTest {
    private static String value(String expression) {
        return render("{{ " + expression + " }}");
    }

    @Test
    void integersHaveNoBound() {
        assertEquals("9223372036854775808", value("9223372036854775807 + 1"));
        assertEquals("-9223372036854775809", value("-9223372036854775808 - 1"));
        assertEquals("1267650600228229401496703205376", value("2 ** 100"));
        assertEquals("5", value("2 ** 100 % 7 + 3"));
    }

    @Test
    void divisionRoundsDown() {
        assertEquals("(-4, 1, -1, 3.5, -4.0)", value("-7 // 2, -7 % 2, 7 % -2, 7 / 2, -7.5 // 2"));
    }

    @Test
    void floatsAreWrittenAsPythonDoes() {
        assertEquals(
                "[0.30000000000000004, 1e+16, 1000000000000000.0, 1e-05, 0.0001, 5e-324, -0.0]",
                value("[0.1 + 0.2, 1e16, 1e15, 1e-5, 0.0001, 5e-324, -0.0]"));
    }

    @Test
    void filtersBindCloserThanConcatenationAndSigns() {
        assertEquals("aB", value("'a' ~ 'b' | upper"));
        assertEquals("1", value("-1 | abs"));
        assertEquals("64", value("2 ** 3 ** 2"));
    }

    @Test
    void comparisonsChain() {
        assertEquals("(True, False, True)", value("1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == true"));
    }

    @Test
    void logicGivesTheDecidingOperand() {
        assertEquals("('x', 0, 2, True)", value("'' or 'x', 0 and 1, 1 and 2, not []"));
    }

    @Test
    void slicesHaveSteps() {
        assertEquals(
                "('dcba', 'bd', [3, 2], (2, 3))", value("'abcd'[::-1], 'abcd'[1::2], [1,2,3][:0:-1], (1,2,3)[-2:]"));
    }

    @Test
    void stringsCountCodePoints() {
        assertEquals("(3, 'b', 'b🎉a')", value("'a🎉b' | length, 'a🎉b'[2], 'a🎉b'[::-1]"));
    }

    @Test
    void keysThatPythonHoldsEqualAreOneKey() {
        assertEquals("{1: 'c'}", value("{1: 'a', true: 'b', 1.0: 'c'}"));
    }

    @Test
    void dictsKeepTheirOrderAndPreferMethodsAfterADot() {
        Map<String, Object> variables = Map.of("d", Map.of("items", "own"));
        assertEquals("own [('items', 'own')]", render("{{ d['items'] }} {{ d.items() | list }}", variables));
        assertEquals("{'z': 1, 'a': 2}", value("{'z': 1, 'a': 2}"));
    }

    @Test
    void whatIsMissingIsEmptyUntilItIsUsed() {
        assertEquals("[] 0 none", render("[{{ a }}] {{ a | length }} {% for x in a %}{% else %}none{% endfor %}"));
        assertEquals("'a' is undefined", reason("{{ a.b }}"));
        assertEquals("'dict object' has no attribute 'b'", reason("{{ {}.b.c }}"));
        assertEquals("'None' has no attribute 'b'", reason("{{ none.b.c }}"));
    }

    private static String reason(String source) {
        return Rendering.failure(source).details().get("reason");
    }

    @Test
    void valuesCannotBeChanged() {
        assertEquals("access to attribute 'append' of 'list' object is unsafe.", reason("{{ [1].append(2) }}"));
        assertEquals("access to attribute '__class__' of 'str' object is unsafe.", reason("{{ ''.__class__.x }}"));
        assertEquals("False", value("[1].append is defined"));
    }

    @Test
    void generatorsAreLazyAndReadOnce() {
        assertEquals("truthy", render("{% if none | selectattr('x') %}truthy{% endif %}"));
        assertEquals("[1, 2][]", render("{% set g = [1, 0, 2] | select %}{{ g | list }}{{ g | list }}"));
        assertEquals("object of type 'generator' has no len()", reason("{{ [1] | select | length }}"));
        assertEquals("Object of type generator is not JSON serializable", reason("{{ [1] | map('abs') | tojson }}"));
    }

    @Test
    void jsonLeavesOtherCharactersThanAsciiAlone() {
        Map<String, Object> variables = Map.of("v", List.of("é🎉\u2028<'\"\\\n\u0001", 1.0, true));
        assertEquals("[\"é🎉\u2028<'\\\"\\\\\\n\\u0001\", 1.0, true]", render("{{ v | tojson }}", variables));
        assertEquals("{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}", value("{'b': [1], 'a': {}} | tojson(indent=2)"));
        assertEquals("{\"a\":2,\"b\":1}", value("{'b': 1, 'a': 2} | tojson(separators=(',', ':'), sort_keys=true)"));
        assertEquals("\"\\u00e9\\ud83c\\udf89\"", value("'é🎉' | tojson(ensure_ascii=true)"));
    }

    @Test
    void formatsInThreeWays() {
        assertEquals("x|  3.14|2a|+7|50%", value("'%s|%6.2f|%x|%+d|%d%%' % ('x', 3.14159, 42, 7, 50)"));
        assertEquals("1 b   |0042| 1,234", value("'{} {b:<4}|{:04d}|{:>6,}'.format(1, 42, 1234, b='b')"));
        assertEquals("a-1", value("'%s-%s' | format('a', 1)"));
    }

    @Test
    void onlySafeStringsEscapeWhatIsAddedToThem() {
        assertEquals("<b>&lt;i&gt;", value("('<b>' | safe) + '<i>'"));
        assertEquals("<b><i>", value("('<b>' | safe) ~ '<i>'"));
        assertEquals("<b><i>", value("'<b>' + '<i>'"));
    }
}
