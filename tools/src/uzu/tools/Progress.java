package uzu.tools;

/** One line for each thing that takes time, on standard error, so that a program's own output stays clean. */
final class Progress {
    private Progress() {}

    static void say(String line) {
        System.err.println("tools: " + line);
    }
}
