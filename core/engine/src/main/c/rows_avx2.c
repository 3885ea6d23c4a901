/* What uzu.backend.cpu.RowKernels lists, but for attention. */
#include "vector_avx2.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

static float sum_of_squares(const float *x, int columns) {
    __m256 low = _mm256_setzero_ps(), high = low;
    int c = 0;
    for (; c + 16 <= columns; c += 16) {
        const __m256 a = _mm256_loadu_ps(x + c), b = _mm256_loadu_ps(x + c + 8);
        low = _mm256_fmadd_ps(a, a, low);
        high = _mm256_fmadd_ps(b, b, high);
    }
    /* Zeros beyond the end add nothing: a sum of squares is never −0. */
    if (c < columns) {
        const __m256 a = load_part(x + c, columns - c);
        low = _mm256_fmadd_ps(a, a, low);
    }
    if (c + 8 < columns) {
        const __m256 b = load_part(x + c + 8, columns - c - 8);
        high = _mm256_fmadd_ps(b, b, high);
    }
    return joined(low, high);
}

void uzu_k_norm_avx2(const float *in, int32_t runs, int32_t columns, const float *weight, float epsilon, float *out) {
    for (int run = 0; run < runs; run++, in += columns, out += columns) {
        const float mean = sum_of_squares(in, columns) / (float)columns;
        const __m256 factor = set(1.0f / sqrtf(mean + epsilon));
        for (int c = 0; c < columns; c += 8) {
            const __m256 y = _mm256_mul_ps(load_part(in + c, columns - c), factor);
            store_part(out + c, columns - c, _mm256_mul_ps(y, load_part(weight + c, columns - c)));
        }
    }
}

void uzu_k_rotate_avx2(float *x, int32_t heads, int32_t head_size, int32_t half, const float *cosines,
                       const float *sines) {
    for (int head = 0; head < heads; head++, x += head_size) {
        for (int i = 0; i < half; i += 8) {
            const int n = half - i;
            const __m256 a = load_part(x + i, n), b = load_part(x + half + i, n);
            const __m256 c = load_part(cosines + i, n), s = load_part(sines + i, n);
            store_part(x + i, n, _mm256_sub_ps(_mm256_mul_ps(a, c), _mm256_mul_ps(b, s)));
            store_part(x + half + i, n, _mm256_add_ps(_mm256_mul_ps(b, c), _mm256_mul_ps(a, s)));
        }
    }
}

static __m128i brain_floats(__m256 v) {
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i upper = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
    const __m256i half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
    const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, half), 16);
    const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m256i words = _mm256_blendv_epi8(rounded, quiet, nan);
    return _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

void uzu_k_store_avx2(int32_t type, const float *in, int32_t count, void *out) {
    if (type == UZU_K_CACHE_F32) {
        memcpy(out, in, (size_t)count * sizeof(float));
        return;
    }
    uint16_t *to = out;
    for (int i = 0; i < count; i += 8) {
        const __m256 v = load_part(in + i, count - i);
        const __m128i words = type == UZU_K_CACHE_F16 ? _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT) : brain_floats(v);
        if (count - i >= 8) {
            _mm_storeu_si128((__m128i *)(to + i), words);
        } else {
            uint16_t part[8];
            _mm_storeu_si128((__m128i *)part, words);
            memcpy(to + i, part, (size_t)(count - i) * sizeof(uint16_t));
        }
    }
}

void uzu_k_gate_avx2(int32_t activation, const float *gate, const float *up, int32_t rows, int32_t columns,
                     int32_t stride, float *out) {
    for (int row = 0; row < rows; row++, gate += stride, up += stride, out += stride)
        for (int i = 0; i < columns; i += 8) {
        const __m256 x = load_part(gate + i, columns - i);
        const __m256 y = activation == UZU_K_SILU ? silu8(x) : gelu_tanh8(x);
        store_part(out + i, columns - i, _mm256_mul_ps(y, load_part(up + i, columns - i)));
    }
}

void uzu_k_add_avx2(const float *in, int32_t count, float *out) {
    for (int i = 0; i < count; i++) out[i] = out[i] + in[i];
}

void uzu_k_soft_cap_avx2(float *x, int32_t count, float cap) {
    for (int i = 0; i < count; i += 8)
        store_part(x + i, count - i, soft_cap8(load_part(x + i, count - i), set(cap)));
}
