package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import uzu.ErrorCode;
import uzu.UzuException;

class ErrorTest {
    private static void fails(String source, int line, String reason) {
        UzuException.TemplateFailed failure = Rendering.failure(source);
        assertEquals(reason, failure.details().get("reason"));
        assertEquals(Integer.toString(line), failure.details().get("line"));
        assertEquals("The chat template fails at line " + line + ": " + reason, failure.getMessage());
        assertEquals(ErrorCode.TEMPLATE_FAILED, failure.code());
    }

    @Test
    void whatATemplateRaisesIsTheReason() {
        fails(
                "a\n{% if true %}\n  {{ raise_exception('Roles must \"alternate\": é') }}\n{% endif %}",
                3, "Roles must \"alternate\": é");
    }

    @Test
    void faultsOfSyntaxHaveTheirLine() {
        fails("a\n{% foo %}", 2, "Encountered unknown tag 'foo'.");
        fails("a\n\n{{ 'b }}", 3, "unexpected char ''' at 6");
        fails("{# \n\n", 1, "Missing end of comment tag");
        fails("{{ a }\n}", 1, "unexpected '}'");
        fails("{{ 1 +\n\n}}", 3, "unexpected end of print statement");
        fails(
                "{% if x %}\n\n",
                2, "Unexpected end of template. Jinja was looking for the following tags: elif or else or endif");
        fails("{% include 'x' %}", 1, "Encountered unknown tag 'include'.");
        fails("{% break %}", 1, "'break' outside loop");
    }

    @Test
    void faultsOfEvaluationHaveTheLineOfTheirStatement() {
        fails("\n\n{{ 'a' + 1 }}", 3, "can only concatenate str (not \"int\") to str");
        fails("{% macro f() %}\n{{ 1 // 0 }}\n{% endmacro %}\n{{ f() }}", 2, "integer division or modulo by zero");
        fails("{% macro f() %}\nx\n{% endmacro %}\n\n{{ f(1) }}", 5, "macro 'f' takes not more than 0 argument(s)");
        fails("{{\n'a'\n| nope }}", 3, "No filter named 'nope' found.");
        fails("{% if 0 %}\n{% elif x.y %}{% endif %}\n", 2, "'x' is undefined");
    }

    @Test
    void aFilterThatIsNotThereMattersOnlyWhereItIsReached() {
        assertEquals("b", Rendering.render("{% if false %}{{ x | from_json }}{% else %}b{% endif %}"));
    }

    @Test
    void valuesOfOtherTypesAreTheCallersFault() {
        Template template = Template.parse("{{ x }}", Limits.DEFAULT);
        var failure = assertThrows(
                UzuException.InvalidArgument.class,
                () -> template.render(Map.of("x", new AtomicInteger(1)), Rendering.CLOCK));
        assertEquals(Map.of("field", "x"), failure.details());
    }
}
