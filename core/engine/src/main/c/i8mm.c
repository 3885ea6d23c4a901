/* NEON with byte matrix products: smmla multiplies 2 lanes × 8 columns with 8 columns × 2 rows. So all values of a tile
   are blocks of 2 lanes × 2 rows, {lane 0 · row 0, lane 0 · row 1, lane 1 · row 0, lane 1 · row 1}, and only the sums at
   the end are put in order. One row alone is cheaper by dot products. */
#include "dot_neon.h"

#include "tile_neon.h"

enum { MOST_ROWS = 8, MOST_PAIRS = MOST_ROWS / 2, LANE_PAIRS = LANES / 2, STRIP = LANE_PAIRS / 2, STEPS = VECTORS / 2 };

/* {first, first, second, second} of the lower or upper half. */
INLINE float32x4_t twice(float32x4_t v, const int upper) { return upper ? vzip2q_f32(v, v) : vzip1q_f32(v, v); }
INLINE int32x4_t twice_int(int32x4_t v, const int upper) { return upper ? vzip2q_s32(v, v) : vzip1q_s32(v, v); }

/* The values of one pair of rows of a block, as they lie in a block of 2 × 2: {0, 1, 0, 1}. */
INLINE float32x4_t pair_of(const float *values, const int pair) {
    return vreinterpretq_f32_f64(vld1q_dup_f64((const double *)values + pair % 2));
}
INLINE int32x4_t pair_of_int(int32x4_t values, const int pair) {
    const int64x2_t v = vreinterpretq_s64_s32(values);
    return vreinterpretq_s32_s64(pair % 2 ? vdupq_laneq_s64(v, 1) : vdupq_laneq_s64(v, 0));
}

/* A pair of rows by steps of 8 columns. */
INLINE void columns_of(const input *x, const int pair, int8x16_t b[STEPS]) {
    UNROLL for (int i = 0; i < 2; i++) {
        const int64x2_t first = vreinterpretq_s64_s8(vld1q_s8(x->q[2 * (pair % 2)] + 16 * i));
        const int64x2_t second = vreinterpretq_s64_s8(vld1q_s8(x->q[2 * (pair % 2) + 1] + 16 * i));
        b[2 * i] = vreinterpretq_s8_s64(vzip1q_s64(first, second));
        b[2 * i + 1] = vreinterpretq_s8_s64(vzip2q_s64(first, second));
    }
}

/* isum of the columns of steps `from` to `to` for a strip of 8 lanes. */
INLINE void strip_products(const int type, const int pairs, int strip, const uint8_t *group, const input *const *x,
                           int8x16_t b[][STEPS], const int from, const int to, int32x4_t isum[][MOST_PAIRS]) {
    UNROLL for (int m = 0; m < pairs; m++) {
        int32x4_t start = vdupq_n_s32(0);
        if (offset_of(type))
            start = vmulq_n_s32(pair_of_int(sums_of_quants(x[m / 2], 2 * from, 2 * to), m), -offset_of(type));
        UNROLL for (int i = 0; i < STRIP; i++) isum[i][m] = start;
    }
    UNROLL for (int step = from; step < to; step++) {
        UNROLL for (int i = 0; i < STRIP; i += 2) {
            const int quarter = 2 * strip + i / 2;
            const int32x4_t u = vreinterpretq_s32_s8(quants(type, group, quarter, 2 * step));
            const int32x4_t v = vreinterpretq_s32_s8(quants(type, group, quarter, 2 * step + 1));
            const int8x16_t low = vreinterpretq_s8_s32(vzip1q_s32(u, v));
            const int8x16_t high = vreinterpretq_s8_s32(vzip2q_s32(u, v));
            UNROLL for (int m = 0; m < pairs; m++) {
                isum[i][m] = vmmlaq_s32(isum[i][m], low, b[m][step]);
                isum[i + 1][m] = vmmlaq_s32(isum[i + 1][m], high, b[m][step]);
            }
        }
    }
}

