package uzu.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import uzu.backend.Op;
import uzu.backend.Value;

/** Collects the operations of a program; scratch values are shared by name, so layers reuse them. */
final class Recorder {
    private final Map<String, Value> values = new LinkedHashMap<>();
    private List<Op> ops = new ArrayList<>();

    Value value(String name, int width) {
        Value value = values.computeIfAbsent(name, n -> new Value(values.size(), width, n));
        if (value.width() != width) {
            // layers of different widths don't share
            return value(name + "'", width);
        }
        return value;
    }

    void add(Op op) {
        ops.add(op);
    }

    void tap(String name, Value value) {
        ops.add(new Op.Tap(name, value));
    }

    List<Value> values() {
        return List.copyOf(values.values());
    }

    List<Op> takeOps() {
        List<Op> taken = List.copyOf(ops);
        ops = new ArrayList<>();
        return taken;
    }
}
