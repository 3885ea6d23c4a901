package uzu.model;

import org.jspecify.annotations.Nullable;
import uzu.backend.Op;
import uzu.backend.Value;
import uzu.backend.Weight;

/** y = W·x + b; {@code weight} is [out, in]. */
record Linear(Weight weight, @Nullable Weight bias) {
    Op.Projection into(Value out) {
        return new Op.Projection(weight, bias, out, false);
    }

    Op.Projection addedTo(Value out) {
        return new Op.Projection(weight, bias, out, true);
    }
}
