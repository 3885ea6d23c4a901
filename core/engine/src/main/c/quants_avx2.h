/* Quants in vectors of 8 lanes, two halves of a unit's 16; for AVX2 and AVX-VNNI. */
#include <immintrin.h>

#include "kernels.h"
#include "layout.h"

enum { HALVES = 2, HALF_LANES = 8, HALF_VECTOR = VECTOR / HALVES, TILE_ROWS = BLOCK_ROWS, MOST_ROWS = 16 };

INLINE __m256i load(const void *p) { return _mm256_loadu_si256(p); }
INLINE __m256 load_halves(const void *p) { return _mm256_cvtph_ps(_mm_loadu_si128(p)); }
INLINE __m256i shifted(__m256i v, int left) {
    return left >= 0 ? _mm256_slli_epi16(v, left) : _mm256_srli_epi16(v, -left);
}
INLINE __m256i broadcast(int32_t x) { return _mm256_set1_epi32(x); }
INLINE __m256i four_columns(const void *row, int j) { return broadcast(((const int32_t *)row)[j]); }

/* The unsigned quants of vector j of a group, those of Q8_0 signed. */
INLINE __m256i quants(const int type, const uint8_t *group, int half, int j) {
    const int low = low_bits(type), high = high_bits(type);
    const uint8_t *at = group + half * HALF_VECTOR;
    if (low == 8) return load(at + j * VECTOR);
    __m256i q = load(at + j * low / 8 * VECTOR);
    q = _mm256_and_si256(shifted(q, -(j * low % 8)), _mm256_set1_epi8((1 << low) - 1));
    if (high) {
        const __m256i h = shifted(load(at + low * VECTOR + j * high / 8 * VECTOR), low - j * high % 8);
        q = _mm256_or_si256(q, _mm256_and_si256(h, _mm256_set1_epi8(((1 << high) - 1) << low)));
    }
    return q;
}

/* A group's quants: packed, or `unpacked` to a vector each for several tiles of rows. Bytes need no unpacking. */
typedef struct {
    const uint8_t *at;
    int unpacked;
} group_quants;

INLINE __m256i quants_at(const int type, group_quants w, int half, int j) {
    return w.unpacked ? load(w.at + j * VECTOR + half * HALF_VECTOR) : quants(type, w.at, half, j);
}

INLINE group_quants unpacked(const int type, const uint8_t *group, uint8_t *to) {
    if (low_bits(type) == 8) return (group_quants){group, 0};
    UNROLL for (int j = 0; j < VECTORS; j++) UNROLL for (int h = 0; h < HALVES; h++)
        _mm256_store_si256((__m256i *)(to + j * VECTOR + h * HALF_VECTOR), quants(type, group, h, j));
    return (group_quants){to, 1};
}

/* What multiplies the integer sums of a group, by half: what `sub` holds is the twin's affair. */
typedef struct {
    __m256 super[HALVES], super_minimum[HALVES], scale[HALVES], minimum[HALVES];
    __m256i sub[2][HALVES], sub_minimum[2][HALVES];
} lane_scales;

/* 8 bytes, each twice as 16 bits. */
INLINE __m256i twice(__m128i bytes) { return _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(bytes, bytes)); }
