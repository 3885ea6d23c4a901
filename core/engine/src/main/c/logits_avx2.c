/* The scans of uzu.backend.Logits. Most tokens are far below the likeliest: a vector with nothing near it costs a load
   and a comparison. */
#include "vector_avx2.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

enum { WIDTH = 8, TALLY_BLOCK = 512, PEAK_BLOCK = 4096, NOISE_TOKENS = 32 };

INLINE int any(__m256 mask) { return _mm256_movemask_ps(mask) != 0; }
INLINE __m256 at_least(__m256 a, float b) { return _mm256_cmp_ps(a, set(b), _CMP_GE_OQ); }

/* The vector at x, −∞ where the tokens have ended. */
INLINE __m256 load_tokens(const float *x, int n) {
    if (n >= WIDTH) return _mm256_loadu_ps(x);
    const __m256i there = first_lanes(n < 0 ? 0 : n);
    return _mm256_blendv_ps(set(-INFINITY), _mm256_maskload_ps(x, there), _mm256_castsi256_ps(there));
}

INLINE __m256 scaled(__m256 x, float shift, float temperature) {
    const __m256 s = _mm256_div_ps(_mm256_sub_ps(x, set(shift)), set(temperature));
    return _mm256_add_ps(s, _mm256_setzero_ps());
}

/* A logit below which no scaled one is at least `least`: by some roundings lower than where that is. */
static float floor_of(float shift, float temperature, float least) {
    const float distance = temperature * least;
    return shift + distance - 1e-6f * (fabsf(shift) - distance) - 1e-37f;
}

