/* Inputs made ready. */
#include <string.h>

#include "layout.h"

#if defined(__aarch64__)
#include "quantise_neon.h"
#else
#include "quantise_avx2.h"
#endif

static void quantise(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, int32_t first,
                     int32_t last, uint8_t *prepared) {
    const int groups = columns / GROUP;
    for (int row = from; row < to; row++) {
        input *block = (input *)block_of(prepared, row, groups);
        const float *in = x + (int64_t)row * stride;
        for (int g = first; g < last; g++) {
            quantise_group(in + g * GROUP, block + g, row % BLOCK_ROWS);
#if EXTRA_BYTES
            quantise_extra(block + g, row % BLOCK_ROWS, (uint8_t *)(block + groups) + g * EXTRA_BYTES);
#endif
        }
    }
}

static void copy(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, int32_t first, int32_t last,
                 float *prepared) {
    const int end = last * GROUP < columns ? last * GROUP : columns;
    for (int row = from; row < to; row++) {
        const float *in = x + (int64_t)row * stride;
        float *block = prepared + (int64_t)(row / BLOCK_ROWS) * columns * BLOCK_ROWS + row % BLOCK_ROWS;
        for (int k = first * GROUP; k < end; k++) block[(int64_t)k * BLOCK_ROWS] = in[k];
    }
}
