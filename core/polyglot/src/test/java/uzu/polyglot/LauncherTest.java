package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in processes of their own, as a user's shell sees them. */
@Timeout(120)
class LauncherTest {
    @TempDir
    Path folder;

    @Test
    void aModuleReadsItsArgumentsAndItsInput() throws Exception {
        Launched ended = js("""
                import { createInterface } from 'node:readline/promises';
                import { setTimeout as pause } from 'node:timers/promises';
                import { shout } from './part.mjs';
                const terminal = createInterface({ input: process.stdin, output: process.stdout });
                const name = await terminal.question('Who? ');
                terminal.close();
                await pause(5);
                console.log(shout(name), process.argv.slice(2), { n: 1, list: [1, 'a'] }, process.stdin.isTTY);
                process.on('exit', (status) => console.log('ends with', status));
                """, "ä", "b");
        assertEquals("Who? ADA [ 'ä', 'b' ] { n: 1, list: [ 1, 'a' ] } undefined\nends with 0\n", ended.out());
        assertEquals("", ended.errors());
        assertEquals(0, ended.status());
    }

    @Test
    void whatNobodyCatchesIsPrintedWithItsStack() throws Exception {
        Launched ended = js("""
                function fail() {
                    throw new RangeError('too far');
                }
                await null;
                fail();
                """);
        assertTrue(ended.errors().startsWith("RangeError: too far\n    at fail (" + folder), ended.errors());
        assertEquals(1, ended.status());
    }

    @Test
    void aPromiseThatNobodyHandlesEndsTheProgram() throws Exception {
        Launched ended = js("""
                setTimeout(() => console.log('never'), 10_000);
                Promise.reject(new TypeError('lost'));
                """);
        assertTrue(ended.errors().startsWith("TypeError: lost\n"), ended.errors());
        assertEquals("", ended.out());
        assertEquals(1, ended.status());
    }

    @Test
    void aProgramEndsWithTheStatusThatItWants() throws Exception {
        assertEquals(3, js("setTimeout(() => {}, 10_000); process.exit(3);").status());
        assertEquals(13, js("await new Promise(() => {});").status());
    }

    @Test
    void pythonEndsAsPythonDoes() throws Exception {
        Path file = Files.writeString(folder.resolve("main.py"), """
                import sys
                import os
                print(sys.stdout.isatty(), os.isatty(0), os.isatty(99))
                print(sys.argv[1:], sys.stdin.readline().strip(), __name__)
                raise ValueError("wrong")
                """);
        Launched ended = Launched.run("python", file, "ä");
        assertEquals("False False False\n['ä'] ada __main__\n", ended.out());
        assertTrue(ended.errors().startsWith("Traceback (most recent call last):\n"), ended.errors());
        assertTrue(ended.errors().endsWith("ValueError: wrong\n"), ended.errors());
        assertEquals(1, ended.status());
    }

    private Launched js(String script, String... arguments) throws Exception {
        Files.writeString(folder.resolve("part.mjs"), "export const shout = (text) => text.toUpperCase();");
        return Launched.run("js", Files.writeString(folder.resolve("main.mjs"), script), arguments);
    }
}
