/* Products over units and tiles of rows, for the twin that includes this. Before, the twin defines

     vf, VF        a vector of floats and its length (8 or 16), with vf_zero, vf_set1, vf_load, vf_store, vf_add, vf_mul,
                   vf_fma, vf_half (from f16), vf_brain (from bf16)
     MOST_ROWS     most rows of an int8 tile
     tiles         int8 tiles by type and rows - 1: out[rows][LANES] = unit · rows of x */
#include "quantise.h"

enum { FLOAT_ROWS = 64, FLOAT_TILE = 4, VFS = LANES / VF, INPUT_CACHE = 256 << 10 };

INLINE int least(int a, int b) { return a < b ? a : b; }

/* Adds bias and what was there before, and stores the outputs that exist. */
INLINE void finish(const float *sums, int lanes, float *out, const float *bias, int add) {
    if (lanes == LANES) {
        UNROLL for (int i = 0; i < LANES; i += VF) {
            vf y = vf_load(sums + i);
            if (bias) y = vf_add(y, vf_load(bias + i));
            if (add) y = vf_add(vf_load(out + i), y);
            vf_store(out + i, y);
        }
        return;
    }
    for (int i = 0; i < lanes; i++) {
        float y = sums[i];
        if (bias) y = y + bias[i];
        out[i] = add ? out[i] + y : y;
    }
}

static void multiply_int8(int type, int outputs, int columns, const uint8_t *data, int from, int to, const input *x,
                          int rows, float *out, int stride, const float *bias, int add) {
    const int groups = columns / GROUP;
    const int64_t bytes = unit_bytes(type, columns);
    const tile *const by_rows = tiles[type];
    /* Rows whose inputs stay in the second cache while the weights pass by. */
    int chunk = (int)(INPUT_CACHE / ((int64_t)groups * sizeof(input))) * BLOCK_ROWS / MOST_ROWS * MOST_ROWS;
    if (chunk < MOST_ROWS) chunk = MOST_ROWS;
    float sums[MOST_ROWS * LANES];
    for (int first = 0; first < rows; first += chunk) {
        const int last = least(rows, first + chunk);
        for (int u = from; u < to; u++) {
            const int lanes = least(LANES, outputs - u * LANES);
            const float *b = bias ? bias + u * LANES : 0;
            for (int row = first; row < last; row += MOST_ROWS) {
                const int count = least(MOST_ROWS, last - row);
                by_rows[count - 1](data + u * bytes, groups, x + (int64_t)(row / BLOCK_ROWS) * groups, sums, row == first);
                for (int r = 0; r < count; r++)
                    finish(sums + r * LANES, lanes, out + (int64_t)(row + r) * stride + u * LANES, b, add);
            }
        }
    }
}

INLINE float half(const uint8_t *p, int lane) { return _cvtsh_ss((uint16_t)(p[2 * lane] | p[2 * lane + 1] << 8)); }

/* Weights of one group as the specification dequantises them: w[k][lane]. */
INLINE void dequantise(const int type, const uint8_t *group, const uint8_t *super, float (*w)[LANES]) {
    const uint8_t *scales = group + plane_bytes(type);
    float scale[2][LANES], minimum[2][LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const uint8_t first = scales[lane], second = scales[LANES + lane];
        float s[2], m[2] = {0, 0};
        switch (scales_of(type)) {
            case HALF: s[0] = s[1] = half(scales, lane); break;
            case HALF_MIN: s[0] = s[1] = half(scales, lane); m[0] = m[1] = half(scales, LANES + lane); break;
            case BYTE_MIN:
                s[0] = s[1] = half(super, lane) * (float)first;
                m[0] = m[1] = -(half(super, LANES + lane) * (float)second);
                break;
            case BYTE_PAIR:
                s[0] = half(super, lane) * (float)(int8_t)first;
                s[1] = half(super, lane) * (float)(int8_t)second;
                break;
            default:
                s[0] = half(super, lane) * (float)(first & 15);
                s[1] = half(super, lane) * (float)(second & 15);
                m[0] = -half(super, LANES + lane) * (float)(first >> 4);
                m[1] = -half(super, LANES + lane) * (float)(second >> 4);
        }
        for (int i = 0; i < 2; i++) scale[i][lane] = s[i], minimum[i][lane] = m[i];
    }
    const int low = low_bits(type), high = high_bits(type);
    const int has_minimum = scales_of(type) != HALF && scales_of(type) != BYTE_PAIR;
    for (int k = 0; k < GROUP; k++) {
        const int j = k / 4;
        for (int lane = 0; lane < LANES; lane++) {
            const int b = 4 * lane + k % 4;
            int q = low == 8 ? (int8_t)group[j * VECTOR + b]
                             : group[j * low / 8 * VECTOR + b] >> j * low % 8 & ((1 << low) - 1);
            if (high) q |= (group[low * VECTOR + j * high / 8 * VECTOR + b] >> j * high % 8 & ((1 << high) - 1)) << low;
            const float value = scale[k / 16][lane] * (float)(q - offset_of(type));
            w[k][lane] = has_minimum ? value + minimum[k / 16][lane] : value;
        }
    }
}

