/* AVX2, FMA and F16C. A vector is 8 lanes; a byte product is maddubs, whose sums of two saturate at 16 bits. They don't
   here: |unsigned quant · int8 · 2| ≤ 63·127·2, and 8 bits are |w| · (x with w's sign) ≤ 128·127·2. Sums of such sums
   are kept in 16 bits too, with the quants' offset taken off before: what is left fits, and until then it may wrap. */
#include <immintrin.h>

#include "kernels.h"
#include "layout.h"

enum { HALVES = 2, HALF_LANES = 8, MOST_ROWS = 4 };

/* Bytes of weights to prefetch ahead into the second cache. Measured on Zen 3, one row of Q4_1 and Q8_0, GB/s: none 15
   and 16, 1000-1600 20 and 19, 1900-3300 22 and 16, 6400 and more 15; several rows gain up to 4000. */
enum { AHEAD_ONE = 1792, AHEAD_MORE = 3840 };

typedef void (*tile)(const uint8_t *unit, int groups, const input *x, float *sums, int prefetch);

INLINE __m256i load(const void *p) { return _mm256_loadu_si256(p); }
INLINE __m256 load_halves(const void *p) { return _mm256_cvtph_ps(_mm_loadu_si128(p)); }
/* Keeps a sum in its register: GCC would else compute all products first, spill them and add them up afterwards. */
INLINE __m256i settled(__m256i v) {
    __asm__("" : "+x"(v));
    return v;
}
INLINE __m256i shifted(__m256i v, int left) {
    return left >= 0 ? _mm256_slli_epi16(v, left) : _mm256_srli_epi16(v, -left);
}

/* The unsigned quants of vector j, for 8 lanes from byte `at` of each plane vector on. */
INLINE __m256i quants(const int type, const uint8_t *group, int at, int j) {
    const int low = low_bits(type), high = high_bits(type);
    if (low == 8) return load(group + j * VECTOR + at);
    __m256i q = load(group + j * low / 8 * VECTOR + at);
    q = _mm256_and_si256(shifted(q, -(j * low % 8)), _mm256_set1_epi8((1 << low) - 1));
    if (high) {
        const __m256i h = shifted(load(group + low * VECTOR + j * high / 8 * VECTOR + at), low - j * high % 8);
        q = _mm256_or_si256(q, _mm256_and_si256(h, _mm256_set1_epi8(((1 << high) - 1) << low)));
    }
    return q;
}

/* 8 bytes, each twice as 16 bits. */
INLINE __m256i twice(__m128i bytes) { return _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(bytes, bytes)); }
INLINE __m256i negated(__m256i words) { return _mm256_sub_epi16(_mm256_setzero_si256(), words); }

/* offset · pairs, from which offset · q is taken off: what stays is −isum, by a shift instead of a product. */
INLINE __m256i start(const int offset, int32_t pairs) {
    const int shift = offset == 32 ? 5 : offset == 16 ? 4 : offset == 8 ? 3 : 2;
    return offset ? _mm256_slli_epi16(_mm256_set1_epi32(pairs), shift) : _mm256_setzero_si256();
}

/* words −= the products of vectors `from` to `to`, two columns in 16 bits. */
INLINE void vectors(const int type, const int rows, const uint8_t *group, const input *x, const int from, const int to,
                    __m256i words[][MOST_ROWS]) {
    UNROLL for (int j = from; j < to; j++) {
        const __m256i w0 = quants(type, group, 0, j), w1 = quants(type, group, 32, j);
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256i b = _mm256_set1_epi32(*(const int32_t *)(x->q[r] + 4 * j));
            words[0][r] = settled(_mm256_sub_epi16(words[0][r], _mm256_maddubs_epi16(w0, b)));
            words[1][r] = settled(_mm256_sub_epi16(words[1][r], _mm256_maddubs_epi16(w1, b)));
        }
    }
}

