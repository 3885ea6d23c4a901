/* The sums of tile_neon.h by the dot product: it adds four byte products to 32 bits, so they are exact as they come. */
#include <arm_neon.h>

#include "layout.h"

typedef int32x4_t dots;
INLINE dots dots_from(int32x4_t sum) { return sum; }
INLINE dots dots_add(const int type, dots sums, int8x16_t w, int8x16_t x, const int j) {
    (void)type;
    switch (j % 4) {
        case 0: return vdotq_laneq_s32(sums, w, x, 0);
        case 1: return vdotq_laneq_s32(sums, w, x, 1);
        case 2: return vdotq_laneq_s32(sums, w, x, 2);
        default: return vdotq_laneq_s32(sums, w, x, 3);
    }
}
INLINE int32x4_t dots_sum(dots sums) { return sums; }
