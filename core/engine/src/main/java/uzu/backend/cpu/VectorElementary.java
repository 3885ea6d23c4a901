package uzu.backend.cpu;

import static uzu.backend.cpu.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** {@link Elementary}, line by line, on vectors. */
final class VectorElementary {
    private static final float ROUNDER = 12_582_912f;

    private VectorElementary() {}

    static FloatVector exp(FloatVector x) {
        VectorMask<Float> zero = x.lt(Elementary.EXP_ZERO);
        FloatVector bounded = x.min(Elementary.EXP_TOP);
        FloatVector shifted = bounded.fma(constant(1.44269504f), constant(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        FloatVector r = n.fma(constant(-0.693145752f), bounded);
        r = n.fma(constant(-1.42860677e-6f), r);
        FloatVector p = constant(0.00138145406f).fma(r, constant(0.00836874545f));
        p = p.fma(r, constant(0.041668389f));
        p = p.fma(r, constant(0.166665211f));
        p = p.fma(r, constant(0.49999994f));
        IntVector mantissa = r.mul(r).fma(p, r).add(1f).reinterpretAsInts();
        IntVector exponent = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23);
        return mantissa.add(exponent).reinterpretAsFloats().blend(0f, zero);
    }

    static FloatVector tanh(FloatVector x) {
        FloatVector magnitude = x.abs();
        FloatVector e = exp(magnitude.mul(-2f));
        FloatVector far = constant(1f).sub(e).div(constant(1f).add(e));
        IntVector sign = x.reinterpretAsInts().and(0x80000000);
        far = far.reinterpretAsInts().or(sign).reinterpretAsFloats();
        FloatVector square = x.mul(x);
        FloatVector p = constant(-0.00570498686f).fma(square, constant(0.020639088f));
        p = p.fma(square, constant(-0.0537397154f));
        p = p.fma(square, constant(0.133314416f));
        p = p.fma(square, constant(-0.333332807f));
        FloatVector near = x.mul(square).fma(p, x);
        return far.blend(near, magnitude.lt(0.625f));
    }

    static FloatVector silu(FloatVector x) {
        return x.div(exp(x.neg()).add(1f));
    }

    static FloatVector geluTanh(FloatVector x) {
        FloatVector inner = x.mul(x).mul(0.044715f).fma(x, x).mul(0.797884561f);
        return x.mul(0.5f).mul(tanh(inner).add(1f));
    }

    static FloatVector softCap(FloatVector x, float cap) {
        return tanh(x.div(cap)).mul(cap);
    }

    private static FloatVector constant(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }
}
