/* Groups quantised with AVX2, in every x86 twin. */
#include <immintrin.h>

static void quantise_group(const float *x, input *to, int row) {
    __m256 v[4];
    __m256i largest = _mm256_setzero_si256(), q[4];
    /* As integers, so that NaN is the largest of all. */
    for (int i = 0; i < 4; i++) {
        v[i] = _mm256_loadu_ps(x + 8 * i);
        largest = _mm256_max_epi32(largest, _mm256_and_si256(_mm256_castps_si256(v[i]), _mm256_set1_epi32(0x7fffffff)));
    }
    __m128i m = _mm_max_epi32(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
    m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1));
    float d = _mm_cvtss_f32(_mm_castsi128_ps(m)) / 127.0f;
    const int zero = d < 0x1p-126f;
    if (zero) d = 0;
    for (int i = 0; i < 4; i++)
        q[i] = zero ? _mm256_setzero_si256() : _mm256_cvtps_epi32(_mm256_div_ps(v[i], _mm256_set1_ps(d)));
    const __m256i words0 = _mm256_permute4x64_epi64(_mm256_packs_epi32(q[0], q[1]), 0xd8);
    const __m256i words1 = _mm256_permute4x64_epi64(_mm256_packs_epi32(q[2], q[3]), 0xd8);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(words0, words1), 0xd8);
    _mm256_storeu_si256((__m256i *)to->q[row], bytes);

    /* Sums of neighbours, then over the four columns-of-four of each half. */
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes);
    pairs = _mm256_add_epi16(pairs, _mm256_shuffle_epi32(pairs, 0x4e));
    pairs = _mm256_add_epi16(pairs, _mm256_shuffle_epi32(pairs, 0xb1));
    const int32_t low = _mm256_extract_epi32(pairs, 0), high = _mm256_extract_epi32(pairs, 4);
    const int even = (int16_t)low + (int16_t)high, odd = (low >> 16) + (high >> 16);
    to->pairs[row] = (uint16_t)even | (int32_t)((uint32_t)odd << 16);
    to->halves[0][row] = low;
    to->halves[1][row] = high;
    to->d[row] = d;
    to->dsum[row] = d * (float)(even + odd);
}
