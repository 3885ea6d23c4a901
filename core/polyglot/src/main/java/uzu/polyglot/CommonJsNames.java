package uzu.polyglot;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that a file of CommonJS seems to export, found without running it, as Node.js does when such a file is imported
 * by name. What isn't found is still a property of the default export.
 */
final class CommonJsNames {
    private static final String NAME = "([A-Za-z_$][\\w$]*)";
    private static final List<Pattern> ASSIGNED = List.of(
            Pattern.compile("\\bexports\\." + NAME + "\\s*="),
            Pattern.compile("\\bexports\\[['\"]" + NAME + "['\"]\\]\\s*="),
            Pattern.compile("\\bdefineProperty\\(\\s*(?:module\\.)?exports\\s*,\\s*['\"]" + NAME + "['\"]"));
    private static final Pattern OBJECT = Pattern.compile("\\bmodule\\.exports\\s*=\\s*\\{([^{}]*)");
    private static final Pattern KEY =
            Pattern.compile("(?:^|,)\\s*(?:get\\s+)?['\"]?" + NAME + "['\"]?\\s*(?=[,:(]|$)");
    private static final Pattern REEXPORTED = Pattern.compile(
            "(?:__exportStar\\(|__reExport\\([^,]*,|\\bmodule\\.exports\\s*=|__export\\()\\s*require\\(['\"]([^'\"]+)['\"]\\)");

    private CommonJsNames() {}

    static TreeSet<String> in(String text) {
        TreeSet<String> names = new TreeSet<>();
        for (Pattern pattern : ASSIGNED) {
            pattern.matcher(text).results().forEach(found -> names.add(found.group(1)));
        }
        Matcher object = OBJECT.matcher(text);
        while (object.find()) {
            KEY.matcher(object.group(1)).results().forEach(found -> names.add(found.group(1)));
        }
        names.remove("default");
        names.remove("__esModule");
        return names;
    }

    /** What the file hands on the exports of. */
    static List<String> reexported(String text) {
        return REEXPORTED.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
