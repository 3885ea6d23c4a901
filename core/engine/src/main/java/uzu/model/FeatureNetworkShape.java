package uzu.model;

import java.util.Map;
import java.util.Set;
import uzu.UzuException;
import uzu.format.Metadata;

/**
 * What a network file says of itself: metadata under {@code feature.}.
 *
 * @param targetLayers whose outputs it reads, counted from 0
 * @param targetWidth columns of each of them
 * @param width columns of its own layer
 * @param tokens which token each row of its readout stands for
 * @param clip bound of standardised features
 * @param temperature of the target's distribution that it learned to give
 * @param fingerprint of the target it was trained on
 */
record FeatureNetworkShape(
        int[] targetLayers,
        int targetWidth,
        int width,
        int heads,
        int kvHeads,
        int headSize,
        int feedForward,
        int[] tokens,
        double ropeBase,
        float epsilon,
        float clip,
        float temperature,
        String fingerprint) {
    static final String PREFIX = "feature";

    static FeatureNetworkShape read(Metadata metadata) {
        Settings settings = new GgufSettings(metadata, PREFIX);
        settings.ignore(Set.of("target_layers", "tokens", "fingerprint"));
        FeatureNetworkShape shape = new FeatureNetworkShape(
                metadata.ints(PREFIX + ".target_layers"),
                settings.count(null, "target_width", 1 << 20),
                settings.count(null, "width", 1 << 20),
                settings.count(null, "heads", 1 << 14),
                settings.count(null, "kv_heads", 1 << 14),
                settings.count(null, "head_size", 1 << 12),
                settings.count(null, "feed_forward", 1 << 24),
                metadata.ints(PREFIX + ".tokens"),
                metadata.number(PREFIX + ".rope_base"),
                (float) metadata.number(PREFIX + ".epsilon"),
                (float) metadata.number(PREFIX + ".clip"),
                (float) metadata.numberOr(PREFIX + ".temperature", 1),
                metadata.string(PREFIX + ".fingerprint"));
        settings.ignore(Set.of("rope_base", "epsilon", "clip", "temperature"));
        int vocabulary = settings.count(null, "vocabulary", 1 << 24);
        settings.finish();
        check(vocabulary == shape.tokens.length, "vocabulary", vocabulary + " with " + shape.tokens.length + " tokens");
        check(shape.targetLayers.length > 0, "target_layers", "empty");
        check(shape.heads % shape.kvHeads == 0, "kv_heads", shape.kvHeads + " with " + shape.heads + " heads");
        check(shape.headSize % 2 == 0, "head_size", "odd");
        check(shape.ropeBase > 1 && shape.ropeBase < 1e12, "rope_base", String.valueOf(shape.ropeBase));
        check(shape.epsilon > 0, "epsilon", String.valueOf(shape.epsilon));
        check(shape.clip > 0, "clip", String.valueOf(shape.clip));
        check(shape.temperature > 0 && shape.temperature < 100, "temperature", String.valueOf(shape.temperature));
        return shape;
    }

    int features() {
        return Math.multiplyExact(targetLayers.length, targetWidth);
    }

    static void check(boolean holds, String key, String found) {
        if (!holds) {
            throw new UzuException.ModelCorrupt(
                    "the network's " + PREFIX + "." + key + " is " + found, Map.of("key", PREFIX + "." + key));
        }
    }
}
