package uzu.tools;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code bench streams}: what a token costs on its way to a reader in each language, beside Java. All programs are loaded
 * at once, and read streams in turns: machines are slow now and fast then, for longer than a stream takes.
 */
record StreamBench(Workspace workspace) {
    private static final String USAGE =
            "usage: tools/tools bench streams [<model>] [--tokens N] [--rounds N] [--seconds N] [--cancels N]";
    private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\": ?([-+.eE\\d]+)");

    /** Until the JIT compilers have little to do. */
    private static final int TOKENS_BEFORE = 1000;

    int run(List<String> arguments) {
        Map<String, Integer> settings =
                new LinkedHashMap<>(Map.of("--tokens", 2000, "--rounds", 5, "--seconds", 1000, "--cancels", 5));
        String model = Models.DEFAULT;
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (!word.startsWith("--")) {
                model = word;
            } else if (settings.containsKey(word) && i + 1 < arguments.size()) {
                settings.put(word, number(arguments.get(++i)));
            } else {
                throw new Failure(USAGE, 2);
            }
        }
        List<Reader> readers = new ArrayList<>();
        try {
            programs(model).forEach((name, program) -> readers.add(new Reader(name, program)));
            readers.forEach(reader -> reader.ask(Integer.toString(TOKENS_BEFORE)));
            readInTurns(readers, settings);
        } finally {
            readers.forEach(Reader::end);
        }
        report(readers);
        return 0;
    }

    private static int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new Failure(USAGE, 2);
        }
    }

    private Map<String, Subprocess> programs(String model) {
        new PythonPackage(workspace).ensure();
        new JsPackage(workspace).ensure();
        Subprocess python = new PythonEnvironment(workspace)
                .python(workspace.python().resolve("tests/programs/overhead.py"), model);
        Map<String, Subprocess> programs = new LinkedHashMap<>();
        programs.put(
                "Java",
                new JavaProgram(workspace, workspace.tools().resolve("programs/StreamOverhead.java"))
                        .prepared()
                        .arguments(List.of(model)));
        programs.put("Python, asyncio", python);
        programs.put("Python, uzu.sync", python.arguments(List.of("sync")));
        programs.put(
                "Node.js",
                new NodeEnvironment(workspace)
                        .node("--import", workspace.tools().resolve("js/register.mjs"))
                        .arguments(List.of(workspace.js().resolve("test/programs/overhead.mjs"), model)));
        return programs;
    }

    private static void readInTurns(List<Reader> readers, Map<String, Integer> settings) {
        String tokens = settings.get("--tokens").toString();
        long end = System.nanoTime() + 1_000_000_000L * settings.get("--seconds");
        List<Reader> order = new ArrayList<>(readers);
        for (int round = 0; round < settings.get("--rounds") && System.nanoTime() < end; round++) {
            order.forEach(reader -> reader.streams.add(reader.ask(tokens)));
            // Nobody is always after the same.
            Collections.rotate(order, 1);
            if (round % readers.size() == readers.size() - 1) {
                Collections.reverse(order);
            }
        }
        for (Reader reader : readers) {
            for (int i = 0; i < settings.get("--cancels"); i++) {
                reader.cancels.add(reader.ask("cancel").get("cancelMilliseconds"));
            }
        }
    }

    private static void report(List<Reader> readers) {
        Reader java = readers.getFirst();
        System.out.println("| | ms a token | more than Java, µs | its threads, µs a token | tokens a chunk"
                + " | first chunk, ms | cancel, ms |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        for (Reader reader : readers) {
            List<Double> more = new ArrayList<>();
            for (int i = 0; i < reader.streams.size(); i++) {
                more.add(1000
                        * (reader.all("millisecondsPerToken").get(i)
                                - java.all("millisecondsPerToken").get(i)));
            }
            double tokens = mean(reader.all("tokens")) / mean(reader.all("chunks"));
            System.out.printf(
                    "| %s | %.3f | %+.0f ± %.0f | %.0f | %.1f | %.0f | %.1f, at most %.1f |%n",
                    reader.name,
                    mean(reader.all("millisecondsPerToken")),
                    mean(more),
                    errorOfMean(more),
                    mean(reader.all("busyMicrosecondsPerToken")),
                    tokens,
                    median(reader.all("firstMilliseconds")),
                    median(reader.cancels),
                    reader.cancels.stream().max(Double::compare).orElse(Double.NaN));
        }
        System.out.printf("%d streams each%n", java.streams.size());
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
    }

    private static double median(List<Double> values) {
        return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get(values.size() / 2);
    }

    private static double errorOfMean(List<Double> values) {
        double mean = mean(values);
        double squares = values.stream()
                .mapToDouble(each -> (each - mean) * (each - mean))
                .sum();
        return Math.sqrt(squares / (values.size() - 1) / values.size());
    }

    /** A program that is asked for a stream at a time. */
    private static final class Reader {
        final String name;
        final List<Map<String, Double>> streams = new ArrayList<>();
        final List<Double> cancels = new ArrayList<>();
        private final Process process;
        private final BufferedWriter input;
        private final BufferedReader output;

        Reader(String name, Subprocess program) {
            this.name = name;
            this.process = program.open();
            this.input = process.outputWriter();
            this.output = process.inputReader();
        }

        Map<String, Double> ask(String line) {
            try {
                input.write(line);
                input.newLine();
                input.flush();
                String answer = output.readLine();
                if (answer == null) {
                    throw new Failure(name + " has ended: the reason is above");
                }
                Map<String, Double> figures = new LinkedHashMap<>();
                for (Matcher each = NUMBER.matcher(answer); each.find(); ) {
                    figures.put(each.group(1), Double.parseDouble(each.group(2)));
                }
                return figures;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<Double> all(String figure) {
            return streams.stream().map(each -> each.get(figure)).toList();
        }

        void end() {
            try {
                input.close();
                process.waitFor();
            } catch (IOException e) {
                process.destroy();
            } catch (InterruptedException e) {
                process.destroy();
                throw new Failure("interrupted", 130);
            }
        }
    }
}
