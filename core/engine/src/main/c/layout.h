/* The packed layouts of uzu.backend.cpu.MatrixLayout and PreparedInput. All of these fold to constants. */
#ifndef UZU_LAYOUT_H
#define UZU_LAYOUT_H

#include <stdint.h>

#ifndef INLINE /* the emulated twin of the tests has its own, to compile in a second */
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 32")
#endif

enum { LANES = 16, GROUP = 32, SUPER_GROUPS = 8, VECTOR = 64, VECTORS = 8 };

enum { F32 = 0, F16 = 1, Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8, Q2_K = 10, Q3_K = 11, Q4_K = 12, Q5_K = 13,
       Q6_K = 14, BF16 = 30 };

enum { HALF, HALF_MIN, BYTE_MIN, BYTE_PAIR, NIBBLE_PAIR_MIN };

/* Prefetches a line into the second cache. */
INLINE void prefetch_second(const void *p) { __builtin_prefetch(p, 0, 2); }

/* Fetches a line that will be written from the core that has it: stores wait for their lines in order, sums that are
   spilled to memory behind them. */
INLINE void prefetch_to_write(const void *p) { __builtin_prefetch(p, 1, 3); }

INLINE int scales_of(int type) {
    switch (type) {
        case Q4_0: case Q5_0: case Q8_0: return HALF;
        case Q4_1: case Q5_1: return HALF_MIN;
        case Q4_K: case Q5_K: return BYTE_MIN;
        case Q3_K: case Q6_K: return BYTE_PAIR;
        default: return NIBBLE_PAIR_MIN;
    }
}

INLINE int low_bits(int type) { return type == Q8_0 ? 8 : type == Q2_K || type == Q3_K ? 2 : 4; }
INLINE int high_bits(int type) {
    return type == Q6_K ? 2 : type == Q5_0 || type == Q5_1 || type == Q5_K || type == Q3_K ? 1 : 0;
}
INLINE int offset_of(int type) {
    return type == Q4_0 ? 8 : type == Q5_0 ? 16 : type == Q3_K ? 4 : type == Q6_K ? 32 : 0;
}
INLINE int plane_bytes(int type) { return (low_bits(type) + high_bits(type)) * VECTOR; }
INLINE int group_bytes(int type) { return plane_bytes(type) + (scales_of(type) == HALF_MIN ? 4 : 2) * LANES; }
INLINE int super_bytes(int type) {
    const int scales = scales_of(type);
    return scales == BYTE_PAIR ? 2 * LANES : scales == BYTE_MIN || scales == NIBBLE_PAIR_MIN ? 4 * LANES : 0;
}
INLINE int64_t unit_bytes(int type, int columns) {
    const int64_t groups = columns / GROUP;
    if (type == F32 || type == F16 || type == BF16) return (int64_t)columns * LANES * (type == F32 ? 4 : 2);
    return groups * group_bytes(type) + groups / SUPER_GROUPS * super_bytes(type);
}

/* Prepared int8 inputs: 4 rows of one group. */
enum { BLOCK_ROWS = 4 };
typedef struct {
    int8_t q[BLOCK_ROWS][GROUP];
    float d[BLOCK_ROWS];
    float dsum[BLOCK_ROWS];
    int32_t pairs[BLOCK_ROWS];     /* two int16: sums of q where k%4 is 0 or 1, and where it is 2 or 3 */
    int32_t halves[2][BLOCK_ROWS]; /* the same of 16 columns each */
} input;

/* Bytes that a twin keeps besides for each of a block's groups, behind the block's inputs: at most 304, since the room
   is that of floats. */
#ifndef EXTRA_BYTES
#define EXTRA_BYTES 0
#endif

/* The inputs of the block of a row, counted from a row that starts a block. */
INLINE const input *block_of(const void *prepared, int row, int groups) {
    const int64_t bytes = (int64_t)groups * (int64_t)(sizeof(input) + EXTRA_BYTES);
    return (const input *)((const char *)prepared + row / BLOCK_ROWS * bytes);
}

/* out[rows][LANES] = unit · rows of x; `prefetch` where the unit comes from memory. */
typedef void (*tile_product)(const uint8_t *unit, int groups, const input *x, int rows, float *sums, int prefetch);

#endif
