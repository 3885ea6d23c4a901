package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.UzuException;

/** Templates come with models from anywhere: whatever they ask for ends soon, in an error that names the limit. */
class LimitsTest {
    private static void exceeds(String limit, String source) {
        assertTimeoutPreemptively(Duration.ofSeconds(120), () -> {
            UzuException.TemplateFailed failure = Rendering.failure(source);
            assertEquals(limit, failure.details().get("limit"), failure.getMessage());
            assertTrue(failure.getMessage().contains("'" + limit + "'"), failure.getMessage());
        });
    }

    @Test
    void nestingOfSource() {
        exceeds("nesting", "{{ " + "(".repeat(5_000) + "1" + ")".repeat(5_000) + " }}");
        exceeds("nesting", "{{ " + "[".repeat(100_000));
        exceeds("nesting", "{{ " + "not ".repeat(5_000) + "1 }}");
        exceeds("nesting", "{{ " + "- ".repeat(5_000) + "1 }}");
        exceeds("nesting", "{{ x" + ".y".repeat(5_000) + " }}");
        exceeds("nesting", "{{ x" + "|abs".repeat(5_000) + " }}");
        exceeds("nesting", "{{ 1" + " if 1".repeat(5_000) + " }}");
        exceeds("nesting", "{% if 1 %}".repeat(5_000));
        exceeds("nesting", "{% for x in [1] %}".repeat(5_000));
        exceeds("nesting", "{% set " + "(".repeat(5_000));
    }

    @Test
    void longChainsAreNoNesting() {
        assertEquals("5001", Rendering.render("{{ 1" + " + 1".repeat(5_000) + " }}"));
        assertEquals("1".repeat(5_001), Rendering.render("{{ 1" + " ~ 1".repeat(5_000) + " }}"));
        assertEquals("1", Rendering.render("{{ 0" + " or 0".repeat(5_000) + " or 1 }}"));
        assertEquals("x", Rendering.render("{% if 0 %}" + "{% elif 0 %}".repeat(5_000) + "{% else %}x{% endif %}"));
    }

    @Test
    void steps() {
        String inner = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
        exceeds("steps", inner);
        exceeds("steps", "{% for a in range(100000) %}{{ range(100000) | sum }}{% endfor %}");
        exceeds("steps", "{% for a in range(100000) %}{% if -1 in range(100000) %}{% endif %}{% endfor %}");
        exceeds("steps", "{% set s = 'a' * 10000000 %}{% for a in range(100000) %}{% set t = s | upper %}{% endfor %}");
        exceeds("steps", "{% set s = 'a' * 10000000 %}{% for a in range(100000) %}{{ 'b' in s }}{% endfor %}");
    }

    @Test
    void depthOfRecursion() {
        exceeds("depth", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}");
        exceeds("depth", "{% macro f(x) %}{{ f([x]) }}{% endmacro %}{{ f(1) }}");
        exceeds("depth", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}");
        exceeds("depth", "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}");
    }

    @Test
    void depthOfValues() {
        String deep = "{% set ns = namespace(x=[]) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}{% endfor %}";
        exceeds("depth", deep + "{{ ns.x }}");
        exceeds("depth", deep + "{{ ns.x | tojson }}");
        exceeds("depth", deep + "{% set a = ns.x %}" + deep + "{{ a == ns.x }}");
        exceeds("depth", deep + "{% set a = ns.x %}" + deep + "{{ a < ns.x }}");
        exceeds("depth", "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}");
        String tuples = "{% set ns = namespace(x=()) %}{% for i in range(50000) %}{% set ns.x = (ns.x,) %}{% endfor %}";
        exceeds("depth", tuples + "{{ {ns.x: 1} }}");
    }

    @Test
    void valuesThatShareTheirPartsDoNotExplode() {
        String wide =
                "{% set ns = namespace(x=[1]) %}{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
        assertTimeoutPreemptively(Duration.ofSeconds(120), () -> {
            Rendering.failure(wide + "{{ ns.x | tojson }}");
            Rendering.failure(wide + "{{ ns.x }}");
            Rendering.failure(wide + "{% set a = ns.x %}" + wide + "{{ a == ns.x }}");
        });
    }

    @Test
    void lengthOfText() {
        exceeds("text", "{{ 'abc' * 1000000000 }}");
        exceeds(
                "text",
                "{% set ns = namespace(s='a') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}");
        exceeds(
                "text",
                "{% set ns = namespace(s='a') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}");
        exceeds("text", "{% set s = 'a' * 10000000 %}{{ s }}{{ s }}");
        exceeds("text", "{{ ('a' * 100000).replace('a', 'b' * 100000) }}");
        exceeds("text", "{{ (['a'] * 100000) | join('b' * 100000) }}");
        exceeds("text", "{{ 'a'.ljust(1000000000) }}");
        exceeds("text", "{{ 'a' | center(1000000000) }}");
        exceeds("text", "{{ '%1000000000d' % 1 }}");
        exceeds("text", "{{ '{:1000000000d}'.format(1) }}");
        exceeds("text", "{{ 'a' | indent(1000000000, true) }}");
        exceeds("text", "{{ [[]] | tojson(indent=1000000000) }}");
        exceeds("text", "{{ 'a\t' .expandtabs(1000000000) }}");
        exceeds("precision", "{{ '%.1000000f' % 1.5 }}");
    }

    @Test
    void lengthOfListsAndRanges() {
        exceeds("range", "{{ range(1000000) }}");
        exceeds("range", "{{ range(-9223372036854775807, 9223372036854775807) }}");
        exceeds("list", "{{ [1, 2] * 1000000000 }}");
        exceeds(
                "list",
                "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}");
        exceeds("list", "{{ [1] | batch(1000000000, 0) | list }}");
        exceeds("list", "{{ [1] | slice(1000000000, 0) | list }}");
        exceeds("list", "{{ ('a' * 10000000) | list }}");
    }

    @Test
    void sizeOfIntegers() {
        exceeds("integer bits", "{{ 9 ** 99999999 }}");
        exceeds(
                "integer bits",
                "{% set ns = namespace(x=3) %}{% for i in range(60) %}{% set ns.x = ns.x * ns.x %}{% endfor %}");
        exceeds("digits of an integer", "{{ " + "9".repeat(1_000_000) + " }}");
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 17, 1 << 19})
    void smallStacksOverflowIntoTheSameError(long stack) throws InterruptedException {
        var thrown = new Throwable[1];
        var thread = new Thread(
                null,
                () -> {
                    try {
                        Rendering.render("{% macro f(x) %}{{ f([f, [x, (x ~ f(x))]]) }}{% endmacro %}{{ f(1) }}");
                    } catch (Throwable e) {
                        thrown[0] = e;
                    }
                },
                "small",
                stack);
        thread.start();
        thread.join();
        assertEquals(UzuException.TemplateFailed.class, thrown[0].getClass());
        assertEquals("depth", ((UzuException) thrown[0]).details().get("limit"));
    }

    @Test
    void aTemplateWithinItsLimitsIsNotAffectedByTheLastOne() {
        var template = Template.parse(
                "{% for i in range(n) %}x{% endfor %}", new Limits(100, 1_000, 100, 500, 1_000, 1_000, 64));
        assertEquals("x".repeat(100), template.render(Map.of("n", 100), Rendering.CLOCK));
        assertEquals("x".repeat(100), template.render(Map.of("n", 100), Rendering.CLOCK));
    }
}
