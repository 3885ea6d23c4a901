/* Products over units and tiles of rows, for the twin that includes this. Before, the twin defines

     vf, VF        a vector of floats and its length (4, 8 or 16), with vf_zero, vf_set1, vf_load, vf_store, vf_add,
                   vf_fma, vf_half (from f16), vf_brain (from bf16)
     one_half      one float from f16
     MOST_ROWS     most rows of an int8 tile, and most_rows those of one for a type: 4, or a power of two above
     tile_of       the int8 tile for a type and a number of rows
     quantise_extra  where EXTRA_BYTES is defined: fills them for a row of a group, from its input */
#include "quantise.h"

enum { FLOAT_ROWS = 64, FLOAT_TILE = 4, FLOAT_AHEAD = 4096, VFS = LANES / VF, INPUT_CACHE = 256 << 10 };

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
    /* Rows whose inputs stay in the second cache while the weights pass by. */
    const int most = most_rows(type);
    int chunk = (int)(INPUT_CACHE / ((int64_t)groups * sizeof(input))) * BLOCK_ROWS / MOST_ROWS * MOST_ROWS;
    if (chunk < MOST_ROWS) chunk = MOST_ROWS;
    float sums[MOST_ROWS * LANES];
    for (int first = 0; first < rows; first += chunk) {
        const int last = least(rows, first + chunk);
        for (int u = from; u < to; u++) {
            const int lanes = least(LANES, outputs - u * LANES);
            const float *b = bias ? bias + u * LANES : 0;
            for (int row = first; row < last; row += most) {
                const int count = least(most, last - row);
                const input *xs = block_of(x, row, groups);
                for (int r = 0; r < count; r++) prefetch_to_write(out + (int64_t)(row + r) * stride + u * LANES);
                tile_of(type, count)(data + u * bytes, groups, xs, count, sums, row == first);
                for (int r = 0; r < count; r++)
                    finish(sums + r * LANES, lanes, out + (int64_t)(row + r) * stride + u * LANES, b, add);
            }
        }
    }
}

INLINE float half(const uint8_t *p, int lane) { return one_half((uint16_t)(p[2 * lane] | p[2 * lane + 1] << 8)); }

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
    switch (type) {
        CASE(Q4_0) CASE(Q4_1) CASE(Q5_0) CASE(Q5_1) CASE(Q8_0)
        CASE(Q2_K) CASE(Q3_K) CASE(Q4_K) CASE(Q5_K) CASE(Q6_K)
    }
}
#undef CASE

INLINE int value_bytes(int type) { return type == F32 ? 4 : 2; }

INLINE vf floats_at(const int type, const uint8_t *p) {
    if (type == F32) return vf_load((const float *)p);
    return type == F16 ? vf_half((const uint16_t *)p) : vf_brain((const uint16_t *)p);
}

/* sums[rows][LANES] += w · x of one group of `width` columns after the other, `pieces` groups at once. */
INLINE void float_tile(const int type, const int rows, const int pieces, const uint8_t *w, int width, const float *x,
                       float *sums) {
    const int bytes = LANES * value_bytes(type);
    vf s[FLOAT_TILE][VFS];
    UNROLL for (int c = 0; c < rows * pieces; c++) UNROLL for (int i = 0; i < VFS; i++) s[c][i] = vf_zero();
    for (int k = 0; k < width; k++) {
        UNROLL for (int g = 0; g < pieces; g++) {
            const uint8_t *at = w + (int64_t)(g * GROUP + k) * bytes;
            UNROLL for (int r = 0; r < rows; r++) {
                const vf b = vf_set1(x[(g * GROUP + k) * BLOCK_ROWS + r]);
                UNROLL for (int i = 0; i < VFS; i++) {
                    vf *const to = &s[g * rows + r][i];
                    *to = vf_fma(floats_at(type, at + i * VF * value_bytes(type)), b, *to);
                }
            }
        }
    }
    UNROLL for (int g = 0; g < pieces; g++) UNROLL for (int r = 0; r < rows; r++) UNROLL for (int i = 0; i < VFS; i++) {
        float *to = sums + r * LANES + i * VF;
        vf_store(to, vf_add(vf_load(to), s[g * rows + r][i]));
    }
}

