/* The two products of attention, with sums that stay in registers: queries with keys, weights with values; one variant
   a cache type and number of queries. Part of attention.h, which has what it uses. */

/* Panels that n queries take at a time. */
INLINE int panels_for(const int n) {
    const int fit = MOST_SUMS / (n * PIECES);
    return fit >= 4 ? 4 : fit >= 2 ? 2 : 1;
}

/* Vectors of columns that n queries take at a time. */
INLINE int vectors_for(const int n) {
    const int fit = MOST_SUMS / n;
    return fit >= 8 ? 8 : fit >= 4 ? 4 : 2;
}

/* Dot products of n queries with the keys of some panels. What is fewer, queries or vectors of keys, waits in registers
   for the other. `ahead` bytes on lies what will be read next; 0 if it is cached or unknown. */
INLINE void dots(const int type, const int n, const int panels, const float *const *queries, int size,
                 const uint8_t *keys, int64_t ahead, float *scores, int stride) {
    enum { MOST_VECTORS = MOST_PANELS * PIECES };
    const int64_t panel = (int64_t)PANEL * size * bytes_of(type);
    const int vectors = panels * PIECES;
    vf sums[TOGETHER][MOST_VECTORS];
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < vectors; v++) sums[q][v] = vf_zero();
    for (int c = 0; c < size; c++) {
        if (type != UZU_K_CACHE_F32)
            UNROLL for (int p = 0; p < panels; p++)
                __builtin_prefetch(keys + p * panel + c * PANEL * bytes_of(type) + ahead);
        if (n < vectors) {
            vf x[TOGETHER];
            UNROLL for (int q = 0; q < n; q++) x[q] = vf_set(queries[q][c]);
            UNROLL for (int v = 0; v < vectors; v++) {
                const vf key = widened(type, keys + v / PIECES * panel, c * PANEL + v % PIECES * VF);
                UNROLL for (int q = 0; q < n; q++) sums[q][v] = vf_fma(x[q], key, sums[q][v]);
            }
        } else {
            vf key[MOST_VECTORS];
            UNROLL for (int v = 0; v < vectors; v++)
                key[v] = widened(type, keys + v / PIECES * panel, c * PANEL + v % PIECES * VF);
            UNROLL for (int q = 0; q < n; q++) {
                const vf x = vf_set(queries[q][c]);
                UNROLL for (int v = 0; v < vectors; v++) sums[q][v] = vf_fma(x, key[v], sums[q][v]);
            }
        }
    }
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < vectors; v++) vf_store(scores + q * stride + v * VF, sums[q][v]);
}

/* Adds `count` positions' values, weighted, to `vectors` vectors of sums from `column` on, of n queries. */
INLINE void weigh(const int type, const int n, const int vectors, const float *weights, const uint8_t *values,
                  int64_t stride, int count, int64_t ahead, int column, float *const *out) {
    vf sums[TOGETHER][8];
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < vectors; v++) sums[q][v] = vf_load(out[q] + column + v * VF);
    for (int j = 0; j < count; j++, values += stride) {
        if (type != UZU_K_CACHE_F32)
            UNROLL for (int b = 0; b < vectors * VF * bytes_of(type); b += 64) __builtin_prefetch(values + b + ahead);
        if (n < vectors) {
            vf weight[TOGETHER];
            UNROLL for (int q = 0; q < n; q++) weight[q] = vf_set(weights[q * SCORES + j]);
            UNROLL for (int v = 0; v < vectors; v++) {
                const vf value = widened(type, values, v * VF);
                UNROLL for (int q = 0; q < n; q++) sums[q][v] = vf_fma(weight[q], value, sums[q][v]);
            }
        } else {
            vf value[8];
            UNROLL for (int v = 0; v < vectors; v++) value[v] = widened(type, values, v * VF);
            UNROLL for (int q = 0; q < n; q++) {
                const vf weight = vf_set(weights[q * SCORES + j]);
                UNROLL for (int v = 0; v < vectors; v++) sums[q][v] = vf_fma(weight, value[v], sums[q][v]);
            }
        }
    }
    UNROLL for (int q = 0; q < n; q++)
        UNROLL for (int v = 0; v < vectors; v++) vf_store(out[q] + column + v * VF, sums[q][v]);
}

/* The same for a part of a vector. */
INLINE void weigh_part(const int type, const int n, const float *weights, const uint8_t *values, int64_t stride,
                       int count, int column, int columns, float *const *out) {
    UNROLL for (int q = 0; q < n; q++) {
        vf sum = vf_load_part(out[q] + column, columns);
        for (int j = 0; j < count; j++)
            sum = vf_fma(vf_set(weights[q * SCORES + j]), widened_part(type, values + j * stride, columns), sum);
        vf_store_part(out[q] + column, columns, sum);
    }
}

/* `columns` columns from `column` on, of which `values` is the first. */
INLINE void weigh_columns(const int type, const int n, const float *weights, const uint8_t *values, int64_t stride,
                          int count, int64_t ahead, int column, int columns, float *const *out) {
    const int vectors = vectors_for(n), bytes = bytes_of(type);
    int c = 0;
    for (; c + vectors * VF <= columns; c += vectors * VF)
        weigh(type, n, vectors, weights, values + c * bytes, stride, count, ahead, column + c, out);
    for (; c + VF <= columns; c += VF)
        weigh(type, n, 1, weights, values + c * bytes, stride, count, ahead, column + c, out);
    if (c < columns)
        weigh_part(type, n, weights, values + c * bytes, stride, count, column + c, columns - c, out);
}

typedef void (*dots_of)(const float *const *, int, const uint8_t *, int64_t, float *, int);
typedef void (*weigh_of)(const float *, const uint8_t *, int64_t, int, int64_t, int, int, float *const *);

#define VARIANT(type, n) \
    static void dots_##type##_##n(const float *const *queries, int size, const uint8_t *keys, int64_t ahead, \
                                  float *scores, int stride) { \
        dots(type, n, 1, queries, size, keys, ahead, scores, stride); \
    } \
    static void dots_more_##type##_##n(const float *const *queries, int size, const uint8_t *keys, int64_t ahead, \
                                       float *scores, int stride) { \
        dots(type, n, panels_for(n), queries, size, keys, ahead, scores, stride); \
    } \
    static void weigh_##type##_##n(const float *weights, const uint8_t *values, int64_t stride, int count, int64_t ahead, int column, \
                                   int columns, float *const *out) { \
        weigh_columns(type, n, weights, values, stride, count, ahead, column, columns, out); \
    }
#define VARIANTS(type) \
    VARIANT(type, 1) VARIANT(type, 2) VARIANT(type, 3) VARIANT(type, 4) VARIANT(type, 5) VARIANT(type, 6)
VARIANTS(UZU_K_CACHE_F32)
VARIANTS(UZU_K_CACHE_F16)
VARIANTS(UZU_K_CACHE_BF16)

#define TABLE(name, type) {name##_##type##_1, name##_##type##_2, name##_##type##_3, name##_##type##_4, \
                           name##_##type##_5, name##_##type##_6}
#define TABLES(name) {TABLE(name, UZU_K_CACHE_F32), TABLE(name, UZU_K_CACHE_F16), TABLE(name, UZU_K_CACHE_BF16)}
static const dots_of DOTS[][TOGETHER] = TABLES(dots), DOTS_MORE[][TOGETHER] = TABLES(dots_more);
static const weigh_of WEIGH[][TOGETHER] = TABLES(weigh);
