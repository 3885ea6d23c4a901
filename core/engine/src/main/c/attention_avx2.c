/* Attention over one block of positions, and the joining of blocks; RowKernels says what is computed. Up to four heads
   of a group go together, so that a key or value is read and widened once for all of them. */
#include "vector_avx2.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

enum { BLOCK = 256, MOST_HEADS = 4, AT_ONCE = 8 };

/* Where the block's rows lie: first those of the committed block, then those of the pass that the index names. */
typedef struct {
    const uint8_t *committed, *pending;
    const int32_t *index;
    int count;
    int64_t row_bytes;
} rows;

INLINE const uint8_t *row(const rows *r, int j) {
    return j < r->count ? r->committed + j * r->row_bytes : r->pending + r->index[j - r->count] * r->row_bytes;
}

INLINE __m256 widened(const int type, const uint8_t *x, int column) {
    if (type == UZU_K_CACHE_F32) return _mm256_loadu_ps((const float *)x + column);
    const __m128i half = _mm_loadu_si128((const __m128i *)((const uint16_t *)x + column));
    if (type == UZU_K_CACHE_F16) return _mm256_cvtph_ps(half);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

/* The same of fewer than eight columns; reads nothing behind them. */
INLINE __m256 widened_part(const int type, const uint8_t *x, int column, int n) {
    if (n >= 8) return widened(type, x, column);
    uint8_t part[32] = {0};
    const size_t size = type == UZU_K_CACHE_F32 ? 4 : 2;
    memcpy(part, x + (size_t)column * size, (size_t)n * size);
    return widened(type, part, 0);
}

/* sum + x·y in the first n lanes. */
INLINE __m256 fused_part(__m256 x, __m256 y, __m256 sum, int n) {
    const __m256 first = _mm256_castsi256_ps(first_lanes(n < 0 ? 0 : n > 8 ? 8 : n));
    return _mm256_blendv_ps(sum, _mm256_fmadd_ps(x, y, sum), first);
}

/* Dot products of one or two keys with each head's query, as sums of which only those less than 8 apart are to be
   joined. Two keys halve the loads of the queries, which are more than the multiply-adds leave room for. */
INLINE void products(const int type, const int heads, const int count, const float *queries, int size,
                     const uint8_t *const *keys, __m256 sums[][AT_ONCE], int at) {
    __m256 low[2][MOST_HEADS], high[2][MOST_HEADS];
    UNROLL for (int i = 0; i < count; i++)
        UNROLL for (int h = 0; h < heads; h++) low[i][h] = high[i][h] = _mm256_setzero_ps();
    int c = 0;
    for (; c + 16 <= size; c += 16) {
        __m256 a[2], b[2];
        UNROLL for (int i = 0; i < count; i++) {
            a[i] = widened(type, keys[i], c);
            b[i] = widened(type, keys[i], c + 8);
        }
        UNROLL for (int h = 0; h < heads; h++) {
            const __m256 p = _mm256_loadu_ps(queries + h * size + c), q = _mm256_loadu_ps(queries + h * size + c + 8);
            UNROLL for (int i = 0; i < count; i++) {
                low[i][h] = _mm256_fmadd_ps(p, a[i], low[i][h]);
                high[i][h] = _mm256_fmadd_ps(q, b[i], high[i][h]);
            }
        }
    }
    if (c < size) {
        const int n = size - c, m = n - 8;
        UNROLL for (int i = 0; i < count; i++) {
            const __m256 a = widened_part(type, keys[i], c, n);
            const __m256 b = m > 0 ? widened_part(type, keys[i], c + 8, m) : _mm256_setzero_ps();
            UNROLL for (int h = 0; h < heads; h++) {
                low[i][h] = fused_part(load_part(queries + h * size + c, n), a, low[i][h], n);
                if (m > 0) high[i][h] = fused_part(load_part(queries + h * size + c + 8, m), b, high[i][h], m);
            }
        }
    }
    UNROLL for (int i = 0; i < count; i++)
        UNROLL for (int h = 0; h < heads; h++) sums[h][at + i] = _mm256_add_ps(low[i][h], high[i][h]);
}

/* Scores of all positions, −∞ up to a multiple of eight behind them; the largest of each head. */
INLINE void score(const int type, const int heads, const float *queries, int size, const rows *keys, int positions,
                  float scale, float soft_cap, float *scores, float *most) {
    /* Sums of two keys and four heads would not stay in registers. */
    const int together = heads == MOST_HEADS ? 1 : 2;
    __m256 best[MOST_HEADS];
    UNROLL for (int h = 0; h < heads; h++) best[h] = set(-INFINITY);
    for (int j = 0; j < positions; j += AT_ONCE) {
        __m256 sums[MOST_HEADS][AT_ONCE];
        const int there = positions - j < AT_ONCE ? positions - j : AT_ONCE;
        const uint8_t *at[AT_ONCE];
        for (int i = 0; i < there; i++) at[i] = row(keys, j + i);
        int i = 0;
        for (; i + together <= there; i += together) products(type, heads, together, queries, size, at + i, sums, i);
        for (; i < there; i++) products(type, heads, 1, queries, size, at + i, sums, i);
        for (; i < AT_ONCE; i++)
            UNROLL for (int h = 0; h < heads; h++) sums[h][i] = _mm256_setzero_ps();
        UNROLL for (int h = 0; h < heads; h++) {
            __m256 s = _mm256_mul_ps(set(scale), joined_rows(sums[h]));
            if (soft_cap > 0) s = soft_cap8(s, set(soft_cap));
            s = _mm256_blendv_ps(set(-INFINITY), s, _mm256_castsi256_ps(first_lanes(there)));
            _mm256_storeu_ps(scores + h * BLOCK + j, s);
            best[h] = _mm256_max_ps(s, best[h]);
        }
    }
    UNROLL for (int h = 0; h < heads; h++) most[h] = largest(best[h]);
}

/* Weighted sums of `vectors` × 8 columns of the values from `column` on. */
INLINE void weigh(const int type, const int heads, const int vectors, const float *weights, const rows *values,
                  int positions, int column, float *out, int stride) {
    __m256 sums[MOST_HEADS][8];
    UNROLL for (int h = 0; h < heads; h++)
        UNROLL for (int v = 0; v < vectors; v++) sums[h][v] = _mm256_setzero_ps();
    for (int j = 0; j < positions; j++) {
        const uint8_t *value = row(values, j);
        UNROLL for (int v = 0; v < vectors; v++) {
            const __m256 x = widened(type, value, column + 8 * v);
            UNROLL for (int h = 0; h < heads; h++)
                sums[h][v] = _mm256_fmadd_ps(_mm256_broadcast_ss(weights + h * BLOCK + j), x, sums[h][v]);
        }
    }
    UNROLL for (int h = 0; h < heads; h++)
        UNROLL for (int v = 0; v < vectors; v++) _mm256_storeu_ps(out + h * stride + column + 8 * v, sums[h][v]);
}

INLINE void weigh_part(const int type, const int heads, const float *weights, const rows *values, int positions,
                       int column, int n, float *out, int stride) {
    __m256 sums[MOST_HEADS];
    UNROLL for (int h = 0; h < heads; h++) sums[h] = _mm256_setzero_ps();
    for (int j = 0; j < positions; j++) {
        const __m256 x = widened_part(type, row(values, j), column, n);
        UNROLL for (int h = 0; h < heads; h++)
            sums[h] = _mm256_fmadd_ps(_mm256_broadcast_ss(weights + h * BLOCK + j), x, sums[h]);
    }
    UNROLL for (int h = 0; h < heads; h++) store_part(out + h * stride + column, n, sums[h]);
}

/* Weights from scores; their sums, one after another, the heads side by side. */
INLINE void soften(const int heads, int positions, float *scores, const float *most, float *totals) {
    UNROLL for (int h = 0; h < heads; h++)
        for (int j = 0; j < positions; j += AT_ONCE) {
            float *at = scores + h * BLOCK + j;
            _mm256_storeu_ps(at, exp8(_mm256_sub_ps(_mm256_loadu_ps(at), set(most[h]))));
        }
    UNROLL for (int h = 0; h < heads; h++) totals[h] = 0;
    for (int j = 0; j < positions; j++)
        UNROLL for (int h = 0; h < heads; h++) totals[h] = totals[h] + scores[h * BLOCK + j];
}

INLINE void attend(const int type, const int heads, const float *queries, int size, const rows *keys,
                   const rows *values, int positions, float scale, float soft_cap, float *scores, float *partial,
                   int stride) {
    /* Enough sums at a time to hide a multiply-add's latency, few enough to stay in registers. */
    const int vectors = heads == 1 ? 8 : heads == 4 ? 2 : 4;
    float most[MOST_HEADS], totals[MOST_HEADS];
    score(type, heads, queries, size, keys, positions, scale, soft_cap, scores, most);
    soften(heads, positions, scores, most, totals);
    int c = 0;
    for (; c + 8 * vectors <= size; c += 8 * vectors)
        weigh(type, heads, vectors, scores, values, positions, c, partial, stride);
    for (; c + 8 <= size; c += 8) weigh(type, heads, 1, scores, values, positions, c, partial, stride);
    if (c < size) weigh_part(type, heads, scores, values, positions, c, size - c, partial, stride);
    for (int h = 0; h < heads; h++) {
        partial[h * stride + size] = most[h];
        partial[h * stride + size + 1] = totals[h];
    }
}

#define ATTEND(type, heads) \
    static void attend_##type##_##heads(const float *queries, int size, const rows *keys, const rows *values, \
                                        int positions, float scale, float soft_cap, float *scores, float *partial, \
                                        int stride) { \
        attend(type, heads, queries, size, keys, values, positions, scale, soft_cap, scores, partial, stride); \
    }
