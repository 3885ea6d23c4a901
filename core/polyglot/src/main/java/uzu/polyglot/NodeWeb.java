package uzu.polyglot;

import java.net.IDN;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.UUID;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What {@code js/web} needs of Java. */
final class NodeWeb {
    private final SecureRandom random = new SecureRandom();
    private final EventLoop loop;
    private @Nullable Fetch fetch;

    NodeWeb(EventLoop loop) {
        this.loop = loop;
    }

    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "load" -> values -> JavaScript.expression(Context.getCurrent(), values[0].asString());
            case "asciiName" -> values -> asciiName(values[0].asString());
            case "random" -> values -> random(values[0].asInt());
            case "uuid" -> values -> UUID.randomUUID().toString();
            case "digest" -> values -> digest(values[0].asString(), Fetch.bytes(values[1]));
            case "open" -> values -> fetch().open();
            default -> null;
        };
    }

    /** The name of a host in ASCII; null when it can't be one. */
    private static @Nullable String asciiName(String name) {
        try {
            return IDN.toASCII(name, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException wrong) {
            return null;
        }
    }

    private ByteBuffer random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer digest(String algorithm, byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException unknown) {
            throw new IllegalArgumentException("There is no digest " + algorithm, unknown);
        }
    }

    /** Its client costs time, and few scripts call servers. */
    private Fetch fetch() {
        Fetch made = fetch;
        if (made == null) {
            made = new Fetch(loop);
            fetch = made;
        }
        return made;
    }
}