#define CASE(type) case type: dequantise(type, group, super, w); break;
static void dequantise_any(int type, const uint8_t *group, const uint8_t *super, float (*w)[LANES]) {
    switch (type) { CASE(Q4_0) CASE(Q4_1) CASE(Q5_0) CASE(Q5_1) CASE(Q8_0) CASE(Q2_K) CASE(Q3_K) CASE(Q4_K) CASE(Q5_K) CASE(Q6_K) }
}
#undef CASE

/* Floats of `width` columns from column k of a unit: w[column][lane]. */
static const float *columns_of(int type, const uint8_t *unit, int k, int width, float (*w)[LANES]) {
    if (type == F32) return (const float *)unit + (int64_t)k * LANES;
    if (type == F16 || type == BF16) {
        const uint16_t *p = (const uint16_t *)unit + (int64_t)k * LANES;
        for (int i = 0; i < width * LANES; i += VF) vf_store(w[0] + i, type == F16 ? vf_half(p + i) : vf_brain(p + i));
        return w[0];
    }
    const int g = k / GROUP, super = g / SUPER_GROUPS;
    const uint8_t *group = unit + (int64_t)g * group_bytes(type) + (super + 1) * (int64_t)super_bytes(type);
    const uint8_t *eight = unit + super * ((int64_t)SUPER_GROUPS * group_bytes(type) + super_bytes(type));
    dequantise_any(type, group, eight, w);
    return w[0];
}

/* sums[rows][LANES] += w[width][LANES] · x[width][BLOCK_ROWS] */
INLINE void float_tile(const int rows, const float *w, int width, const float *x, float *sums) {
    vf s[FLOAT_TILE][VFS];
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int i = 0; i < VFS; i++) s[r][i] = vf_zero();
    for (int k = 0; k < width; k++) {
        UNROLL for (int r = 0; r < rows; r++) {
            const vf b = vf_set1(x[k * BLOCK_ROWS + r]);
            UNROLL for (int i = 0; i < VFS; i++) s[r][i] = vf_fma(vf_load(w + k * LANES + i * VF), b, s[r][i]);
        }
    }
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int i = 0; i < VFS; i++) {
        float *to = sums + r * LANES + i * VF;
        vf_store(to, vf_add(vf_load(to), s[r][i]));
    }
}

static void multiply_floats(int type, int outputs, int columns, const uint8_t *data, int from, int to, const float *x,
                            int rows, float *out, int stride, const float *bias, int add) {
    const int64_t bytes = unit_bytes(type, columns);
    float buffer[GROUP][LANES] __attribute__((aligned(64)));
    float sums[FLOAT_ROWS * LANES] __attribute__((aligned(64)));
    for (int u = from; u < to; u++) {
        const int lanes = least(LANES, outputs - u * LANES);
        const uint8_t *unit = data + u * bytes;
        for (int first = 0; first < rows; first += FLOAT_ROWS) {
            const int count = least(FLOAT_ROWS, rows - first);
            memset(sums, 0, sizeof sums);
            for (int k = 0; k < columns; k += GROUP) {
                const int width = least(GROUP, columns - k);
                const float *w = columns_of(type, unit, k, width, buffer);
                const uint8_t *ahead = unit + (k + 4 * GROUP) * (bytes / columns);
                if (first == 0) for (int i = 0; i < GROUP * bytes / columns; i += 64) _mm_prefetch((const char *)ahead + i, _MM_HINT_T1);
                for (int row = 0; row < count; row += FLOAT_TILE) {
                    const float *xs = x + (int64_t)(first + row) * columns + (int64_t)k * BLOCK_ROWS;
                    switch (count - row) {
                        case 1: float_tile(1, w, width, xs, sums + row * LANES); break;
                        case 2: float_tile(2, w, width, xs, sums + row * LANES); break;
                        case 3: float_tile(3, w, width, xs, sums + row * LANES); break;
                        default: float_tile(4, w, width, xs, sums + row * LANES);
                    }
                }
            }
            for (int r = 0; r < count; r++)
                finish(sums + r * LANES, lanes, out + (int64_t)(first + r) * stride + u * LANES, bias ? bias + u * LANES : 0, add);
        }
    }
}

#define UZU_K_DEFINE(isa) \
    void uzu_k_quantise_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, \
                              uint8_t *prepared) { \
        quantise(x, stride, columns, from, to, prepared); \
    } \
    void uzu_k_copy_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, float *prepared) { \
        copy(x, stride, columns, from, to, prepared); \
    } \
    void uzu_k_multiply_##isa(int32_t type, int32_t floats, int32_t outputs, int32_t columns, const uint8_t *data, \
                              int32_t from, int32_t to, const void *prepared, int32_t rows, float *out, \
                              int32_t stride, const float *bias, int32_t add) { \
        (floats ? (void)multiply_floats(type, outputs, columns, data, from, to, prepared, rows, out, stride, bias, add) \
                : (void)multiply_int8(type, outputs, columns, data, from, to, prepared, rows, out, stride, bias, add)); \
    }