int32_t uzu_k_largest_avx2(const float *x, int32_t count) {
    float peak = -INFINITY;
    int peak_block = 0;
    __m256 nan = _mm256_setzero_ps();
    for (int block = 0; block < count; block += PEAK_BLOCK) {
        const int n = count - block < PEAK_BLOCK ? count - block : PEAK_BLOCK;
        __m256 m[4];
        for (int i = 0; i < 4; i++) m[i] = set(-INFINITY);
        for (int i = 0; i < n; i += 4 * WIDTH) {
            UNROLL for (int j = 0; j < 4; j++) {
                const __m256 v = load_tokens(x + block + i + j * WIDTH, n - i - j * WIDTH);
                nan = _mm256_or_ps(nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
                m[j] = _mm256_max_ps(v, m[j]);
            }
        }
        const float most = largest(_mm256_max_ps(_mm256_max_ps(m[0], m[1]), _mm256_max_ps(m[2], m[3])));
        if (most > peak) {
            peak = most;
            peak_block = block;
        }
    }
    if (any(nan)) return -1;
    while (x[peak_block] != peak) peak_block++;
    return peak_block;
}

/* FloatExp, line by line. */
INLINE __m256 float_exp8(__m256 x) {
    const __m256 y = _mm256_mul_ps(_mm256_max_ps(set(-32.0f), x), set(1 / 32.0f));
    __m256 p = set(1 / 3628800.0f);
    const float terms[] = {1 / 362880.0f, 1 / 40320.0f, 1 / 5040.0f, 1 / 720.0f, 1 / 120.0f,
                           1 / 24.0f,     1 / 6.0f,     0.5f,        1,          1};
    UNROLL for (int i = 0; i < 10; i++) p = _mm256_fmadd_ps(p, y, set(terms[i]));
    UNROLL for (int i = 0; i < 5; i++) p = _mm256_mul_ps(p, p);
    return p;
}

INLINE void tally_tokens(const int weigh, const float *x, int count, float shift, float temperature, uzu_k_tally *tally) {
    enum { FAR = UZU_K_REACHES - 1, PAIR = 2 * WIDTH };
    __m256 least[UZU_K_REACHES];
    for (int r = 0; r < UZU_K_REACHES; r++) least[r] = set(-tally->reaches[r]);
    const float floor = floor_of(shift, temperature, -tally->reaches[FAR]);
    double sums[UZU_K_REACHES][WIDTH] = {{0}};
    int32_t counts[UZU_K_REACHES] = {0};
    for (int block = 0; block < count; block += TALLY_BLOCK) {
        const int n = count - block < TALLY_BLOCK ? count - block : TALLY_BLOCK;
        __m256 sum[UZU_K_REACHES];
        UNROLL for (int r = 0; r < UZU_K_REACHES; r++) sum[r] = _mm256_setzero_ps();
        for (int i = 0; i < n; i += PAIR) {
            const __m256 v0 = load_tokens(x + block + i, n - i), v1 = load_tokens(x + block + i + WIDTH, n - i - WIDTH);
            if (!any(at_least(_mm256_max_ps(v0, v1), floor))) continue;
            const __m256 s[2] = {scaled(v0, shift, temperature), scaled(v1, shift, temperature)};
            __m256 e[2];
            UNROLL for (int j = 0; j < 2 && weigh; j++) e[j] = float_exp8(s[j]);
            const int near = any(_mm256_cmp_ps(_mm256_max_ps(s[0], s[1]), least[FAR - 1], _CMP_GE_OQ));
            UNROLL for (int j = 0; j < 2; j++) {
                UNROLL for (int r = FAR; r >= 0; r--) {
                    if (r == FAR - 1 && !near) break;
                    const __m256 in = _mm256_cmp_ps(s[j], least[r], _CMP_GE_OQ);
                    if (weigh) sum[r] = _mm256_add_ps(sum[r], _mm256_and_ps(in, e[j]));
                    counts[r] += __builtin_popcount((unsigned)_mm256_movemask_ps(in));
                }
            }
        }
        UNROLL for (int r = 0; r < UZU_K_REACHES; r++) {
            float lanes[WIDTH];
            _mm256_storeu_ps(lanes, sum[r]);
            for (int i = 0; i < WIDTH; i++) sums[r][i] += (double)lanes[i];
        }
    }
    for (int r = 0; r < UZU_K_REACHES; r++) {
        tally->weights[r] = 0;
        tally->counts[r] = counts[r];
        for (int i = 0; i < WIDTH; i++) tally->weights[r] += sums[r][i];
    }
}

void uzu_k_tally_avx2(const float *x, int32_t count, float shift, float temperature, int32_t weigh,
                      uzu_k_tally *tally) {
    if (weigh) tally_tokens(1, x, count, shift, temperature, tally);
    else tally_tokens(0, x, count, shift, temperature, tally);
}

/* Appends the lanes of `in`. */
INLINE int append(int size, int token, __m256 s, __m256 in, int32_t *tokens, float *values) {
    float lanes[WIDTH];
    _mm256_storeu_ps(lanes, s);
    for (unsigned bits = (unsigned)_mm256_movemask_ps(in); bits; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        tokens[size] = token + lane;
        values[size++] = lanes[lane];
    }
    return size;
}

int32_t uzu_k_gather_avx2(const float *x, int32_t count, float shift, float temperature, float least, float below,
                          int32_t *tokens, float *values) {
    const float floor = floor_of(shift, temperature, least);
    int size = 0;
    for (int token = 0; token < count; token += WIDTH) {
        const __m256 v = load_tokens(x + token, count - token);
        if (!any(at_least(v, floor))) continue;
        const __m256 s = scaled(v, shift, temperature);
        const __m256 in = _mm256_and_ps(at_least(s, least), _mm256_cmp_ps(s, set(below), _CMP_LT_OQ));
        size = append(size, token, s, in, tokens, values);
    }
    return size;
}

/* One round's multiplication of eight lanes: the upper and the lower halves of the products. */
INLINE void multiply(__m256i a, uint32_t b, __m256i *high, __m256i *low) {
    const __m256i factor = _mm256_set1_epi64x(b);
    const __m256i even = _mm256_mul_epu32(a, factor), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), factor);
    *high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    *low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}