/* Adds the products of one group and a strip of 8 lanes to `acc`. */
INLINE void strip_group(const int type, const int pairs, int strip, const uint8_t *group, const uint8_t *super,
                        const input *const *x, int8x16_t b[][STEPS], float32x4_t acc[][MOST_PAIRS]) {
    const int scales = scales_of(type), halved = scales == BYTE_PAIR || scales == NIBBLE_PAIR_MIN;
    int32x4_t isum[2][STRIP][MOST_PAIRS];
    strip_products(type, pairs, strip, group, x, b, 0, halved ? STEPS / 2 : STEPS, isum[0]);
    if (halved) strip_products(type, pairs, strip, group, x, b, STEPS / 2, STEPS, isum[1]);
    UNROLL for (int i = 0; i < STRIP; i++) {
        const lane_scales s = scales_at(type, group, super, 2 * strip + i / 2);
        const float32x4_t scale = twice(s.scale, i % 2), minimum = twice(s.minimum, i % 2);
        UNROLL for (int m = 0; m < pairs; m++) {
            const input *rows = x[m / 2];
            const float32x4_t d = pair_of(rows->d, m);
            int32x4_t sum = isum[0][i][m];
            if (halved) {
                sum = vmulq_s32(sum, twice_int(s.sub[0], i % 2));
                sum = vmlaq_s32(sum, isum[1][i][m], twice_int(s.sub[1], i % 2));
            }
            acc[i][m] = vfmaq_f32(acc[i][m], vmulq_f32(scale, d), vcvtq_f32_s32(sum));
            if (scales == HALF_MIN || scales == BYTE_MIN)
                acc[i][m] = vfmaq_f32(acc[i][m], minimum, pair_of(rows->dsum, m));
            if (scales == NIBBLE_PAIR_MIN) {
                const int32x4_t low = pair_of_int(sums_of_quants(rows, 0, VECTORS / 2), m);
                const int32x4_t high = pair_of_int(sums_of_quants(rows, VECTORS / 2, VECTORS), m);
                int32x4_t m_sum = vmulq_s32(twice_int(s.sub_minimum[0], i % 2), low);
                m_sum = vmlaq_s32(m_sum, twice_int(s.sub_minimum[1], i % 2), high);
                acc[i][m] = vfmaq_f32(acc[i][m], vmulq_f32(minimum, d), vcvtq_f32_s32(m_sum));
            }
        }
    }
}

/* All columns of up to 8 rows; of an odd number of rows, the pair of the last has one that nothing reads. */
INLINE void multiply_pairs(const int type, const int pairs, const uint8_t *p, int groups, const input *x0, float *sums,
                           int prefetch) {
    float32x4_t acc[2][STRIP][MOST_PAIRS];
    UNROLL for (int i = 0; i < LANE_PAIRS; i++)
        UNROLL for (int m = 0; m < pairs; m++) acc[i / STRIP][i % STRIP][m] = vdupq_n_f32(0);
    const uint8_t *super = p;
    for (int g = 0; g < groups; g++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) {
            super = p;
            p += super_bytes(type);
        }
        if (prefetch) prefetch_group(type, p, 2 * pairs, super_bytes(type) && g % SUPER_GROUPS == 0);
        const input *const x[2] = {x0 + g, pairs > 2 ? x0 + groups + g : x0 + g};
        int8x16_t b[MOST_PAIRS][STEPS];
        UNROLL for (int m = 0; m < pairs; m++) columns_of(x[m / 2], m, b[m]);
        for (int strip = 0; strip < 2; strip++) strip_group(type, pairs, strip, p, super, x, b, acc[strip]);
    }
    UNROLL for (int i = 0; i < LANE_PAIRS; i += 2) {
        UNROLL for (int m = 0; m < pairs; m++) {
            const float32x4_t low = acc[i / STRIP][i % STRIP][m], high = acc[i / STRIP][i % STRIP + 1][m];
            float *to = sums + 2 * m * LANES + 2 * i;
            vst1q_f32(to, vuzp1q_f32(low, high));
            vst1q_f32(to + LANES, vuzp2q_f32(low, high));
        }
    }
}

#define PAIRS(type, pairs) \
    static void pairs_##type##_##pairs(const uint8_t *p, int groups, const input *x, int count, float *sums, \
                                       int prefetch) { \
        (void)count; \
        multiply_pairs(type, pairs, p, groups, x, sums, prefetch); \
    }
#define TILES(type) TILE(type, 1) PAIRS(type, 1) PAIRS(type, 2) PAIRS(type, 3) PAIRS(type, 4)
TILES(Q4_0) TILES(Q4_1) TILES(Q5_0) TILES(Q5_1) TILES(Q8_0) TILES(Q2_K) TILES(Q3_K) TILES(Q4_K) TILES(Q5_K) TILES(Q6_K)

#define ENTRY(type) \
    [type] = {tile_##type##_1, pairs_##type##_1, pairs_##type##_2, pairs_##type##_2, \
              pairs_##type##_3, pairs_##type##_3, pairs_##type##_4, pairs_##type##_4}
static const tile_product tiles[][MOST_ROWS] = {ENTRY(Q4_0), ENTRY(Q4_1), ENTRY(Q5_0), ENTRY(Q5_1), ENTRY(Q8_0),
                                                ENTRY(Q2_K), ENTRY(Q3_K), ENTRY(Q4_K), ENTRY(Q5_K), ENTRY(Q6_K)};
INLINE int most_rows(int type) { return (void)type, MOST_ROWS; }
INLINE tile_product tile_of(int type, int rows) { return tiles[type][rows - 1]; }

#include "products.h"

UZU_K_DEFINE(i8mm, multiply_int8)
