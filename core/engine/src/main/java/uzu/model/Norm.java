package uzu.model;

import uzu.backend.Op;
import uzu.backend.Value;
import uzu.backend.Weight;

/** RMS norm over runs of the weight's width. */
record Norm(Weight weight, float epsilon) {
    Op.Norm of(Value in, Value out) {
        return new Op.Norm(in, weight, epsilon, out);
    }
}
