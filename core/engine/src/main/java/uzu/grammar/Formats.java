package uzu.grammar;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON Schema's {@code format}s as regular expressions over a string's characters, each as narrow as its RFC or
 * narrower: a text that one allows is valid.
 */
final class Formats {
    /** RFC 3339; leap years have a 29th of February. */
    private static final String DATE = "(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"
            + "|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))"
            + "|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";

    private static final String OFFSET = "(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
    private static final String UTC = "(?:[Zz]|[+-]00:00)";

    /** A leap second is the last one of a day in UTC; those that other offsets write otherwise are left out. */
    private static final String TIME =
            "(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?" + OFFSET + "|23:59:60(?:\\.\\d+)?" + UTC + ")";

    private static final String DURATION_TIME = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
    private static final String DURATION = "P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:"
            + DURATION_TIME + ")?|" + DURATION_TIME + ")";

    /** Labels with hyphens in third and fourth place are codes of other labels, which no expression can check. */
    private static final String LABEL = "(?:L(?:H?L|H(?:LL|-L|(?:LH|-L)H{0,58}L))?)"
            .replace("L", "[A-Za-z\\d]")
            .replace("H", "[A-Za-z\\d-]");
    /** Of three labels, or of eight short ones, so that it is never longer than 253. */
    private static final String HOST_NAME = "(?:" + LABEL + "(?:\\." + LABEL + "){0,2}|" + LABEL.replace("58", "25")
            + "(?:\\." + LABEL.replace("58", "25") + "){3,7})";

    private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String IPV4 = BYTE + "(?:\\." + BYTE + "){3}";
    private static final String IPV6 = ipv6();

