/* Attention for every 64-bit ARM. */
#include "elementary_neon.h"

#include "kernels.h"

typedef float32x4_t vf;
enum { VF = 4, MOST_SUMS = 24 };

INLINE vf vf_zero(void) { return vdupq_n_f32(0); }
INLINE vf vf_set(float x) { return vdupq_n_f32(x); }
INLINE vf vf_load(const float *x) { return vld1q_f32(x); }
INLINE void vf_store(float *x, vf v) { vst1q_f32(x, v); }
INLINE vf vf_load_part(const float *x, int n) { return load_part(x, n); }
INLINE void vf_store_part(float *x, int n, vf v) { store_part(x, n, v); }
INLINE vf vf_add(vf a, vf b) { return vaddq_f32(a, b); }
INLINE vf vf_mul(vf a, vf b) { return vmulq_f32(a, b); }
INLINE vf vf_div(vf a, vf b) { return vdivq_f32(a, b); }
INLINE vf vf_max(vf a, vf b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
INLINE vf vf_exp(vf x) { return exp4(x); }
INLINE vf vf_soft_cap(vf x, vf cap) { return soft_cap4(x, cap); }
INLINE float vf_largest(vf v) { return vmaxvq_f32(v); }
INLINE float joined16(const vf *sums) { return joined(sums[0], sums[1], sums[2], sums[3]); }

INLINE vf widened(const int type, const uint8_t *x, int number) {
    if (type == UZU_K_CACHE_F32) return vld1q_f32((const float *)x + number);
    const uint16x4_t half = vld1_u16((const uint16_t *)x + number);
    if (type == UZU_K_CACHE_F16) return vcvt_f32_f16(vreinterpret_f16_u16(half));
    return vreinterpretq_f32_u32(vshll_n_u16(half, 16));
}

INLINE vf widened_part(const int type, const uint8_t *x, int n) {
    uint8_t part[16] = {0};
    memcpy(part, x, (size_t)n * (type == UZU_K_CACHE_F32 ? 4 : 2));
    return widened(type, part, 0);
}

INLINE void vf_transpose(vf *v) {
    vf pairs[4];
    UNROLL for (int i = 0; i < 4; i += 2) {
        pairs[i] = vtrn1q_f32(v[i], v[i + 1]);
        pairs[i + 1] = vtrn2q_f32(v[i], v[i + 1]);
    }
    UNROLL for (int i = 0; i < 2; i++) {
        const float64x2_t a = vreinterpretq_f64_f32(pairs[i]), b = vreinterpretq_f64_f32(pairs[i + 2]);
        v[i] = vreinterpretq_f32_f64(vtrn1q_f64(a, b));
        v[i + 2] = vreinterpretq_f32_f64(vtrn2q_f64(a, b));
    }
}

#include "attention.h"

ATTENTION(neon)