/* Philox4x32-10 of eight blocks from `first` on; words[i] are those of tokens 8i to 8i + 7. */
INLINE void philox(uint64_t key, int first, __m256i *words) {
    __m256i c0 = _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i c1 = _mm256_setzero_si256(), c2 = c1, c3 = c1;
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    UNROLL for (int round = 0; round < 10; round++) {
        __m256i high0, low0, high1, low1;
        multiply(c0, 0xD2511F53u, &high0, &low0);
        multiply(c2, 0xCD9E8D57u, &high1, &low1);
        c0 = _mm256_xor_si256(_mm256_xor_si256(high1, c1), _mm256_set1_epi32((int32_t)k0));
        c1 = low1;
        c2 = _mm256_xor_si256(_mm256_xor_si256(high0, c3), _mm256_set1_epi32((int32_t)k1));
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    const __m256i a = _mm256_unpacklo_epi32(c0, c1), b = _mm256_unpacklo_epi32(c2, c3);
    const __m256i c = _mm256_unpackhi_epi32(c0, c1), d = _mm256_unpackhi_epi32(c2, c3);
    const __m256i b04 = _mm256_unpacklo_epi64(a, b), b15 = _mm256_unpackhi_epi64(a, b);
    const __m256i b26 = _mm256_unpacklo_epi64(c, d), b37 = _mm256_unpackhi_epi64(c, d);
    words[0] = _mm256_permute2x128_si256(b04, b15, 0x20);
    words[1] = _mm256_permute2x128_si256(b26, b37, 0x20);
    words[2] = _mm256_permute2x128_si256(b04, b15, 0x31);
    words[3] = _mm256_permute2x128_si256(b26, b37, 0x31);
}

/* ln 2 · (24 − what the bits of m − ½ say of its binary logarithm), where m = 2²⁴ − the upper 24 bits, so 1 − u =
   (m − ½) / 2²⁴. Bits, read as a number, are a logarithm that is at most 0.0861 too small and never too large; and
   −ln u ≥ 1 − u: no noise is larger. For u ≥ ½, −ln u ≤ 2 ln 2 · (1 − u): no noise is smaller by more than 0.0597 +
   0.3267. */
INLINE __m256 most_noise(__m256i words) {
    const __m256i m = _mm256_sub_epi32(_mm256_set1_epi32(1 << 24), _mm256_srli_epi32(words, 8));
    const __m256 v = _mm256_sub_ps(_mm256_cvtepi32_ps(m), set(0.5f));
    const __m256 bits = _mm256_cvtepi32_ps(_mm256_castps_si256(v));
    const __m256 log2 = _mm256_sub_ps(_mm256_mul_ps(bits, set(0x1p-23f)), set(127 + 24));
    return _mm256_mul_ps(log2, set(-0.693147181f));
}

int32_t uzu_k_contend_avx2(const float *x, int32_t count, float shift, float temperature, float least, float best,
                           uint64_t key, int32_t *tokens, float *values) {
    /* The bounds above, with room for all roundings. */
    const float most = 17.33f, less = 0.4f, slack = 1e-4f;
    float near = fmaxf(least, best - most), floor = floor_of(shift, temperature, near);
    int size = 0;
    for (int token = 0; token < count; token += NOISE_TOKENS) {
        __m256 v[4], in = _mm256_setzero_ps();
        UNROLL for (int i = 0; i < 4; i++) {
            v[i] = load_tokens(x + token + i * WIDTH, count - token - i * WIDTH);
            in = _mm256_or_ps(in, at_least(v[i], floor));
        }
        if (!any(in)) continue;
        __m256i words[4];
        philox(key, token / 4, words);
        UNROLL for (int i = 0; i < 4; i++) {
            const __m256 s = scaled(v[i], shift, temperature), noise = most_noise(words[i]);
            const __m256 sum = _mm256_add_ps(s, noise);
            in = _mm256_and_ps(at_least(s, least), at_least(sum, best - slack));
            if (!any(in)) continue;
            size = append(size, token + i * WIDTH, s, in, tokens, values);
            /* Of tokens at `least` itself a filter may keep only some. The words' first bits: u ≥ ½. */
            const __m256 above = _mm256_and_ps(in, _mm256_cmp_ps(s, set(least), _CMP_GT_OQ));
            const __m256 counts = _mm256_and_ps(above, _mm256_castsi256_ps(words[i]));
            const float sure = largest(_mm256_blendv_ps(set(-INFINITY), sum, counts)) - less;
            if (sure > best) {
                best = sure;
                near = fmaxf(least, best - most);
                floor = floor_of(shift, temperature, near);
            }
        }
    }
    return size;
}

/* uzu.backend.cpu.LogitScan. What isn't a number is at least anything. */
void uzu_k_contenders_avx2(const float *x, const float *radii, int32_t count, float reach, float least,
                           int32_t *units) {
    for (int i = 0; i < count; i += 2 * WIDTH, units++) {
        __m256 found = _mm256_setzero_ps();
        UNROLL for (int j = 0; j < 2 * WIDTH; j += WIDTH) {
            const int n = count - i - j;
            const __m256 most = _mm256_fmadd_ps(_mm256_loadu_ps(radii + i + j), set(reach), load_tokens(x + i + j, n));
            __m256 mark = _mm256_cmp_ps(most, set(least), _CMP_NLT_UQ);
            if (n < WIDTH) mark = _mm256_and_ps(mark, _mm256_castsi256_ps(first_lanes(n < 0 ? 0 : n)));
            found = _mm256_or_ps(found, mark);
        }
        if (any(found)) *units = 1;
    }
}
