/* NEON as every 64-bit ARM has it. Byte products are added up in 16 bits, which sums of a group don't overflow:
   31·127·8 < 2¹⁵ and, with halves of a group, 63·127·4 < 2¹⁵; 8 bits are added to 32 after every two, 128·127·2 < 2¹⁵. */
#include <arm_neon.h>

#include "layout.h"

typedef struct {
    int16x8_t low, high;
    int32x4_t sum;
} dots;

INLINE int32x4_t dots_sum(dots sums) {
    return vaddq_s32(sums.sum, vpaddq_s32(vpaddlq_s16(sums.low), vpaddlq_s16(sums.high)));
}
INLINE dots dots_from(int32x4_t sum) { return (dots){vdupq_n_s16(0), vdupq_n_s16(0), sum}; }
INLINE int8x16_t four_columns(int8x16_t x, const int column) {
    const int32x4_t fours = vreinterpretq_s32_s8(x);
    switch (column) {
        case 0: return vreinterpretq_s8_s32(vdupq_laneq_s32(fours, 0));
        case 1: return vreinterpretq_s8_s32(vdupq_laneq_s32(fours, 1));
        case 2: return vreinterpretq_s8_s32(vdupq_laneq_s32(fours, 2));
        default: return vreinterpretq_s8_s32(vdupq_laneq_s32(fours, 3));
    }
}
INLINE dots dots_add(const int type, dots sums, int8x16_t w, int8x16_t x, const int j) {
    const int8x16_t b = four_columns(x, j % 4);
    sums.low = vmlal_s8(sums.low, vget_low_s8(w), vget_low_s8(b));
    sums.high = vmlal_high_s8(sums.high, w, b);
    return type == Q8_0 && j % 2 ? dots_from(dots_sum(sums)) : sums;
}

#include "tile_neon.h"
#include "tiles_neon.h"

UZU_K_DEFINE(neon, multiply_int8)
