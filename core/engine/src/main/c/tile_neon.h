/* Tiles of 1 to 4 rows for the twin that includes this. Before, the twin defines

     dots          sums of byte products of one quarter and one row, from `dots_from` an integer sum on
     dots_add      adds those of vector j, whose four columns are `column` of the 16 of x
     dots_sum      the integer sums */
#include "vector_neon.h"

enum { TILE_ROWS = 4 };

/* isum of vectors `from` to `to` for some quarters. */
INLINE void products(const int type, const int rows, const int quarters, int quarter, const uint8_t *group,
                     const input *x, const int from, const int to, int32x4_t isum[][TILE_ROWS]) {
    dots sums[QUARTERS][TILE_ROWS];
    const int32x4_t quant_sums = vmulq_n_s32(sums_of_quants(x, from, to), -offset_of(type));
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int i = 0; i < quarters; i++)
            sums[i][r] = dots_from(offset_of(type) ? broadcast(quant_sums, r) : vdupq_n_s32(0));
    UNROLL for (int j = from; j < to; j++) {
        int8x16_t w[QUARTERS];
        UNROLL for (int i = 0; i < quarters; i++) w[i] = quants(type, group, quarter + i, j);
        UNROLL for (int r = 0; r < rows; r++) {
            const int8x16_t b = vld1q_s8(x->q[r] + j / 4 * 16);
            UNROLL for (int i = 0; i < quarters; i++) sums[i][r] = dots_add(type, sums[i][r], w[i], b, j);
        }
    }
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int i = 0; i < quarters; i++) isum[i][r] = dots_sum(sums[i][r]);
}

INLINE void multiply_tile(const int type, const int rows, const uint8_t *p, int groups, const input *x, float *sums,
                          int prefetch) {
    const int scales = scales_of(type);
    /* Quarters at a time: with more rows, the sums of all would not stay in registers. */
    const int quarters = rows > 2 ? 2 : 4;
    float32x4_t acc[QUARTERS][TILE_ROWS];
    UNROLL for (int i = 0; i < QUARTERS; i++) UNROLL for (int r = 0; r < rows; r++) acc[i][r] = vdupq_n_f32(0);
    const uint8_t *super = p;
    for (int g = 0; g < groups; g++, x++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) {
            super = p;
            p += super_bytes(type);
        }
        if (prefetch) prefetch_group(type, p, rows, super_bytes(type) && g % SUPER_GROUPS == 0);
        UNROLL for (int first = 0; first < QUARTERS; first += quarters) {
            const int halved = scales == BYTE_PAIR || scales == NIBBLE_PAIR_MIN;
            int32x4_t isum[2][QUARTERS][TILE_ROWS];
            products(type, rows, quarters, first, p, x, 0, halved ? VECTORS / 2 : VECTORS, isum[0]);
            if (halved) products(type, rows, quarters, first, p, x, VECTORS / 2, VECTORS, isum[1]);
            UNROLL for (int i = 0; i < quarters; i++) {
                const lane_scales s = scales_at(type, p, super, first + i);
                UNROLL for (int r = 0; r < rows; r++) {
                    float32x4_t *const to = &acc[first + i][r];
                    int32x4_t sum = isum[0][i][r];
                    if (halved) sum = vmlaq_s32(vmulq_s32(sum, s.sub[0]), isum[1][i][r], s.sub[1]);
                    *to = vfmaq_f32(*to, vmulq_n_f32(s.scale, x->d[r]), vcvtq_f32_s32(sum));
                    if (scales == HALF_MIN || scales == BYTE_MIN) *to = vfmaq_n_f32(*to, s.minimum, x->dsum[r]);
                    if (scales == NIBBLE_PAIR_MIN) {
                        const int32x4_t low = broadcast(sums_of_quants(x, 0, VECTORS / 2), r);
                        const int32x4_t high = broadcast(sums_of_quants(x, VECTORS / 2, VECTORS), r);
                        const int32x4_t m = vmlaq_s32(vmulq_s32(s.sub_minimum[0], low), s.sub_minimum[1], high);
                        *to = vfmaq_f32(*to, vmulq_n_f32(s.minimum, x->d[r]), vcvtq_f32_s32(m));
                    }
                }
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int i = 0; i < QUARTERS; i++) vst1q_f32(sums + r * LANES + i * QUARTER_LANES, acc[i][r]);
}

#define TILE(type, rows) \
    static void tile_##type##_##rows(const uint8_t *p, int groups, const input *x, int count, float *sums, \
                                     int prefetch) { \
        (void)count; \
        multiply_tile(type, rows, p, groups, x, sums, prefetch); \
    }
