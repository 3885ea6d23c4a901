package uzu.grammar;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Some texts by their code points, as a trie: node 0 is the empty text. */
final class NameTrie {
    private final List<int[]> labels = new ArrayList<>();
    private final List<int[]> children = new ArrayList<>();
    private final List<BigInteger> under = new ArrayList<>();
    private final List<Integer> names = new ArrayList<>();
    private final List<Integer> depths = new ArrayList<>();

    private final List<String> texts;
    private final boolean plain;

    NameTrie(List<String> texts) {
        this.texts = List.copyOf(texts);
        plain = texts.stream()
                .allMatch(text -> text.chars().allMatch(c -> c >= ' ' && c <= '~' && "\"\\/".indexOf(c) < 0));
        node(0);
        for (int name = 0; name < texts.size(); name++) {
            int node = 0;
            under.set(0, under.get(0).setBit(name));
            for (int c : texts.get(name).codePoints().toArray()) {
                int child = child(node, c);
                node = child < 0 ? add(node, c) : child;
                under.set(node, under.get(node).setBit(name));
            }
            names.set(node, name);
        }
    }

    /** Whether JSON has one way only to write its texts: printable ASCII that needs no escape and has none. */
    boolean isPlain() {
        return plain;
    }

    /** What is to come of each text that begins as {@code node} does, with the closing quote. */
    List<byte[]> rests(int node) {
        List<byte[]> rests = new ArrayList<>();
        BigInteger under = under(node);
        for (int name = under.getLowestSetBit(); name >= 0; name = under.getLowestSetBit()) {
            rests.add((texts.get(name).substring(depth(node)) + '"').getBytes(StandardCharsets.US_ASCII));
            under = under.clearBit(name);
        }
        return rests;
    }

    private int node(int depth) {
        labels.add(new int[0]);
        children.add(new int[0]);
        under.add(BigInteger.ZERO);
        names.add(-1);
        depths.add(depth);
        return labels.size() - 1;
    }

    private int add(int node, int label) {
        int child = node(depths.get(node) + 1);
        int[] there = labels.get(node);
        int at = -Arrays.binarySearch(there, label) - 1;
        labels.set(node, insert(there, at, label));
        children.set(node, insert(children.get(node), at, child));
        return child;
    }

    private static int[] insert(int[] into, int at, int value) {
        int[] longer = Arrays.copyOf(into, into.length + 1);
        System.arraycopy(into, at, longer, at + 1, into.length - at);
        longer[at] = value;
        return longer;
    }

    int size() {
        return labels.size();
    }

    int depth(int node) {
        return depths.get(node);
    }

    /** The child under a code point, −1 for none. */
    int child(int node, int label) {
        int at = Arrays.binarySearch(labels.get(node), label);
        return at < 0 ? -1 : children.get(node)[at];
    }

    /** The code points that lead on, rising. */
    int[] labels(int node) {
        return labels.get(node);
    }

    /** The text that ends here, −1 for none. */
    int name(int node) {
        return names.get(node);
    }

    /** The texts that begin so. */
    BigInteger under(int node) {
        return under.get(node);
    }
}