    private static final String ATOM = "[A-Za-z\\d!#$%&'*+/=?^_`{|}~-]+";
    private static final String UNICODE_ATOM = "[A-Za-z\\d!#$%&'*+/=?^_`{|}~\\p{L}\\p{Nd}-]+";
    private static final String QUOTED = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~]){0,31}\"";
    /** Of three labels, or of six short ones, so that it is never longer than 189, and an address than 254. */
    private static final String DOMAIN = "(?:" + LABEL.replace("58", "57") + "(?:\\." + LABEL.replace("58", "57")
            + "){0,2}|" + LABEL.replace("58", "25") + "(?:\\." + LABEL.replace("58", "25") + "){3,5}|\\[(?:" + IPV4
            + "|IPv6:" + IPV6 + ")\\])";

    /** RFC 3986; what RFC 3987 adds to unreserved and to private characters. */
    private static final String MORE = "\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{1FFFD}\\u{20000}-"
            + "\\u{2FFFD}\\u{30000}-\\u{3FFFD}";

    private static final String POINTER = "(?:/(?:[^~/]|~[01])*)*";

    private static final String PATTERN = pattern(4);

    private static final String TEMPLATE_NAME = "(?:\\w|%[\\dA-Fa-f]{2})(?:\\.?(?:\\w|%[\\dA-Fa-f]{2}))*";
    private static final String TEMPLATE_VARIABLE = TEMPLATE_NAME + "(?::[1-9]\\d{0,3}|\\*)?";
    private static final String TEMPLATE = "(?:[^\\x00-\\x20\\x7F-\\x9F\"'%<>\\\\^`{|}]|%[\\dA-Fa-f]{2}|\\{[+#./;?&]?"
            + TEMPLATE_VARIABLE + "(?:," + TEMPLATE_VARIABLE + ")*\\})*";

    private static final Map<String, String> EXPRESSIONS = Map.ofEntries(
            Map.entry("date", DATE),
            Map.entry("time", TIME),
            Map.entry("date-time", DATE + "[Tt]" + TIME),
            Map.entry("duration", DURATION),
            Map.entry("email", mail(ATOM)),
            Map.entry("idn-email", mail(UNICODE_ATOM)),
            Map.entry("hostname", HOST_NAME),
            Map.entry("ipv4", IPV4),
            Map.entry("ipv6", IPV6),
            Map.entry("uri", uri("", true)),
            Map.entry("uri-reference", uri("", false)),
            Map.entry("iri", uri(MORE, true)),
            Map.entry("iri-reference", uri(MORE, false)),
            Map.entry("uri-template", TEMPLATE),
            Map.entry("uuid", "[\\dA-Fa-f]{8}(?:-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}"),
            Map.entry("json-pointer", POINTER),
            Map.entry("relative-json-pointer", "(?:0|[1-9]\\d*)(?:#|" + POINTER + ")"),
            Map.entry("regex", PATTERN));

    private Formats() {}

    /** The texts of a format; null for one that isn't known or, as {@code idn-hostname}, no regular language. */
    static @Nullable Syntax named(String format) {
        String expression = EXPRESSIONS.get(format);
        return expression == null ? null : RegexSyntax.whole(expression);
    }

    private static String mail(String atom) {
        // 64 characters before the sign; a quoted one has at most two a turn
        return "(?:(?=[^\"@]{1,64}@)" + atom + "(?:\\." + atom + ")*|" + QUOTED + ")@" + DOMAIN;
    }

    /** Eight groups of sixteen bits, of which the last two may be an IPv4 address and some that are 0 left out. */
    private static String ipv6() {
        String group = "[\\dA-Fa-f]{1,4}";
        String last = "(?:" + group + ":" + group + "|" + IPV4 + ")";
        StringBuilder ways = new StringBuilder("(?:(?:" + group + ":){6}" + last);
        for (int before = 0; before <= 7; before++) {
            String head = before == 0 ? "" : before == 1 ? group : group + "(?::" + group + "){" + (before - 1) + "}";
            ways.append('|').append(head).append("::");
            int after = 7 - before;
            // up to so many groups behind the gap, which stands for one at least
            if (after >= 2) {
                ways.append("(?:(?:" + group + ":){0," + (after - 2) + "}" + last + "|" + group + ")?");
            } else if (after == 1) {
                ways.append("(?:" + group + ")?");
            }
        }
        return ways.append(')').toString();
    }

    private static String uri(String more, boolean absolute) {
        String escaped = "%[\\dA-Fa-f]{2}";
        String unreserved = "A-Za-z\\d._~" + more + "-";
        String character = "(?:[!$&'()*+,;=:@" + unreserved + "]|" + escaped + ")";
        String user = "(?:(?:[!$&'()*+,;=:" + unreserved + "]|" + escaped + ")*@)?";
        String name = "(?:[!$&'()*+,;=" + unreserved + "]|" + escaped + ")*";
        String future = "[Vv][\\dA-Fa-f]+\\.[!$&'()*+,;=:A-Za-z\\d._~-]+";
        String host = "(?:\\[(?:" + IPV6 + "|" + future + ")\\]|" + name + ")";
        String authority = "//" + user + host + "(?::\\d*)?(?:/" + character + "*)*";
        String rooted = "/(?:" + character + "+(?:/" + character + "*)*)?";
        String rootless = character + "+(?:/" + character + "*)*";
        String noColon = "(?:[!$&'()*+,;=@" + unreserved + "]|" + escaped + ")+(?:/" + character + "*)*";
        String query = "(?:\\?(?:[/?" + (more.isEmpty() ? "" : "\\uE000-\\uF8FF") + "]|" + character + ")*)?";
        String fragment = "(?:#(?:[/?]|" + character + ")*)?";
        String full = "[A-Za-z][A-Za-z\\d+.-]*:(?:" + authority + "|" + rooted + "|" + rootless + ")?";
        String relative = "(?:" + authority + "|" + rooted + "|" + noColon + ")?";
        return "(?:" + full + (absolute ? "" : "|" + relative) + ")" + query + fragment;
    }

    /** ECMA 262 with the flag u, groups nested to a depth: all of it is no regular language. */
    private static String pattern(int depth) {
        String escape =
                "\\\\(?:[dDwWsStnvfr0^$\\\\.*+?()\\[\\]{}|/]|c[A-Za-z]|x[\\dA-Fa-f]{2}|u[0-9A-Ca-cEe][\\dA-Fa-f]{3})";
        String set = "\\[\\^?(?:[^\\\\\\]\\[-]|" + escape + ")*\\]";
        String group = depth == 0 ? "" : "|\\((?:\\?:)?" + pattern(depth - 1) + "\\)";
        String atom = "(?:[^\\\\^$.*+?()\\[\\]{}|]|\\.|" + escape + "|" + set + group + ")";
        String term = "(?:[$^]|" + atom + "(?:[*+?]\\??|\\{\\d{1,3},?\\}\\??)?)";
        return "(?:" + term + "|\\|)*";
    }
}
