package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FormatsTest {
    @ParameterizedTest
    @ValueSource(strings = {"draft7", "draft2020-12"})
    void allowWhatTheSuiteAllowsAndNothingElse(String draft) throws IOException {
        int valid = 0;
        List<String> missed = new ArrayList<>();
        for (SchemaSuite.Group group : new SchemaSuite(draft).optional("format")) {
            JsonNode schema = JsonMapper.shared().readTree(group.schema());
            Syntax syntax = Formats.named(schema.get("format").asString());
            if (syntax == null) {
                continue;
            }
            for (SchemaSuite.Case each : group.cases()) {
                JsonNode data = JsonMapper.shared().readTree(each.data());
                if (!data.isString()) {
                    continue;
                }
                boolean accepted = SyntaxMatcher.accepts(syntax, data.asString());
                assertFalse(accepted && !each.valid(), () -> group + ": " + each);
                valid += each.valid() ? 1 : 0;
                if (each.valid() && !accepted) {
                    missed.add(group.file() + " " + data.asString());
                }
            }
        }
        assertEquals(
                Set.of(
                        "date-time 1998-12-31T15:59:60.123-08:00",
                        "time 01:29:60+01:30",
                        "time 23:29:60+23:30",
                        "time 15:59:60-08:00",
                        "time 00:29:60-23:30",
                        "hostname xn--4gbwdl.xn--wgbh1c",
                        "idn-email 실례@실례.테스트"),
                Set.copyOf(missed));
        assertTrue(valid > 100, "valid instances: " + valid);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "date 2000-02-29 true",
                "date 1900-02-29 false",
                "date 2400-02-29 true",
                "date 2100-02-29 false",
                "date 2024-02-29 true",
                "date 2023-02-29 false",
                "date 2024-04-31 false",
                "date 2024-00-10 false",
                "time 23:59:60.5Z true",
                "time 12:00:00.Z false",
                "hostname a.b-c.d true",
                "hostname ab--c.d false",
                "hostname a--b true",
                "hostname a- false",
                "hostname a..b false",
                "hostname abc.-d false",
                "ipv4 1.2.3.4 true",
                "ipv4 01.2.3.4 false",
                "ipv6 1::8 true",
                "ipv6 1:2:3:4:5:6:7:: true",
                "ipv6 ::2:3:4:5:6:7:8 true",
                "ipv6 1:2:3:4:5:6:7::8 false",
                "ipv6 1:2:3:4:5:6:1.2.3.4 true",
                "ipv6 1:2:3:4:5::1.2.3.4 true",
                "ipv6 1:2:3:4:5:6::1.2.3.4 false",
                "ipv6 1:2:3:4:5:6:7:1.2.3.4 false",
                "ipv6 ::1.2.3.4 true",
                "email a@b true",
                "email a@b@c false",
                "email a\\@b false",
                "email \"a\\@b\"@c true",
                "uri a: true",
                "uri a:b:c true",
                "uri a//b false",
                "uri http://a/%2g false",
                "uri http://[::1]:80/ true",
                "uri http://[::1/ false",
                "uri http://ä/ false",
                "iri http://ä/ true",
                "uri-reference a:b true",
                "uri-reference ./a:b true",
                "uri-reference :b false",
                "uri-reference ?a#b true",
                "json-pointer /a~1b true",
                "json-pointer a false",
                "relative-json-pointer 0# true",
                "uri-template {+a,b*}x true",
                "uri-template {a:0} false",
                "uri-template {} false",
                "regex (a|b)*[^c]{2} true",
                "regex a** false",
                "regex [b-a] false",
                "regex a{2,1} false",
                "uuid 2eb8aa08-aa98-11ea-b4aa-73b441d16380 true",
                "duration P1Y2D false",
                "duration P1YT1H true",
            })
    void areExact(String format, String text, boolean valid) {
        Syntax syntax = Formats.named(format);
        assertNotNull(syntax);
        assertEquals(valid, SyntaxMatcher.accepts(syntax, text));
    }

    @Test
    void lengthsAreLimited() {
        Syntax host = Formats.named("hostname");
        String label = "a".repeat(63);
        assertTrue(SyntaxMatcher.accepts(host, label + "." + label + "." + label));
        assertFalse(SyntaxMatcher.accepts(host, label + "." + label + "." + label + "." + "a".repeat(62)));
        assertTrue(SyntaxMatcher.accepts(host, "a.".repeat(7) + "a"));
        assertFalse(SyntaxMatcher.accepts(host, "a".repeat(64)));
        Syntax mail = Formats.named("email");
        assertTrue(SyntaxMatcher.accepts(mail, "a".repeat(64) + "@b"));
        assertFalse(SyntaxMatcher.accepts(mail, "a".repeat(65) + "@b"));
    }

    @Test
    void theOthersAreNotKnown() {
        assertNull(Formats.named("idn-hostname"));
        assertNull(Formats.named("color"));
    }
}