#define ATTEND_ALL(type) ATTEND(type, 1) ATTEND(type, 2) ATTEND(type, 3) ATTEND(type, 4)
ATTEND_ALL(UZU_K_CACHE_F32)
ATTEND_ALL(UZU_K_CACHE_F16)
ATTEND_ALL(UZU_K_CACHE_BF16)

typedef void (*attention)(const float *, int, const rows *, const rows *, int, float, float, float *, float *, int);

static const attention ATTENTION[][MOST_HEADS] = {
    {attend_UZU_K_CACHE_F32_1, attend_UZU_K_CACHE_F32_2, attend_UZU_K_CACHE_F32_3, attend_UZU_K_CACHE_F32_4},
    {attend_UZU_K_CACHE_F16_1, attend_UZU_K_CACHE_F16_2, attend_UZU_K_CACHE_F16_3, attend_UZU_K_CACHE_F16_4},
    {attend_UZU_K_CACHE_BF16_1, attend_UZU_K_CACHE_BF16_2, attend_UZU_K_CACHE_BF16_3, attend_UZU_K_CACHE_BF16_4},
};

static int partial_floats(int size) { return (size + 2 + 15) & -16; }

void uzu_k_attend_avx2(int32_t type, const float *queries, int32_t heads, int32_t size, const void *keys,
                       const void *values, int32_t committed, const void *pending_keys, const void *pending_values,
                       const int32_t *index, int32_t pending, float scale, float soft_cap, float *scores,
                       float *partial) {
    const int64_t bytes = (int64_t)size * (type == UZU_K_CACHE_F32 ? 4 : 2);
    const rows k = {keys, pending_keys, index, committed, bytes}, v = {values, pending_values, index, committed, bytes};
    const int stride = partial_floats(size);
    for (int h = 0; h < heads; h += MOST_HEADS) {
        const int some = heads - h < MOST_HEADS ? heads - h : MOST_HEADS;
        ATTENTION[type][some - 1](queries + h * size, size, &k, &v, committed + pending, scale, soft_cap,
                                  scores + h * BLOCK, partial + h * stride, stride);
    }
}

void uzu_k_join_avx2(const float *partials, int32_t blocks, int32_t heads, int32_t size, float *out) {
    const int stride = partial_floats(size);
    for (int h = 0; h < heads; h++, partials += stride, out += size) {
        float most = -INFINITY, total = 0;
        for (int b = 0; b < blocks; b++) {
            const float m = partials[(int64_t)b * heads * stride + size];
            most = m > most ? m : most;
        }
        memset(out, 0, (size_t)size * sizeof(float));
        for (int b = 0; b < blocks; b++) {
            const float *part = partials + (int64_t)b * heads * stride;
            const __m256 factor = exp8(set(part[size] - most));
            total = fmaf(_mm256_cvtss_f32(factor), part[size + 1], total);
            for (int c = 0; c < size; c += 8) {
                const __m256 sum = _mm256_fmadd_ps(factor, load_part(part + c, size - c), load_part(out + c, size - c));
                store_part(out + c, size - c, sum);
            }
        }
        for (int c = 0; c < size; c += 8)
            store_part(out + c, size - c, _mm256_div_ps(load_part(out + c, size - c), set(total)));
    }
}
