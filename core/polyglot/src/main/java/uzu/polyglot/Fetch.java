package uzu.polyglot;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import javax.net.ssl.SSLException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * What {@code fetch.js} makes the web's fetch of: requests by Java's client, each on a thread that waits, and bodies that
 * are read as far as somebody asks.
 */
final class Fetch {
    private static final int CHUNK = 1 << 16;
    /** The client's own business. */
    private static final Set<String> FORBIDDEN = Set.of("connection", "content-length", "expect", "host", "upgrade");

    private final EventLoop loop;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "uzu-fetch");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient following = client(HttpClient.Redirect.NORMAL);
    private final HttpClient staying = client(HttpClient.Redirect.NEVER);

    Fetch(EventLoop loop) {
        this.loop = loop;
    }

    private static HttpClient client(HttpClient.Redirect redirect) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(redirect)
                .build();
    }

    HostFunctions open() {
        return new HostFunctions(new Exchange()::function);
    }

    /** One request and its response, one step at a time; all but the waiting on the loop's thread. */
    private final class Exchange {
        private @Nullable Value waiting;
        private @Nullable Future<?> step;
        private volatile @Nullable InputStream body;
        private volatile boolean cancelled;

        @Nullable ProxyExecutable function(String name) {
            return switch (name) {
                case "send" -> this::send;
                case "read" -> this::read;
                case "cancel" -> this::cancel;
                default -> null;
            };
        }

        /** (method, address, whether to follow, names and values of headers, buffer or null, function of the response) */
        private @Nullable Object send(Value... values) {
            String method = values[0].asString();
            String address = values[1].asString();
            boolean follows = values[2].asBoolean();
            @Nullable String[] headers = values[3].as(String[].class);
            byte @Nullable [] content = values[4].isNull() ? null : bytes(values[4]);
            begin(values[5], () -> response(follows, request(method, address, headers, content)));
            return null;
        }

        private @Nullable Object[] response(boolean follows, HttpRequest request) throws Exception {
            HttpResponse<InputStream> response =
                    (follows ? following : staying).send(request, BodyHandlers.ofInputStream());
            String encoding = response.headers().firstValue("content-encoding").orElse("");
            body = hasNoBody(request, response)
                    ? response.body()
                    : decoded(response.body(), encoding.toLowerCase(Locale.ROOT));
            if (cancelled) {
                response.body().close();
            }
            List<Object> fields = new ArrayList<>();
            response.headers()
                    .map()
                    .forEach((name, values) -> values.forEach(value -> {
                        fields.add(name);
                        fields.add(value);
                    }));
            String address = response.uri().toString();
            boolean redirected = response.previousResponse().isPresent();
            return new @Nullable Object[] {null, response.statusCode(), ProxyArray.fromList(fields), address, redirected
            };
        }

        /** (function of the next bytes, null at the end) */
        private @Nullable Object read(Value... values) {
            begin(values[0], () -> {
                byte[] chunk = new byte[CHUNK];
                InputStream from = body;
                int count = from == null ? -1 : from.read(chunk);
                return new @Nullable Object[] {
                    null, count < 0 ? null : ByteBuffer.wrap(chunk, 0, count).slice()
                };
            });
            return null;
        }

        private void begin(Value done, Callable<@Nullable Object[]> action) {
            waiting = done;
            loop.hold(true);
            step = threads.submit(() -> {
                @Nullable Object[] result;
                try {
                    result = action.call();
                } catch (Exception failure) {
                    result = new @Nullable Object[] {ProxyArray.fromArray(code(failure), message(failure))};
                }
                @Nullable Object[] answer = result;
                loop.post(() -> {
                    if (waiting == done) {
                        waiting = null;
                        loop.hold(false);
                        done.executeVoid(answer);
                    }
                });
            });
        }

        private @Nullable Object cancel(Value... none) {
            cancelled = true;
            if (waiting != null) {
                waiting = null;
                loop.hold(false);
            }
            Future<?> running = step;
            if (running != null) {
                running.cancel(true);
            }
            InputStream open = body;
            if (open != null) {
                threads.execute(() -> close(open));
            }
            return null;
        }
    }

    private static HttpRequest request(
            String method, String address, @Nullable String[] headers, byte @Nullable [] content) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .method(method, content == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content))
                .setHeader("user-agent", "uzu")
                .setHeader("accept", "*/*")
                .setHeader("accept-encoding", "gzip, deflate");
        for (int i = 0; i < headers.length; i += 2) {
            String name = String.valueOf(headers[i]);
            if (!FORBIDDEN.contains(name)) {
                request.setHeader(name, String.valueOf(headers[i + 1]));
            }
        }
        return request.build();
    }

    /** Its headers are those of a body that isn't sent. */
    private static boolean hasNoBody(HttpRequest request, HttpResponse<?> response) {
        return request.method().equals("HEAD") || response.statusCode() == 204 || response.statusCode() == 304;
    }

    private static InputStream decoded(InputStream body, String encoding) throws IOException {
        return switch (encoding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(body);
            case "deflate" -> new InflaterInputStream(body);
            default -> body;
        };
    }

    static byte[] bytes(Value buffer) {
        byte[] bytes = new byte[(int) buffer.getBufferSize()];
        buffer.readBuffer(0, bytes, 0, bytes.length);
        return bytes;
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException failure) {
            // Nobody reads it any more.
        }
    }

    /** As Node.js names it. */
    private static String code(Exception failure) {
        Throwable cause = failure.getCause();
        boolean isUnknown = failure instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || (cause != null && cause.getCause() instanceof UnresolvedAddressException);
        if (isUnknown) {
            return "ENOTFOUND";
        }
        return switch (failure) {
            case ConnectException refused -> "ECONNREFUSED";
            case HttpTimeoutException late -> "ETIMEDOUT";
            case SSLException insecure -> "ERR_TLS";
            case IllegalArgumentException wrong -> "ERR_INVALID_ARG_VALUE";
            default -> "ECONNRESET";
        };
    }

    private static String message(Exception failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? code(failure) : message;
    }
}
