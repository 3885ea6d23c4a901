package uzu.backend;

import java.util.List;

/**
 * A forward pass, recorded once for a model.
 *
 * @param values every scratch buffer, by index
 * @param layers the key/value layers that {@link Op.Store} and {@link Op.Attend} number
 * @param body run for all rows
 * @param hidden what the body leaves for the head
 * @param head run for only the rows whose logits are wanted, with {@code hidden} compacted to these rows
 * @param logits what the head leaves: one row of vocabulary width for each wanted row
 */
public record Program(
        List<Value> values, List<Layer> layers, List<Op> body, Value hidden, List<Op> head, Value logits) {
    /** Keys and values of one attention layer; {@code window} 0 sees everything. */
    public record Layer(int kvHeads, int headSize, int window) {}
}
