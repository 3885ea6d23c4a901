/* What the matrix twins for 64-bit ARM share: quants, scales, and the vector of floats of products.h. A vector of 64
   bytes of a plane is four of NEON's, each 4 lanes of 4 columns: the quarters. */
#ifndef UZU_VECTOR_NEON_H
#define UZU_VECTOR_NEON_H

#include <arm_neon.h>
#include <string.h>

#include "kernels.h"
#include "layout.h"

enum { QUARTERS = 4, QUARTER_LANES = 4 };

/* Bytes of weights to prefetch ahead into the second cache: as on AVX2, no measurement. */
enum { AHEAD_ONE = 1792, AHEAD_MORE = 3840 };

INLINE float32x4_t load_halves(const void *p) { return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p))); }

/* Quants of vector j and one quarter, without the offset: below 64, but for those of 8 bits. */
INLINE int8x16_t quants(const int type, const uint8_t *group, int quarter, const int j) {
    const int low = low_bits(type), high = high_bits(type), shift = j * low % 8;
    uint8x16_t q = vld1q_u8(group + j * low / 8 * VECTOR + 16 * quarter) >> shift;
    if (shift + low < 8) q &= (uint8_t)((1 << low) - 1);
    if (high) {
        const uint8x16_t h = vld1q_u8(group + low * VECTOR + j * high / 8 * VECTOR + 16 * quarter);
        const int left = low - j * high % 8;
        q |= (left >= 0 ? h << left : h >> -left) & (uint8_t)(((1 << high) - 1) << low);
    }
    return vreinterpretq_s8_u8(q);
}

/* Four bytes as integers. */
INLINE int32x4_t four_signed(const uint8_t *p) {
    uint32_t bytes;
    memcpy(&bytes, p, 4);
    return vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u32(vdup_n_u32(bytes)))));
}
INLINE int32x4_t four_unsigned(const uint8_t *p) {
    uint32_t bytes;
    memcpy(&bytes, p, 4);
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(bytes))))));
}

/* Scales of a quarter's lanes for one group. */
typedef struct {
    float32x4_t scale, minimum;
    int32x4_t sub[2], sub_minimum[2]; /* of the halves of 16 columns */
} lane_scales;

INLINE lane_scales scales_at(const int type, const uint8_t *group, const uint8_t *super, int quarter) {
    const uint8_t *halves = group + plane_bytes(type) + 8 * quarter;
    const uint8_t *first = group + plane_bytes(type) + 4 * quarter, *second = first + LANES;
    const uint8_t *super_minimum = super + 2 * LANES;
    const int32x4_t nibble = vdupq_n_s32(15);
    lane_scales to = {0};
    switch (scales_of(type)) {
        case HALF: to.scale = load_halves(halves); break;
        case HALF_MIN:
            to.scale = load_halves(halves);
            to.minimum = load_halves(halves + 2 * LANES);
            break;
        case BYTE_MIN:
            to.scale = vmulq_f32(load_halves(super + 8 * quarter), vcvtq_f32_s32(four_unsigned(first)));
            to.minimum = vnegq_f32(
                vmulq_f32(load_halves(super_minimum + 8 * quarter), vcvtq_f32_s32(four_unsigned(second))));
            break;
        case BYTE_PAIR:
            to.scale = load_halves(super + 8 * quarter);
            to.sub[0] = four_signed(first);
            to.sub[1] = four_signed(second);
            break;
        default:
            to.scale = load_halves(super + 8 * quarter);
            to.minimum = vnegq_f32(load_halves(super_minimum + 8 * quarter));
            to.sub[0] = vandq_s32(four_unsigned(first), nibble);
            to.sub[1] = vandq_s32(four_unsigned(second), nibble);
            to.sub_minimum[0] = vshrq_n_s32(four_unsigned(first), 4);
            to.sub_minimum[1] = vshrq_n_s32(four_unsigned(second), 4);
    }
    return to;
}

/* Sums of q of the four rows of a block, of all 32 columns or of the half given. */
INLINE int32x4_t sums_of_quants(const input *x, const int from, const int to) {
    return vpaddlq_s16(vld1q_s16((const int16_t *)(to - from == VECTORS ? x->pairs : x->halves[from / 4])));
}

INLINE int32x4_t broadcast(int32x4_t v, const int lane) {
    switch (lane) {
        case 0: return vdupq_laneq_s32(v, 0);
        case 1: return vdupq_laneq_s32(v, 1);
        case 2: return vdupq_laneq_s32(v, 2);
        default: return vdupq_laneq_s32(v, 3);
    }
}

/* A group's lines, from those of the super-group on that it begins. */
INLINE void prefetch_group(const int type, const uint8_t *p, const int rows, const int super) {
    const int ahead = rows == 1 ? AHEAD_ONE : AHEAD_MORE;
    if (super) prefetch_second(p - super_bytes(type) + ahead);
    UNROLL for (int i = 0; i < group_bytes(type); i += 64) prefetch_second(p + ahead + i);
}

typedef float32x4_t vf;
enum { VF = 4 };
INLINE vf vf_zero(void) { return vdupq_n_f32(0); }
INLINE vf vf_set1(float a) { return vdupq_n_f32(a); }
INLINE vf vf_load(const float *p) { return vld1q_f32(p); }
INLINE void vf_store(float *p, vf a) { vst1q_f32(p, a); }
INLINE vf vf_add(vf a, vf b) { return vaddq_f32(a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
INLINE vf vf_half(const uint16_t *p) { return load_halves(p); }
INLINE vf vf_brain(const uint16_t *p) { return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16)); }
INLINE float one_half(uint16_t bits) { return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(bits))), 0); }

#endif
