/* AVX-512 with VNNI. A vector is the 16 lanes of a unit; dpbusd adds four byte products to 32 bits, so nothing
   saturates and integer sums are exact as they come. Quants are unsigned: sums start at −offset · qsum. */
#include <immintrin.h>

#include "kernels.h"
#include "layout.h"

enum { MOST_ROWS = 8 };

/* Bytes of weights to prefetch ahead into the second cache. Measured on Zen 4 only, two threads: few rows of nibbles and of
   bytes read most with 250 to 500, all else with 6000 and more; in between all take longer. */
enum { FEW_ROWS = 3, AHEAD_FEW = 512, AHEAD_MORE = 7680 };
INLINE int ahead_of(int type, int rows) {
    return rows <= FEW_ROWS && low_bits(type) >= 4 && !high_bits(type) ? AHEAD_FEW : AHEAD_MORE;
}

INLINE __m512i load(const void *p) { return _mm512_loadu_si512(p); }
INLINE __m512 load_halves(const void *p) { return _mm512_cvtph_ps(_mm256_loadu_si256(p)); }
INLINE __m512i shifted(__m512i v, int left) {
    return left >= 0 ? _mm512_slli_epi16(v, left) : _mm512_srli_epi16(v, -left);
}

/* The unsigned quants of vector j. */
INLINE __m512i quants(const int type, const uint8_t *group, int j) {
    const int low = low_bits(type), high = high_bits(type);
    if (low == 8) return _mm512_xor_si512(load(group + j * VECTOR), _mm512_set1_epi8(-128));
    __m512i q = load(group + j * low / 8 * VECTOR);
    q = _mm512_and_si512(shifted(q, -(j * low % 8)), _mm512_set1_epi8((1 << low) - 1));
    if (high) {
        const __m512i h = shifted(load(group + low * VECTOR + j * high / 8 * VECTOR), low - j * high % 8);
        q = _mm512_ternarylogic_epi32(q, h, _mm512_set1_epi8(((1 << high) - 1) << low), 0xf8); /* q | (h & mask) */
    }
    return q;
}

/* 16 bytes, each twice as 16 bits. */
INLINE __m512i twice(__m128i bytes) {
    const __m512i words = _mm512_cvtepi8_epi32(bytes);
    return _mm512_or_si512(_mm512_slli_epi32(words, 16), _mm512_srli_epi32(_mm512_slli_epi32(words, 16), 16));
}

/* isum of vectors `from` to `to`. */
INLINE void vectors(const int type, const int rows, const uint8_t *group, const input *const x[], const int from,
                    const int to, __m512i isum[]) {
    const int offset = type == Q8_0 ? 128 : offset_of(type);
    UNROLL for (int r = 0; r < rows; r++) {
        const input *b = x[r / BLOCK_ROWS];
        const int i = r % BLOCK_ROWS;
        const int32_t pairs = to - from == VECTORS ? b->pairs[i] : b->halves[from / 4][i];
        isum[r] = _mm512_setzero_si512();
        if (offset) isum[r] = _mm512_madd_epi16(_mm512_set1_epi32(pairs), _mm512_set1_epi16(-offset));
    }
    UNROLL for (int j = from; j < to; j++) {
        const __m512i w = quants(type, group, j);
        UNROLL for (int r = 0; r < rows; r++) {
            const int8_t *q = x[r / BLOCK_ROWS]->q[r % BLOCK_ROWS];
            isum[r] = _mm512_dpbusd_epi32(isum[r], w, _mm512_set1_epi32(*(const int32_t *)(q + 4 * j)));
        }
    }
}

