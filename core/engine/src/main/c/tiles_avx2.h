/* Tiles of int8 products in vectors of 8 lanes, for the twin that includes this. Before, it includes quants_avx2.h and
   defines

     sub_scales    8 bytes, the scales of half a group, as `group_sums` wants them
     group_sums    isum of one group for 1 to 4 rows of one block of inputs, as floats
     most_rows     rows of the largest tile for a type: 4, or 16 where unpacking costs more than sums in memory */

/* Bytes of weights to prefetch ahead into the second cache. Measured on Zen 3, one row of Q4_1 and Q8_0, GB/s: none 15
   and 16, 1000-1600 20 and 19, 1900-3300 22 and 16, 6400 and more 15; several rows gain up to 4000. */
enum { AHEAD_ONE = 1792, AHEAD_MORE = 3840 };

/* What 8 groups have before them. Its line is fetched as a group's are, else each would be waited for. */
INLINE const uint8_t *read_super(const int type, const uint8_t *p, const int ahead, lane_scales *to) {
    if (ahead) prefetch_second(p + ahead);
    UNROLL for (int h = 0; h < HALVES; h++) {
        to->super[h] = load_halves(p + 16 * h);
        if (scales_of(type) != BYTE_PAIR)
            to->super_minimum[h] = _mm256_sub_ps(_mm256_set1_ps(-0.0f), load_halves(p + 2 * LANES + 16 * h));
    }
    return p + super_bytes(type);
}

INLINE void read_scales(const int type, const uint8_t *p, lane_scales *to) {
    const __m128i nibble = _mm_set1_epi8(15);
    UNROLL for (int h = 0; h < HALVES; h++) {
        const __m128i first = _mm_loadl_epi64((const __m128i *)(p + 8 * h));
        const __m128i second = _mm_loadl_epi64((const __m128i *)(p + LANES + 8 * h));
        switch (scales_of(type)) {
            case HALF: to->scale[h] = load_halves(p + 16 * h); break;
            case HALF_MIN:
                to->scale[h] = load_halves(p + 16 * h);
                to->minimum[h] = load_halves(p + 2 * LANES + 16 * h);
                break;
            case BYTE_MIN:
                to->scale[h] = _mm256_mul_ps(to->super[h], _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(first)));
                to->minimum[h] = _mm256_mul_ps(to->super_minimum[h], _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(second)));
                break;
            case BYTE_PAIR:
                to->sub[0][h] = sub_scales(type, first);
                to->sub[1][h] = sub_scales(type, second);
                to->scale[h] = to->super[h];
                break;
            default:
                to->sub[0][h] = sub_scales(type, _mm_and_si128(first, nibble));
                to->sub[1][h] = sub_scales(type, _mm_and_si128(second, nibble));
                to->sub_minimum[0][h] = twice(_mm_and_si128(_mm_srli_epi16(first, 4), nibble));
                to->sub_minimum[1][h] = twice(_mm_and_si128(_mm_srli_epi16(second, 4), nibble));
                to->scale[h] = to->super[h];
                to->minimum[h] = to->super_minimum[h];
        }
    }
}

/* acc += the products of one group with 1 to 4 rows. */
INLINE void add_group(const int type, const int rows, group_quants w, const lane_scales *s, const input *x,
                      const void *extra, __m256 acc[][HALVES]) {
    const int scales = scales_of(type);
    __m256 sums[HALVES][TILE_ROWS];
    group_sums(type, rows, w, s, x, extra, sums);
    UNROLL for (int r = 0; r < rows; r++) {
        const __m256 d = _mm256_set1_ps(x->d[r]);
        UNROLL for (int h = 0; h < HALVES; h++) {
            __m256 a = _mm256_fmadd_ps(_mm256_mul_ps(s->scale[h], d), sums[h][r], acc[r][h]);
            if (scales == HALF_MIN || scales == BYTE_MIN)
                a = _mm256_fmadd_ps(s->minimum[h], _mm256_set1_ps(x->dsum[r]), a);
            if (scales == NIBBLE_PAIR_MIN) {
                const __m256i m0 = _mm256_madd_epi16(s->sub_minimum[0][h], broadcast(x->halves[0][r]));
                const __m256i m1 = _mm256_madd_epi16(s->sub_minimum[1][h], broadcast(x->halves[1][r]));
                const __m256 m = _mm256_cvtepi32_ps(_mm256_add_epi32(m0, m1));
                a = _mm256_fmadd_ps(_mm256_mul_ps(s->minimum[h], d), m, a);
            }
            acc[r][h] = a;
        }
    }
}

INLINE void prefetch_group(const int type, const uint8_t *p, const int ahead) {
    if (ahead) UNROLL for (int i = 0; i < group_bytes(type); i += 64) prefetch_second(p + ahead + i);
}

INLINE void store_sums(const __m256 acc[][HALVES], int rows, float *sums) {
    for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++)
        _mm256_storeu_ps(sums + r * LANES + h * HALF_LANES, acc[r][h]);
}

