package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static uzu.chat.jinja.Rendering.render;

import org.junit.jupiter.api.Test;

class StatementTest {
    @Test
    void blocksTakeTheirLineWithThem() {
        assertEquals("a\n    b\nc", render("a\n  {% if true %}\n    b\n  {% endif %}\nc\n"));
    }

    @Test
    void dashesTakeAllSpaceAndPlusesNone() {
        assertEquals("abc", render("a \n {%- if true -%} \n b \n {%- endif -%} \n c"));
        assertEquals("a\n    b\n", render("a\n  {%+ if true +%}  b\n{% endif %}"));
    }

    @Test
    void rawTextIsLeftAlone() {
        assertEquals("{{ x }}{% if %}", render("{% raw %}{{ x }}{% if %}{% endraw %}"));
    }

    @Test
    void assignmentsInLoopsEndWithTheIteration() {
        assertEquals(
                "2,3,1", render("{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }},{% endfor %}{{ x }}"));
    }

    @Test
    void namespacesOutliveLoops() {
        assertEquals(
                "3",
                render("{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}"
                        + "{{ ns.n }}"));
    }

    @Test
    void loopsKnowTheirPlace() {
        assertEquals(
                "1/2 first a>b;2/2 last b<a;",
                render("{% for x in ['a', 'b'] %}{{ loop.index }}/{{ loop.length }} "
                        + "{{ 'first ' if loop.first }}{{ 'last ' if loop.last }}{{ x }}"
                        + "{% if loop.nextitem is defined %}>{{ loop.nextitem }}{% else %}<{{ loop.previtem }}{% endif %};"
                        + "{% endfor %}"));
    }

    @Test
    void loopsFilterBreakAndContinue() {
        assertEquals(
                "2:3 3:5 ",
                render("{% for x in range(9) if x % 2 %}{% if loop.first %}{% continue %}{% endif %}"
                        + "{% if x > 5 %}{% break %}{% endif %}{{ loop.index }}:{{ x }} {% endfor %}"));
    }

    @Test
    void loopsRecurse() {
        assertEquals(
                "1(2(3))",
                render("{% for x in [1, [2, [3]]] recursive %}"
                        + "{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}"));
    }

    @Test
    void macrosTakeDefaultsRestAndCaller() {
        assertEquals(
                "1-2 5-6", render("{% macro f(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ f(1) }} {{ f(b=6, a=5) }}"));
        assertEquals(
                "(2, 3){'k': 4}",
                render("{% macro f(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, 3, k=4) }}"));
        assertEquals(
                "<1=a>",
                render("{% macro f() %}<{{ caller(1) }}>{% endmacro %}{% call(i) f() %}{{ i }}=a{% endcall %}"));
    }

    @Test
    void blocksOfTextAreAssignedAndFiltered() {
        assertEquals("[AB]", render("{% set x | upper %}ab{% endset %}[{{ x }}]"));
        assertEquals("AB", render("{% filter upper %}ab{% endfilter %}"));
        assertEquals("12", render("{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}"));
    }

    @Test
    void generationRendersAsItsBody() {
        assertEquals("x1", render("{% generation %}x{% set y = 2 %}{% endgeneration %}{{ y | default(1) }}"));
    }

    @Test
    void targetsUnpack() {
        assertEquals("a=1;b=2;", render("{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }};{% endfor %}"));
        assertEquals("123", render("{% set a, (b, c) = 1, (2, 3) %}{{ a }}{{ b }}{{ c }}"));
    }
}
