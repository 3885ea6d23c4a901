/* AVX-VNNI for machines with AVX2: included before avxvnni.c. */
#include <immintrin.h>

#define INLINE static __attribute__((noinline, unused))
#define UNROLL

/* Bytes k and k + 1 of four apart, in 16 bits: no sum of maddubs that might saturate. */
static inline __m256i emulated_dpbusd(__m256i sum, __m256i quants, __m256i columns) {
    const __m256i even = _mm256_and_si256(quants, _mm256_set1_epi16(255)), odd = _mm256_srli_epi16(quants, 8);
    const __m256i signed_even = _mm256_srai_epi16(_mm256_slli_epi16(columns, 8), 8);
    const __m256i signed_odd = _mm256_srai_epi16(columns, 8);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(even, signed_even));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(odd, signed_odd));
}

#undef _mm256_dpbusd_avx_epi32
#define _mm256_dpbusd_avx_epi32(sum, quants, columns) emulated_dpbusd(sum, quants, columns)