/* 1 to 4 rows: sums stay in registers, quants are unpacked where they are used. */
INLINE void multiply_tile(const int type, const int rows, const uint8_t *p, int groups, const input *x, float *sums,
                          int prefetch) {
    __m256 acc[TILE_ROWS][HALVES];
    UNROLL for (int r = 0; r < rows; r++) acc[r][0] = acc[r][1] = _mm256_setzero_ps();
    const uint8_t *extra = (const uint8_t *)(x + groups);
    const int ahead = !prefetch ? 0 : rows == 1 ? AHEAD_ONE : AHEAD_MORE;
    lane_scales s = {0};
    for (int g = 0; g < groups; g++, x++, extra += EXTRA_BYTES, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) p = read_super(type, p, ahead, &s);
        prefetch_group(type, p, ahead);
        read_scales(type, p + plane_bytes(type), &s);
        add_group(type, rows, (group_quants){p, 0}, &s, x, extra, acc);
    }
    store_sums(acc, rows, sums);
}

/* Keeps GCC from loading before the loop what then has no register: each use must load it. */
INLINE const void *here(const void *p) {
    __asm__ volatile("" : "+r"(p) : : "memory");
    return p;
}

/* More rows, of which the last `rest` don't make four: each group is unpacked once for all. */
INLINE void multiply_blocks(const int type, const int rest, const uint8_t *p, int groups, const input *x, int rows,
                            float *sums, int prefetch) {
    __m256 acc[MOST_ROWS][HALVES];
    for (int r = 0; r < rows; r++) acc[r][0] = acc[r][1] = _mm256_setzero_ps();
    uint8_t buffer[VECTORS * VECTOR] __attribute__((aligned(VECTOR)));
    const int ahead = prefetch ? AHEAD_MORE : 0;
    lane_scales s = {0};
    for (int g = 0; g < groups; g++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) p = read_super(type, p, ahead, &s);
        prefetch_group(type, p, ahead);
        read_scales(type, p + plane_bytes(type), &s);
        const group_quants w = unpacked(type, p, buffer);
        for (int r = 0; r < rows; r += TILE_ROWS) {
            const input *block = block_of(x, r, groups);
            const uint8_t *extra = (const uint8_t *)(block + groups) + g * EXTRA_BYTES;
            const group_quants once = {here(w.at), w.unpacked};
            if (!rest || r + TILE_ROWS <= rows) add_group(type, TILE_ROWS, once, &s, block + g, extra, acc + r);
            else add_group(type, rest, once, &s, block + g, extra, acc + r);
        }
    }
    store_sums(acc, rows, sums);
}

#define TILE(type, count) \
    static void tile_##type##_##count(const uint8_t *p, int groups, const input *x, int rows, float *sums, \
                                      int prefetch) { \
        (void)rows; \
        multiply_tile(type, count, p, groups, x, sums, prefetch); \
    } \
    static void blocks_##type##_##count(const uint8_t *p, int groups, const input *x, int rows, float *sums, \
                                        int prefetch) { \
        multiply_blocks(type, count % TILE_ROWS, p, groups, x, rows, sums, prefetch); \
    }
#define TILES(type) TILE(type, 1) TILE(type, 2) TILE(type, 3) TILE(type, 4)
TILES(Q4_0) TILES(Q4_1) TILES(Q5_0) TILES(Q5_1) TILES(Q8_0) TILES(Q2_K) TILES(Q3_K) TILES(Q4_K) TILES(Q5_K) TILES(Q6_K)

#define ENTRY(type) \
    [type] = {{tile_##type##_1, tile_##type##_2, tile_##type##_3, tile_##type##_4}, \
              {blocks_##type##_1, blocks_##type##_2, blocks_##type##_3, blocks_##type##_4}}
static const tile_product tiles[][2][TILE_ROWS] = {ENTRY(Q4_0), ENTRY(Q4_1), ENTRY(Q5_0), ENTRY(Q5_1), ENTRY(Q8_0),
                                                   ENTRY(Q2_K), ENTRY(Q3_K), ENTRY(Q4_K), ENTRY(Q5_K), ENTRY(Q6_K)};
INLINE tile_product tile_of(int type, int rows) { return tiles[type][rows > TILE_ROWS][(rows - 1) % TILE_ROWS]; }

typedef __m256 vf;
enum { VF = 8 };
INLINE vf vf_zero(void) { return _mm256_setzero_ps(); }
INLINE vf vf_set1(float a) { return _mm256_set1_ps(a); }
INLINE vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
INLINE void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
INLINE vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
INLINE float one_half(uint16_t bits) { return _cvtsh_ss(bits); }
INLINE vf vf_half(const uint16_t *p) { return load_halves(p); }
INLINE vf vf_brain(const uint16_t *p) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16));
}

#include "products.h"
