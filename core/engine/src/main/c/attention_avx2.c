/* Attention for AVX2, FMA and F16C. */
#include "vector_avx2.h"

#include <string.h>

#include "kernels.h"

typedef __m256 vf;
enum { VF = 8, MOST_SUMS = 12 };

INLINE vf vf_zero(void) { return _mm256_setzero_ps(); }
INLINE vf vf_set(float x) { return _mm256_set1_ps(x); }
INLINE vf vf_load(const float *x) { return _mm256_loadu_ps(x); }
INLINE void vf_store(float *x, vf v) { _mm256_storeu_ps(x, v); }
INLINE vf vf_load_part(const float *x, int n) { return load_part(x, n); }
INLINE void vf_store_part(float *x, int n, vf v) { store_part(x, n, v); }
INLINE vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
INLINE vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
INLINE vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
INLINE vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
INLINE vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
INLINE vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
INLINE vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
INLINE vf vf_exp(vf x) { return exp8(x); }
INLINE vf vf_soft_cap(vf x, vf cap) { return soft_cap8(x, cap); }
INLINE float vf_largest(vf v) { return largest(v); }
INLINE float joined16(const vf *sums) { return joined(sums[0], sums[1]); }

INLINE vf widened(const int type, const uint8_t *x, int number) {
    if (type == UZU_K_CACHE_F32) return _mm256_loadu_ps((const float *)x + number);
    const __m128i half = _mm_loadu_si128((const __m128i *)((const uint16_t *)x + number));
    if (type == UZU_K_CACHE_F16) return _mm256_cvtph_ps(half);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

INLINE vf widened_part(const int type, const uint8_t *x, int n) {
    uint8_t part[32] = {0};
    memcpy(part, x, (size_t)n * (type == UZU_K_CACHE_F32 ? 4 : 2));
    return widened(type, part, 0);
}

INLINE void vf_transpose(vf *v) {
    vf pairs[8], fours[8];
    UNROLL for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
    }
    UNROLL for (int i = 0; i < 8; i += 4)
        UNROLL for (int j = 0; j < 2; j++) {
            fours[i + 2 * j] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0x44);
            fours[i + 2 * j + 1] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0xee);
        }
    UNROLL for (int i = 0; i < 4; i++) {
        v[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
        v[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
    }
}

INLINE uint16_t to_half(float x) { return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT); }

INLINE float half_at(const uint8_t *x) {
    uint16_t bits;
    memcpy(&bits, x, 2);
    return _cvtsh_ss(bits);
}

INLINE vf vf_int8(const int8_t *x) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)x)));
}

INLINE vf vf_nibble(const uint8_t *x, const int shift) {
    const __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)x));
    return _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(bytes, shift), _mm256_set1_epi32(15)));
}

INLINE __m256i four_columns(const int8_t *query) {
    int32_t columns;
    memcpy(&columns, query, 4);
    return _mm256_set1_epi32(columns);
}

INLINE void group_sums(const int n, const uint8_t *keys, const int8_t *const *queries, int column, vf (*out)[2]) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[4][2];
    UNROLL for (int q = 0; q < n; q++) sums[q][0] = sums[q][1] = _mm256_setzero_si256();
    UNROLL for (int j = 0; j < 8; j++)
        UNROLL for (int v = 0; v < 2; v++) {
            const __m256i k = _mm256_loadu_si256((const __m256i *)(keys + 64 * j + 32 * v));
            const __m256i magnitudes = _mm256_abs_epi8(k);
            UNROLL for (int q = 0; q < n; q++) {
                const __m256i x = _mm256_sign_epi8(four_columns(queries[q] + column + 4 * j), k);
                const __m256i pairs = _mm256_maddubs_epi16(magnitudes, x);
                sums[q][v] = _mm256_add_epi32(sums[q][v], _mm256_madd_epi16(pairs, ones));
            }
        }
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < 2; v++) out[q][v] = _mm256_cvtepi32_ps(sums[q][v]);
}

#include "attention.h"

ATTENTION(avx2)
