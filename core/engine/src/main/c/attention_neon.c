/* Attention for every 64-bit ARM. */
#include "elementary_neon.h"

#include <string.h>

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
INLINE vf vf_sub(vf a, vf b) { return vsubq_f32(a, b); }
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

INLINE vf vf_min(vf a, vf b) { return vbslq_f32(vcgtq_f32(b, a), a, b); }

INLINE uint16_t to_half(float x) {
    const __fp16 half = (__fp16)x;
    uint16_t bits;
    memcpy(&bits, &half, 2);
    return bits;
}

INLINE float half_at(const uint8_t *x) {
    __fp16 half;
    memcpy(&half, x, 2);
    return (float)half;
}

INLINE vf vf_int8(const int8_t *x) {
    int32_t bytes;
    memcpy(&bytes, x, 4);
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(bytes))))));
}

INLINE vf vf_nibble(const uint8_t *x, const int shift) {
    uint32_t bytes;
    memcpy(&bytes, x, 4);
    const uint32x4_t wide = vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(bytes)))));
    return vcvtq_f32_u32(vandq_u32(shift ? vshrq_n_u32(wide, 4) : wide, vdupq_n_u32(15)));
}

/* Four columns of four keys at a time: products of two columns summed in 16 bits, then all in 32. */
INLINE int32x4_t dot4(int32x4_t sum, int8x16_t keys, int8x16_t query) {
    const int16x8_t low = vmull_s8(vget_low_s8(keys), vget_low_s8(query));
    const int16x8_t high = vmull_s8(vget_high_s8(keys), vget_high_s8(query));
    return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
}

INLINE int8x16_t four_columns(const int8_t *query) {
    int32_t columns;
    memcpy(&columns, query, 4);
    return vreinterpretq_s8_s32(vdupq_n_s32(columns));
}

INLINE void group_sums(const int n, const uint8_t *keys, const int8_t *const *queries, int column, vf (*out)[4]) {
    int32x4_t sums[4][4];
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < 4; v++) sums[q][v] = vdupq_n_s32(0);
    UNROLL for (int j = 0; j < 8; j++)
        UNROLL for (int v = 0; v < 4; v++) {
            const int8x16_t k = vreinterpretq_s8_u8(vld1q_u8(keys + 64 * j + 16 * v));
            UNROLL for (int q = 0; q < n; q++)
                sums[q][v] = dot4(sums[q][v], k, four_columns(queries[q] + column + 4 * j));
        }
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < 4; v++) out[q][v] = vcvtq_f32_s32(sums[q][v]);
}

#include "attention.h"

ATTENTION(neon)
