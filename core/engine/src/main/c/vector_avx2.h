/* Eight floats at a time: parts of vectors, joined sums, and the functions of uzu.backend.cpu.Elementary, line by
   line. */
#ifndef UZU_VECTOR_AVX2_H
#define UZU_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "layout.h"

/* All bits of the first n lanes, n in 0..8. */
INLINE __m256i first_lanes(int n) {
    static const int32_t ones_then_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(ones_then_zeros + 8 - n));
}

/* The vector at x, of which only n lanes belong to it; the others are zero. */
INLINE __m256 load_part(const float *x, int n) {
    return n >= 8 ? _mm256_loadu_ps(x) : _mm256_maskload_ps(x, first_lanes(n));
}

INLINE void store_part(float *x, int n, __m256 v) {
    if (n >= 8) _mm256_storeu_ps(x, v);
    else _mm256_maskstore_ps(x, first_lanes(n), v);
}

/* Joins 16 partial sums, 0..7 and 8..15: those 8, 4, 2, 1 apart. */
INLINE float joined(__m256 low, __m256 high) {
    const __m256 eights = _mm256_add_ps(low, high);
    const __m128 fours = _mm_add_ps(_mm256_castps256_ps128(eights), _mm256_extractf128_ps(eights, 1));
    const __m128 twos = _mm_add_ps(fours, _mm_movehl_ps(fours, fours));
    return _mm_cvtss_f32(_mm_add_ss(twos, _mm_movehdup_ps(twos)));
}

/* The same for eight rows whose sums 8 apart are already added: lane i is row i's sum. */
INLINE __m256 joined_rows(const __m256 *v) {
    __m256 fours[4];
    UNROLL for (int i = 0; i < 4; i++)
        fours[i] = _mm256_add_ps(_mm256_permute2f128_ps(v[i], v[i + 4], 0x20),
                                 _mm256_permute2f128_ps(v[i], v[i + 4], 0x31));
    const __m256 a = _mm256_add_ps(_mm256_shuffle_ps(fours[0], fours[1], 0x44),
                                   _mm256_shuffle_ps(fours[0], fours[1], 0xee));
    const __m256 b = _mm256_add_ps(_mm256_shuffle_ps(fours[2], fours[3], 0x44),
                                   _mm256_shuffle_ps(fours[2], fours[3], 0xee));
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd));
}

/* The largest of eight; `a > b ? a : b` throughout, as maxps has it. */
INLINE float largest(__m256 v) {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

INLINE __m256 set(float x) { return _mm256_set1_ps(x); }

INLINE __m256 exp8(__m256 x) {
    const __m256 zero = _mm256_cmp_ps(x, set(-86.5f), _CMP_LT_OQ);
    const __m256 bounded = _mm256_min_ps(set(88.0f), x);
    const __m256 rounder = set(12582912.0f);
    const __m256 shifted = _mm256_fmadd_ps(bounded, set(1.44269504f), rounder);
    const __m256 n = _mm256_sub_ps(shifted, rounder);
    const __m256 r = _mm256_fmadd_ps(n, set(-1.42860677e-6f), _mm256_fmadd_ps(n, set(-0.693145752f), bounded));
    __m256 p = set(0.00138145406f);
    p = _mm256_fmadd_ps(p, r, set(0.00836874545f));
    p = _mm256_fmadd_ps(p, r, set(0.041668389f));
    p = _mm256_fmadd_ps(p, r, set(0.166665211f));
    p = _mm256_fmadd_ps(p, r, set(0.49999994f));
    const __m256 mantissa = _mm256_add_ps(_mm256_fmadd_ps(_mm256_mul_ps(r, r), p, r), set(1.0f));
    const __m256i power = _mm256_slli_epi32(_mm256_castps_si256(shifted), 23);
    return _mm256_andnot_ps(zero, _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(mantissa), power)));
}

INLINE __m256 tanh8(__m256 x) {
    const __m256 sign = set(-0.0f);
    const __m256 magnitude = _mm256_andnot_ps(sign, x);
    const __m256 square = _mm256_mul_ps(x, x);
    __m256 p = set(-0.00570498686f);
    p = _mm256_fmadd_ps(p, square, set(0.020639088f));
    p = _mm256_fmadd_ps(p, square, set(-0.0537397154f));
    p = _mm256_fmadd_ps(p, square, set(0.133314416f));
    p = _mm256_fmadd_ps(p, square, set(-0.333332807f));
    const __m256 near = _mm256_fmadd_ps(_mm256_mul_ps(x, square), p, x);
    const __m256 e = exp8(_mm256_mul_ps(set(-2.0f), magnitude));
    const __m256 far = _mm256_div_ps(_mm256_sub_ps(set(1.0f), e), _mm256_add_ps(set(1.0f), e));
    const __m256 signed_far = _mm256_or_ps(_mm256_andnot_ps(sign, far), _mm256_and_ps(sign, x));
    return _mm256_blendv_ps(signed_far, near, _mm256_cmp_ps(magnitude, set(0.625f), _CMP_LT_OQ));
}

INLINE __m256 silu8(__m256 x) {
    return _mm256_div_ps(x, _mm256_add_ps(set(1.0f), exp8(_mm256_xor_ps(x, set(-0.0f)))));
}

INLINE __m256 gelu_tanh8(__m256 x) {
    const __m256 cubic = _mm256_fmadd_ps(_mm256_mul_ps(set(0.044715f), _mm256_mul_ps(x, x)), x, x);
    const __m256 t = tanh8(_mm256_mul_ps(set(0.797884561f), cubic));
    return _mm256_mul_ps(_mm256_mul_ps(set(0.5f), x), _mm256_add_ps(set(1.0f), t));
}

INLINE __m256 soft_cap8(__m256 x, __m256 cap) { return _mm256_mul_ps(cap, tanh8(_mm256_div_ps(x, cap))); }

#endif
