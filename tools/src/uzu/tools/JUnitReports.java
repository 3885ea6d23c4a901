package uzu.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Counts the test cases of JUnit XML reports, which Surefire and pytest both write. */
final class JUnitReports {
    private JUnitReports() {}

    static SuiteResult count(String suite, List<Path> reports) {
        int passed = 0;
        int failed = 0;
        Map<String, Integer> skipped = new TreeMap<>();
        for (Path report : reports) {
            NodeList cases = parse(report).getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                if (has(test, "failure") || has(test, "error")) {
                    failed++;
                } else if (has(test, "skipped")) {
                    skipped.merge(reason(test), 1, Integer::sum);
                } else {
                    passed++;
                }
            }
        }
        SuiteResult result = new SuiteResult(suite, passed, failed, skipped, Optional.empty());
        return passed + failed == 0 ? result.orFault("ran no tests") : result;
    }

    private static Element parse(Path report) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(report.toFile()).getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new Failure("cannot read the test report " + report + ": " + e.getMessage());
        }
    }

    private static boolean has(Element test, String outcome) {
        return test.getElementsByTagName(outcome).getLength() > 0;
    }

    private static String reason(Element test) {
        Element skipped = (Element) test.getElementsByTagName("skipped").item(0);
        // Surefire has no message for what JUnit aborts, only the stack that begins with it.
        String message = skipped.getAttribute("message");
        message = message.isEmpty() ? skipped.getTextContent().strip() : message;
        message = message.replaceFirst("^(org\\.opentest4j\\.TestAbortedException: )?(Assumption failed: )?", "");
        String line = message.lines().findFirst().orElse("").strip();
        return line.isEmpty() ? "no reason given" : line;
    }
}