/* isum of one group with 32 columns of one scale. Five bits fit only with their offset, which is put back. */
INLINE void whole_group(const int type, const int rows, const uint8_t *group, const input *x,
                        __m256i isum[][MOST_ROWS]) {
    const int offset = high_bits(type) == 1 ? 16 : offset_of(type);
    __m256i words[HALVES][MOST_ROWS];
    UNROLL for (int r = 0; r < rows; r++) words[0][r] = words[1][r] = start(offset, x->pairs[r]);
    vectors(type, rows, group, x, 0, VECTORS, words);
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
        isum[h][r] = _mm256_madd_epi16(words[h][r], _mm256_set1_epi16(-1));
        if (offset != offset_of(type)) {
            const __m256i back = _mm256_madd_epi16(_mm256_set1_epi32(x->pairs[r]), _mm256_set1_epi16(offset));
            isum[h][r] = _mm256_add_epi32(isum[h][r], back);
        }
    }
}

INLINE void bytes_group(const int rows, const uint8_t *group, const input *x, __m256i isum[][MOST_ROWS]) {
    const __m256i ones = _mm256_set1_epi16(1);
    UNROLL for (int r = 0; r < rows; r++) isum[0][r] = isum[1][r] = _mm256_setzero_si256();
    UNROLL for (int j = 0; j < VECTORS; j++) {
        UNROLL for (int h = 0; h < HALVES; h++) {
            const __m256i w = load(group + j * VECTOR + 32 * h), size = _mm256_abs_epi8(w);
            UNROLL for (int r = 0; r < rows; r++) {
                const __m256i b = _mm256_sign_epi8(_mm256_set1_epi32(*(const int32_t *)(x->q[r] + 4 * j)), w);
                const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(size, b), ones);
                isum[h][r] = settled(_mm256_add_epi32(isum[h][r], products));
            }
        }
    }
}

/* isum of one group whose halves of 16 columns have integer scales, which come negated. */
INLINE void halved_group(const int type, const int rows, const uint8_t *group, const input *x, __m256i scales[][HALVES],
                         __m256i isum[][MOST_ROWS]) {
    UNROLL for (int i = 0; i < 2; i++) {
        __m256i words[HALVES][MOST_ROWS];
        UNROLL for (int r = 0; r < rows; r++) words[0][r] = words[1][r] = start(offset_of(type), x->halves[i][r]);
        vectors(type, rows, group, x, 4 * i, 4 * i + 4, words);
        UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
            const __m256i part = _mm256_madd_epi16(words[h][r], scales[i][h]);
            isum[h][r] = i == 0 ? part : _mm256_add_epi32(isum[h][r], part);
        }
    }
}

