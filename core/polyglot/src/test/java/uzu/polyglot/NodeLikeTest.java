package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What programs for Node.js expect beside the language: the web, packages of CommonJS, asynchronous contexts. */
@Timeout(120)
class NodeLikeTest {
    @TempDir
    Path folder;

    private final CountDownLatch left = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void aServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/echo", exchange -> {
            exchange.getResponseHeaders()
                    .set(
                            "X-Method",
                            exchange.getRequestMethod() + " "
                                    + exchange.getRequestHeaders().getFirst("content-type"));
            answer(exchange, 200, exchange.getRequestBody().readAllBytes());
        });
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "/echo");
            answer(exchange, 302, new byte[0]);
        });
        server.createContext("/packed", exchange -> {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(packed)) {
                out.write("{\"unpacked\": true}".getBytes(StandardCharsets.UTF_8));
            }
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            answer(exchange, 404, packed.toByteArray());
        });
        server.createContext("/parts", this::parts);
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead || body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(isHead ? new byte[0] : body);
        exchange.close();
    }

    /** Parts without end, until whoever reads them leaves. */
    private void parts(HttpExchange exchange) {
        try (OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 10_000; i++) {
                out.write(("part " + i + " ä\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                Thread.sleep(5);
            }
        } catch (IOException | InterruptedException gone) {
            left.countDown();
        }
    }

    @Test
    void fetchSendsAndReceives() throws Exception {
        assertEquals("""
                200 true GET null ''
                POST application/json { a: [ 1, 'ä' ] }
                PUT application/x-www-form-urlencoded;charset=UTF-8 x=1+2
                404 false { unpacked: true }
                TypeError fetch failed ECONNREFUSED
                TypeError Invalid URL
                """, js("""
                const show = async (response) => response.headers.get('x-method');
                const moved = await fetch(`${base}/moved`);
                console.log(moved.status, moved.redirected, await show(moved), [await moved.text()][0] === '' ? "''" : 'text');
                const json = await fetch(`${base}/echo`, {
                    method: 'post', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ a: [1, 'ä'] }),
                });
                console.log(await show(json), await json.json());
                const form = await fetch(new Request(`${base}/echo`, { method: 'PUT', body: new URLSearchParams({ x: '1 2' }) }));
                console.log(await show(form), await form.text());
                const packed = await fetch(new URL('/packed', base));
                console.log(packed.status, packed.ok, await packed.json());
                for (const address of ['http://127.0.0.1:1/', 'nowhere']) {
                    await fetch(address).catch((error) =>
                        console.log(error.name, error.message, ...[error.cause?.code ?? []].flat()));
                }
                """));
    }

    @Test
    void aBodyIsReadAsItComesAndLeftWhenNobodyReads() throws Exception {
        assertEquals("part 0 ä\nTimeoutError\nAbortError\ndone\n", js("""
                const response = await fetch(`${base}/parts`);
                for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
                    console.log(text.split('\\n')[0]);
                    break;
                }
                const late = await fetch(`${base}/parts`, { signal: AbortSignal.timeout(300) });
                await late.text().catch((error) => console.log(error.name));
                const leaving = new AbortController();
                const gone = fetch(`${base}/parts`, { signal: leaving.signal });
                leaving.abort();
                await gone.catch((error) => console.log(error.name));
                console.log('done');
                """));
        assertEquals(true, left.await(10, TimeUnit.SECONDS));
    }

    @Test
    void theHeadersOfAPackedBodyComeWithoutIt() throws Exception {
        assertEquals("404 gzip ''\n", js("""
                const head = await fetch(`${base}/packed`, { method: 'HEAD' });
                console.log(head.status, head.headers.get('content-encoding'), `'${await head.text()}'`);
                """));
    }

    @Test
    void whoLeavesOneOfTwoBranchesLeavesTheOther() throws Exception {
        assertEquals("[ 1, 2, 3 ]\n", js("""
                const [first, second] = ReadableStream.from([1, 2, 3]).tee();
                void first.cancel();
                const left = [];
                for await (const each of second) {
                    left.push(each);
                }
                console.log(left);
                """));
    }

    @Test
    void packagesOfCommonJsAreRequiredAndImported() throws Exception {
        write("node_modules/old/package.json", "{\"name\": \"old\", \"main\": \"./lib\"}");
        write("node_modules/old/lib/index.js", """
                Object.defineProperty(exports, '__esModule', { value: true });
                exports.twice = (n) => 2 * n;
                exports.default = require('./deep').name + require('new-er').name;
                __exportStar(require('./deep'), exports);
                function __exportStar(from, to) { Object.assign(to, { name: from.name }); }
                """);
        write("node_modules/old/lib/deep.js", "module.exports = { name: require('node:path').basename(__filename) };");
        write("node_modules/old/node_modules/new-er/package.json", """
                {"exports": {"import": "./no.mjs", "require": "./yes.cjs"}, "imports": {"#own": "./own.cjs"}}""");
        write("node_modules/old/node_modules/new-er/yes.cjs", "exports.name = require('#own');");
        write("node_modules/old/node_modules/new-er/own.cjs", "module.exports = '!';");
        write("data.json", "{\"n\": 3}");
        assertEquals("""
                { name: 'deep.js', twice: 4, default: 'deep.js!' }
                3 3 true
                MODULE_NOT_FOUND ERR_REQUIRE_ESM
                """, js("""
                import old, { name, twice } from 'old';
                import data from './data.json' with { type: 'json' };
                import { createRequire } from 'node:module';
                console.log({ name, twice: twice(2), default: old.default });
                const require = createRequire(import.meta.url);
                console.log(data.n, require('./data').n, require('old') === old);
                const code = (name) => { try { require(name); } catch (error) { return error.code; } };
                console.log(code('nowhere'), code('./main.mjs'));
                """));
        Path program =
                write("program.cjs", "console.log(require.main === module, require('fs').existsSync(__dirname));");
        assertEquals("true true\n", Launched.run("js", program).out());
    }

    @Test
    void whatIsStoredFollowsTheProgram() throws Exception {
        assertEquals("undefined\n{ id: 1 } { id: 2 }\n{ id: 1 } { id: 1 }\n", js("""
                import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
                const storage = new AsyncLocalStorage();
                const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
                const later = async () => {
                    await pause();
                    return storage.getStore();
                };
                const [one, two] = [storage.run({ id: 1 }, later), storage.run({ id: 2 }, later)];
                console.log(storage.getStore());
                console.log(await one, await two);
                const bound = storage.run({ id: 1 }, () => AsyncResource.bind(() => storage.getStore()));
                const timed = new Promise((resolve) => storage.run({ id: 1 }, () => setTimeout(() => resolve(storage.getStore()))));
                console.log(bound(), await timed);
                """));
    }

    @Test
    void theWebsGlobalsAreThere() throws Exception {
        assertEquals("""
                [object process] v22 36 true
                { a: Map(1) { 1 => [ 1970-01-01T00:00:00.000Z ] }, same: true }
                hé aMOp DataCloneError
                ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad 616263
                https://xn--mnchen-3ya.de/b?x=1+2#c
                once [ 'x' ] 1
                """, js("""
                import { createHash, randomUUID } from 'crypto';
                import { EventEmitter, once } from 'events';
                console.log(String(process), process.version.slice(0, 3), randomUUID().length,
                    crypto.getRandomValues(new Uint8Array(8)).some((byte) => byte > 0));
                const value = { a: new Map([[1, [new Date(0)]]]) };
                value.same = value;
                const copy = structuredClone(value);
                console.log({ a: copy.a, same: copy.same === copy });
                const refused = (() => { try { structuredClone(() => {}); } catch (error) { return error.name; } })();
                console.log(atob(btoa('hé')), Buffer.from('hé').toString('base64url').slice(0, 4), refused);
                console.log(createHash('sha256').update('abc').digest('hex'), Buffer.from('abc').toString('hex'));
                const url = new URL('../b?x=1 2#c', 'https://münchen.de/a/');
                url.searchParams.set('x', '1 2');
                console.log(url.href);
                const emitter = new EventEmitter();
                const came = once(emitter, 'e');
                emitter.emit('e', 'x');
                console.log('once', await came, emitter.listenerCount('e') + 1);
                """));
    }

    private String js(String script) throws Exception {
        String base = "http://127.0.0.1:" + server.getAddress().getPort();
        Launched launched = Launched.run("js", write("main.mjs", "const base = '" + base + "';\n" + script));
        return launched.out() + launched.errors();
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
