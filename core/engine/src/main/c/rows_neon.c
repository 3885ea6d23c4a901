/* What uzu.backend.cpu.RowKernels lists, but for attention, as every 64-bit ARM runs it. */
#include "elementary_neon.h"

#include <math.h>

#include "kernels.h"

static float sum_of_squares(const float *x, int columns) {
    float32x4_t sums[4] = {set(0), set(0), set(0), set(0)};
    int c = 0;
    for (; c + 16 <= columns; c += 16)
        UNROLL for (int i = 0; i < 4; i++) {
            const float32x4_t v = vld1q_f32(x + c + 4 * i);
            sums[i] = vfmaq_f32(sums[i], v, v);
        }
    /* Zeros beyond the end add nothing: a sum of squares is never −0. */
    UNROLL for (int i = 0; i < 4; i++) {
        const float32x4_t v = load_part(x + c + 4 * i, columns - c - 4 * i);
        sums[i] = vfmaq_f32(sums[i], v, v);
    }
    return joined(sums[0], sums[1], sums[2], sums[3]);
}

void uzu_k_norm_neon(const float *in, int32_t runs, int32_t columns, const float *weight, float epsilon, float *out) {
    for (int run = 0; run < runs; run++, in += columns, out += columns) {
        const float mean = sum_of_squares(in, columns) / (float)columns;
        const float32x4_t factor = set(1.0f / sqrtf(mean + epsilon));
        for (int c = 0; c < columns; c += 4) {
            const float32x4_t y = vmulq_f32(load_part(in + c, columns - c), factor);
            store_part(out + c, columns - c, vmulq_f32(y, load_part(weight + c, columns - c)));
        }
    }
}

void uzu_k_rotate_neon(float *x, int32_t heads, int32_t head_size, int32_t half, const float *cosines,
                       const float *sines) {
    for (int head = 0; head < heads; head++, x += head_size) {
        for (int i = 0; i < half; i += 4) {
            const int n = half - i;
            const float32x4_t a = load_part(x + i, n), b = load_part(x + half + i, n);
            const float32x4_t c = load_part(cosines + i, n), s = load_part(sines + i, n);
            store_part(x + i, n, vsubq_f32(vmulq_f32(a, c), vmulq_f32(b, s)));
            store_part(x + half + i, n, vaddq_f32(vmulq_f32(b, c), vmulq_f32(a, s)));
        }
    }
}

static uint16x4_t brain_floats(float32x4_t v) {
    const uint32x4_t bits = vreinterpretq_u32_f32(v), upper = vshrq_n_u32(bits, 16);
    const uint32x4_t half = vaddq_u32(vandq_u32(upper, vdupq_n_u32(1)), vdupq_n_u32(0x7fff));
    const uint32x4_t rounded = vshrq_n_u32(vaddq_u32(bits, half), 16);
    const uint32x4_t quiet = vorrq_u32(upper, vdupq_n_u32(0x40));
    return vmovn_u32(vbslq_u32(vceqq_f32(v, v), rounded, quiet));
}

void uzu_k_store_neon(int32_t type, const float *in, int32_t count, void *out) {
    if (type == UZU_K_CACHE_F32) {
        memcpy(out, in, (size_t)count * sizeof(float));
        return;
    }
    uint16_t *to = out;
    for (int i = 0; i < count; i += 4) {
        const float32x4_t v = load_part(in + i, count - i);
        const uint16x4_t words = type == UZU_K_CACHE_F16 ? vreinterpret_u16_f16(vcvt_f16_f32(v)) : brain_floats(v);
        if (count - i >= 4) {
            vst1_u16(to + i, words);
        } else {
            uint16_t part[4];
            vst1_u16(part, words);
            memcpy(to + i, part, (size_t)(count - i) * sizeof(uint16_t));
        }
    }
}

void uzu_k_gate_neon(int32_t activation, const float *gate, const float *up, int32_t rows, int32_t columns,
                     int32_t stride, float *out) {
    for (int row = 0; row < rows; row++, gate += stride, up += stride, out += stride)
        for (int i = 0; i < columns; i += 4) {
        const float32x4_t x = load_part(gate + i, columns - i);
        const float32x4_t y = activation == UZU_K_SILU ? silu4(x) : gelu_tanh4(x);
        store_part(out + i, columns - i, vmulq_f32(y, load_part(up + i, columns - i)));
    }
}

void uzu_k_add_neon(const float *in, int32_t count, float *out) {
    for (int i = 0; i < count; i++) out[i] = out[i] + in[i];
}

void uzu_k_soft_cap_neon(float *x, int32_t count, float cap) {
    for (int i = 0; i < count; i += 4)
        store_part(x + i, count - i, soft_cap4(load_part(x + i, count - i), set(cap)));
}