INLINE void multiply_tile(const int type, const int rows, const uint8_t *p, int groups, const input *x, float *sums,
                          int prefetch) {
    const int scales = scales_of(type);
    const __m256 zero = _mm256_setzero_ps();
    __m256 acc[HALVES][MOST_ROWS], super[HALVES] = {zero, zero}, super_minimum[HALVES] = {zero, zero};
    UNROLL for (int r = 0; r < rows; r++) acc[0][r] = acc[1][r] = zero;
    for (int g = 0; g < groups; g++, x++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) {
            UNROLL for (int h = 0; h < HALVES; h++) {
                super[h] = load_halves(p + 16 * h);
                if (scales != BYTE_PAIR)
                    super_minimum[h] = _mm256_sub_ps(_mm256_set1_ps(-0.0f), load_halves(p + 2 * LANES + 16 * h));
            }
            p += super_bytes(type);
        }
        if (prefetch) {
            UNROLL for (int i = 0; i < group_bytes(type); i += 64)
                _mm_prefetch((const char *)p + (rows == 1 ? AHEAD_ONE : AHEAD_MORE) + i, _MM_HINT_T1);
        }
        const uint8_t *s = p + plane_bytes(type);
        __m256 scale[HALVES], minimum[HALVES];
        __m256i isum[HALVES][MOST_ROWS], sub[2][HALVES], sub_minimum[2][HALVES];
        UNROLL for (int h = 0; h < HALVES; h++) {
            const __m128i first = _mm_loadl_epi64((const __m128i *)(s + 8 * h));
            const __m128i second = _mm_loadl_epi64((const __m128i *)(s + LANES + 8 * h));
            const __m128i nibble = _mm_set1_epi8(15);
            switch (scales) {
                case HALF: scale[h] = load_halves(s + 16 * h); break;
                case HALF_MIN:
                    scale[h] = load_halves(s + 16 * h);
                    minimum[h] = load_halves(s + 2 * LANES + 16 * h);
                    break;
                case BYTE_MIN:
                    scale[h] = _mm256_mul_ps(super[h], _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(first)));
                    minimum[h] = _mm256_mul_ps(super_minimum[h], _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(second)));
                    break;
                case BYTE_PAIR:
                    sub[0][h] = negated(twice(first));
                    sub[1][h] = negated(twice(second));
                    scale[h] = super[h];
                    break;
                default:
                    sub[0][h] = negated(twice(_mm_and_si128(first, nibble)));
                    sub[1][h] = negated(twice(_mm_and_si128(second, nibble)));
                    sub_minimum[0][h] = twice(_mm_and_si128(_mm_srli_epi16(first, 4), nibble));
                    sub_minimum[1][h] = twice(_mm_and_si128(_mm_srli_epi16(second, 4), nibble));
                    scale[h] = super[h];
                    minimum[h] = super_minimum[h];
            }
        }
        if (type == Q8_0) bytes_group(rows, p, x, isum);
        else if (scales == BYTE_PAIR || scales == NIBBLE_PAIR_MIN) halved_group(type, rows, p, x, sub, isum);
        else whole_group(type, rows, p, x, isum);
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256 d = _mm256_set1_ps(x->d[r]);
            UNROLL for (int h = 0; h < HALVES; h++) {
                acc[h][r] = _mm256_fmadd_ps(_mm256_mul_ps(scale[h], d), _mm256_cvtepi32_ps(isum[h][r]), acc[h][r]);
                if (scales == HALF_MIN || scales == BYTE_MIN)
                    acc[h][r] = _mm256_fmadd_ps(minimum[h], _mm256_set1_ps(x->dsum[r]), acc[h][r]);
                if (scales == NIBBLE_PAIR_MIN) {
                    const __m256i m0 = _mm256_madd_epi16(sub_minimum[0][h], _mm256_set1_epi32(x->halves[0][r]));
                    const __m256i m1 = _mm256_madd_epi16(sub_minimum[1][h], _mm256_set1_epi32(x->halves[1][r]));
                    const __m256 m = _mm256_cvtepi32_ps(_mm256_add_epi32(m0, m1));
                    acc[h][r] = _mm256_fmadd_ps(_mm256_mul_ps(minimum[h], d), m, acc[h][r]);
                }
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++)
        _mm256_storeu_ps(sums + r * LANES + h * HALF_LANES, acc[h][r]);
}

#define TILE(type, rows) \
    static void tile_##type##_##rows(const uint8_t *p, int groups, const input *x, float *sums, int prefetch) { \
        multiply_tile(type, rows, p, groups, x, sums, prefetch); \
    }
#define TILES(type) TILE(type, 1) TILE(type, 2) TILE(type, 3) TILE(type, 4)
TILES(Q4_0) TILES(Q4_1) TILES(Q5_0) TILES(Q5_1) TILES(Q8_0) TILES(Q2_K) TILES(Q3_K) TILES(Q4_K) TILES(Q5_K) TILES(Q6_K)

#define ENTRY(type) [type] = {tile_##type##_1, tile_##type##_2, tile_##type##_3, tile_##type##_4}
static const tile tiles[][MOST_ROWS] = {ENTRY(Q4_0), ENTRY(Q4_1), ENTRY(Q5_0), ENTRY(Q5_1), ENTRY(Q8_0),
                                        ENTRY(Q2_K), ENTRY(Q3_K), ENTRY(Q4_K), ENTRY(Q5_K), ENTRY(Q6_K)};

typedef __m256 vf;
enum { VF = 8 };
INLINE vf vf_zero(void) { return _mm256_setzero_ps(); }
INLINE vf vf_set1(float a) { return _mm256_set1_ps(a); }
INLINE vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
INLINE void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
INLINE vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
INLINE vf vf_half(const uint16_t *p) { return load_halves(p); }
INLINE vf vf_brain(const uint16_t *p) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16));
}

INLINE float one_half(uint16_t bits) { return _cvtsh_ss(bits); }

#include "products.h"

UZU_K_DEFINE(avx2)