/* All columns of a unit with 1 to 4 rows; chains of several groups side by side hide the latency of fma. */
INLINE void narrow_product(const int type, const int rows, const uint8_t *unit, int columns, const float *x,
                           float *sums, int again) {
    const int pieces = FLOAT_TILE / rows;
    const int64_t bytes = LANES * value_bytes(type);
    int k = 0;
    for (; k + pieces * GROUP <= columns; k += pieces * GROUP) {
        for (int i = 0; i < pieces * GROUP * bytes && !again; i += 64)
            prefetch_second(unit + k * bytes + FLOAT_AHEAD + i);
        float_tile(type, rows, pieces, unit + k * bytes, GROUP, x + (int64_t)k * BLOCK_ROWS, sums);
    }
    for (; k < columns; k += GROUP)
        float_tile(type, rows, 1, unit + k * bytes, least(GROUP, columns - k), x + (int64_t)k * BLOCK_ROWS, sums);
}

#define FLOATS(type) \
    static void product_##type(const uint8_t *unit, int columns, const float *x, int rows, float *sums) { \
        for (int row = 0; row < rows; row += FLOAT_TILE) { \
            const float *xs = x + (int64_t)row * columns; \
            float *to = sums + row * LANES; \
            switch (rows - row) { \
                case 1: narrow_product(type, 1, unit, columns, xs, to, row); break; \
                case 2: narrow_product(type, 2, unit, columns, xs, to, row); break; \
                case 3: narrow_product(type, 3, unit, columns, xs, to, row); break; \
                default: narrow_product(type, 4, unit, columns, xs, to, row); \
            } \
        } \
    }
FLOATS(F32) FLOATS(F16) FLOATS(BF16)
#undef FLOATS

/* All columns of a unit of quants: each group is dequantised once for all rows. */
static void product_quants(int type, const uint8_t *unit, int columns, const float *x, int rows, float *sums) {
    float w[GROUP][LANES] __attribute__((aligned(64)));
    const uint8_t *super = unit, *group = unit;
    for (int g = 0; g < columns / GROUP; g++, group += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) {
            super = group;
            group += super_bytes(type);
        }
        dequantise_any(type, group, super, w);
        for (int row = 0; row < rows; row += FLOAT_TILE) {
            const float *xs = x + (int64_t)row * columns + (int64_t)g * GROUP * BLOCK_ROWS;
            float *to = sums + row * LANES;
            switch (rows - row) {
                case 1: float_tile(F32, 1, 1, (const uint8_t *)w, GROUP, xs, to); break;
                case 2: float_tile(F32, 2, 1, (const uint8_t *)w, GROUP, xs, to); break;
                case 3: float_tile(F32, 3, 1, (const uint8_t *)w, GROUP, xs, to); break;
                default: float_tile(F32, 4, 1, (const uint8_t *)w, GROUP, xs, to);
            }
        }
    }
}

static void multiply_floats(int type, int outputs, int columns, const uint8_t *data, int from, int to, const float *x,
                            int rows, float *out, int stride, const float *bias, int add) {
    const int64_t bytes = unit_bytes(type, columns);
    float sums[FLOAT_ROWS * LANES] __attribute__((aligned(64)));
    for (int u = from; u < to; u++) {
        const int lanes = least(LANES, outputs - u * LANES);
        const uint8_t *unit = data + u * bytes;
        const float *b = bias ? bias + u * LANES : 0;
        for (int first = 0; first < rows; first += FLOAT_ROWS) {
            const int count = least(FLOAT_ROWS, rows - first);
            const float *xs = x + (int64_t)first * columns;
            memset(sums, 0, count * LANES * sizeof *sums);
            switch (type) {
                case F32: product_F32(unit, columns, xs, count, sums); break;
                case F16: product_F16(unit, columns, xs, count, sums); break;
                case BF16: product_BF16(unit, columns, xs, count, sums); break;
                default: product_quants(type, unit, columns, xs, count, sums);
            }
            for (int r = 0; r < count; r++)
                finish(sums + r * LANES, lanes, out + (int64_t)(first + r) * stride + u * LANES, b, add);
        }
    }
}

/* `multiply_quants` is multiply_int8, or what a twin has before it. */
#define UZU_K_DEFINE(isa, multiply_quants) \
    void uzu_k_quantise_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, \
                              int32_t first, int32_t last, uint8_t *prepared) { \
        quantise(x, stride, columns, from, to, first, last, prepared); \
    } \
    void uzu_k_copy_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, \
                          int32_t first, int32_t last, float *prepared) { \
        copy(x, stride, columns, from, to, first, last, prepared); \
    } \
    void uzu_k_multiply_##isa(int32_t type, int32_t floats, int32_t outputs, int32_t columns, const uint8_t *data, \
                              int32_t from, int32_t to, const void *prepared, int32_t rows, float *out, \
                              int32_t stride, const float *bias, int32_t add) { \
        if (floats) multiply_floats(type, outputs, columns, data, from, to, prepared, rows, out, stride, bias, add); \
        else multiply_quants(type, outputs, columns, data, from, to, prepared, rows, out, stride, bias, add); \
    }