INLINE void multiply_tile(const int type, const int rows, const uint8_t *p, int groups, const input *x0, float *sums,
                          int prefetch) {
    const int scales = scales_of(type);
    const __m512 zero = _mm512_setzero_ps();
    const input *x[2] = {x0, x0 + groups};
    __m512 acc[MOST_ROWS], super = zero, super_minimum = zero;
    UNROLL for (int r = 0; r < rows; r++) acc[r] = zero;
    for (int g = 0; g < groups; g++, x[0]++, x[1]++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) {
            super = load_halves(p);
            if (scales != BYTE_PAIR) super_minimum = _mm512_sub_ps(_mm512_set1_ps(-0.0f), load_halves(p + 2 * LANES));
            if (prefetch) prefetch_second(p + ahead_of(type, rows)); /* else each would be waited for */
            p += super_bytes(type);
        }
        if (prefetch) {
            UNROLL for (int i = 0; i < group_bytes(type); i += 64) prefetch_second(p + ahead_of(type, rows) + i);
        }
        const uint8_t *s = p + plane_bytes(type);
        const __m128i first = _mm_loadu_si128((const __m128i *)s);
        const __m128i second = _mm_loadu_si128((const __m128i *)(s + LANES));
        const __m128i nibble = _mm_set1_epi8(15);
        __m512 scale = super, minimum = super_minimum, sub[2] = {zero, zero};
        __m512i sub_minimum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        switch (scales) {
            case HALF: scale = load_halves(s); break;
            case HALF_MIN: scale = load_halves(s); minimum = load_halves(s + 2 * LANES); break;
            case BYTE_MIN:
                scale = _mm512_mul_ps(super, _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(first)));
                minimum = _mm512_mul_ps(super_minimum, _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(second)));
                break;
            case BYTE_PAIR:
                sub[0] = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(first));
                sub[1] = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(second));
                break;
            default:
                sub[0] = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_and_si128(first, nibble)));
                sub[1] = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_and_si128(second, nibble)));
                sub_minimum[0] = twice(_mm_and_si128(_mm_srli_epi16(first, 4), nibble));
                sub_minimum[1] = twice(_mm_and_si128(_mm_srli_epi16(second, 4), nibble));
        }
        __m512 isum[MOST_ROWS];
        if (scales == BYTE_PAIR || scales == NIBBLE_PAIR_MIN) {
            /* In floats: products and sums stay below 2^24, so they are exact; the zero added makes no −0 of 0. */
            UNROLL for (int i = 0; i < 2; i++) {
                __m512i part[MOST_ROWS];
                vectors(type, rows, p, x, 4 * i, 4 * i + 4, part);
                UNROLL for (int r = 0; r < rows; r++)
                    isum[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(part[r]), sub[i], i == 0 ? zero : isum[r]);
            }
        } else {
            __m512i whole[MOST_ROWS];
            vectors(type, rows, p, x, 0, VECTORS, whole);
            UNROLL for (int r = 0; r < rows; r++) isum[r] = _mm512_cvtepi32_ps(whole[r]);
        }
        UNROLL for (int r = 0; r < rows; r++) {
            const input *b = x[r / BLOCK_ROWS];
            const int i = r % BLOCK_ROWS;
            const __m512 d = _mm512_set1_ps(b->d[i]);
            acc[r] = _mm512_fmadd_ps(_mm512_mul_ps(scale, d), isum[r], acc[r]);
            if (scales == HALF_MIN || scales == BYTE_MIN)
                acc[r] = _mm512_fmadd_ps(minimum, _mm512_set1_ps(b->dsum[i]), acc[r]);
            if (scales == NIBBLE_PAIR_MIN) {
                const __m512i m0 = _mm512_madd_epi16(sub_minimum[0], _mm512_set1_epi32(b->halves[0][i]));
                const __m512i m1 = _mm512_madd_epi16(sub_minimum[1], _mm512_set1_epi32(b->halves[1][i]));
                const __m512 m = _mm512_cvtepi32_ps(_mm512_add_epi32(m0, m1));
                acc[r] = _mm512_fmadd_ps(_mm512_mul_ps(minimum, d), m, acc[r]);
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++) _mm512_storeu_ps(sums + r * LANES, acc[r]);
}

#define TILE(type, rows) \
    static void tile_##type##_##rows(const uint8_t *p, int groups, const input *x, int count, float *sums, \
                                     int prefetch) { \
        (void)count; \
        multiply_tile(type, rows, p, groups, x, sums, prefetch); \
    }
#define TILES(type) \
    TILE(type, 1) TILE(type, 2) TILE(type, 3) TILE(type, 4) TILE(type, 5) TILE(type, 6) TILE(type, 7) TILE(type, 8)
TILES(Q4_0) TILES(Q4_1) TILES(Q5_0) TILES(Q5_1) TILES(Q8_0) TILES(Q2_K) TILES(Q3_K) TILES(Q4_K) TILES(Q5_K) TILES(Q6_K)

#define ENTRY(type) \
    [type] = {tile_##type##_1, tile_##type##_2, tile_##type##_3, tile_##type##_4, \
              tile_##type##_5, tile_##type##_6, tile_##type##_7, tile_##type##_8}
static const tile_product tiles[][MOST_ROWS] = {ENTRY(Q4_0), ENTRY(Q4_1), ENTRY(Q5_0), ENTRY(Q5_1), ENTRY(Q8_0),
                                                ENTRY(Q2_K), ENTRY(Q3_K), ENTRY(Q4_K), ENTRY(Q5_K), ENTRY(Q6_K)};
INLINE int most_rows(int type) { return (void)type, MOST_ROWS; }
INLINE tile_product tile_of(int type, int rows) { return tiles[type][rows - 1]; }

typedef __m512 vf;
enum { VF = 16 };
INLINE vf vf_zero(void) { return _mm512_setzero_ps(); }
INLINE vf vf_set1(float a) { return _mm512_set1_ps(a); }
INLINE vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
INLINE void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
INLINE vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
INLINE vf vf_half(const uint16_t *p) { return load_halves(p); }
INLINE vf vf_brain(const uint16_t *p) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)), 16));
}

INLINE float one_half(uint16_t bits) { return _cvtsh_ss(bits); }

#include "products.h"

UZU_K_DEFINE(avx512vnni, multiply_int8)
