package uzu.model;

import java.util.List;
import uzu.backend.Activation;
import uzu.backend.Op;
import uzu.backend.Value;

/** down(activation(gate·x) · up·x). */
record GatedMlp(Linear gate, Linear up, Linear down, Activation activation) {
    /** Leaves the gated values, before the down projection. */
    Value record(Recorder recorder, int layer, Value in) {
        int width = gate.weight().rows();
        Value g = recorder.value("gate", width);
        Value u = recorder.value("up", width);
        String name = "mod.layers." + layer + ".mlp.";
        recorder.add(new Op.MatMul(in, List.of(gate.into(g), up.into(u))));
        recorder.tap(name + "gate_proj", g);
        recorder.tap(name + "up_proj", u);
        recorder.add(new Op.Gate(activation, g, u, g));
        return g;
    }
}
