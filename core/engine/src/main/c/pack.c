/* Rows of ggml's blocks into units, byte for byte as uzu.backend.cpu.MatrixPacker lays them out. Plain C: quants travel
   four to a word, and a load is bound by memory then. */
#include <string.h>

#include "kernels.h"
#include "layout.h"

enum { ONES = 0x01010101, NIBBLES = 0x0f0f0f0f, WORDS = GROUP / 4 };

INLINE int block_columns(int type) { return super_bytes(type) ? GROUP * SUPER_GROUPS : GROUP; }
INLINE int block_bytes(int type) {
    switch (type) {
        case Q4_0: return 18;
        case Q4_1: return 20;
        case Q5_0: return 22;
        case Q5_1: return 24;
        case Q8_0: return 34;
        case Q2_K: return 84;
        case Q3_K: return 110;
        case Q4_K: return 144;
        case Q5_K: return 176;
        default: return 210;
    }
}

INLINE uint32_t word(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

/* 16 bytes whose low nibbles are columns 0 to 15 and whose high ones are columns 16 to 31. */
INLINE void nibbles(const uint8_t *p, uint32_t *q) {
    UNROLL for (int j = 0; j < 4; j++) {
        const uint32_t pairs = word(p + 4 * j);
        q[j] = pairs & NIBBLES;
        q[j + 4] = pairs >> 4 & NIBBLES;
    }
}

/* Bit k of the 32 belongs to column k. The product has bit i of four at bit 8i, besides others. */
INLINE void fifth_bits(const uint8_t *p, uint32_t *q) {
    const uint32_t all = word(p);
    UNROLL for (int j = 0; j < WORDS; j++) q[j] |= ((all >> 4 * j & 15) * 0x00204081 & ONES) << 4;
}

/* Bits of 32 consecutive bytes, one byte a column. */
INLINE void bits(const uint8_t *p, int shift, uint32_t mask, uint32_t *q) {
    UNROLL for (int j = 0; j < WORDS; j++) q[j] = word(p + 4 * j) >> shift & mask;
}

INLINE void more_bits(const uint8_t *p, int shift, uint32_t mask, int place, uint32_t *q) {
    UNROLL for (int j = 0; j < WORDS; j++) q[j] |= (word(p + 4 * j) >> shift & mask) << place;
}

/* The quants of group g of a block, those of columns 4j to 4j + 3 in the bytes of q[j]. */
INLINE void quants(const int type, const uint8_t *block, int g, uint32_t *q) {
    const int half = g / 4, quarter = g % 4;
    switch (type) {
        case Q4_0: nibbles(block + 2, q); break;
        case Q4_1: nibbles(block + 4, q); break;
        case Q5_0: nibbles(block + 6, q), fifth_bits(block + 2, q); break;
        case Q5_1: nibbles(block + 8, q), fifth_bits(block + 4, q); break;
        case Q8_0: bits(block + 2, 0, ~0u, q); break;
        case Q2_K: bits(block + 16 + 32 * half, 2 * quarter, 3 * ONES, q); break;
        case Q3_K:
            bits(block + 32 + 32 * half, 2 * quarter, 3 * ONES, q);
            more_bits(block, g, ONES, 2, q);
            break;
        case Q4_K: bits(block + 16 + 32 * (g / 2), 4 * (g % 2), NIBBLES, q); break;
        case Q5_K:
            bits(block + 48 + 32 * (g / 2), 4 * (g % 2), NIBBLES, q);
            more_bits(block + 16, g, ONES, 4, q);
            break;
        default:
            bits(block + 64 * half + 32 * (quarter % 2), 4 * (quarter / 2), NIBBLES, q);
            more_bits(block + 128 + 32 * half, 2 * quarter, 3 * ONES, 4, q);
    }
}

/* Bits `place` to `place + width` of all quants to one lane of a plane. */
INLINE void plane(const int width, int place, const uint32_t *q, uint8_t *to) {
    const int each = 8 / width;
    const uint32_t mask = width == 8 ? ~0u : ((1u << width % 8) - 1) * ONES;
    UNROLL for (int v = 0; v < width; v++) {
        uint32_t packed = 0;
        UNROLL for (int t = 0; t < each; t++) packed |= (q[v * each + t] >> place & mask) << t * width;
        memcpy(to + v * VECTOR, &packed, 4);
    }
}

/* Eight scales and eight minimums of 6 bits in 12 bytes. */
INLINE uint8_t six_bits(const uint8_t *p, int g, int minimum) {
    const uint8_t *own = p + 4 * minimum + g % 4;
    return g < 4 ? own[0] & 63 : (p[4 + g] >> 4 * minimum & 15) | own[0] >> 6 << 4;
}

/* Sixteen scales of 6 bits, stored with 32 added, in 12 bytes. */
INLINE uint8_t signed_six_bits(const uint8_t *p, int i) {
    const int low = p[i % 8] >> 4 * (i / 8) & 15, high = p[8 + i % 4] >> 2 * (i / 4) & 3;
    return (uint8_t)((low | high << 4) - 32);
}

INLINE void scales(const int type, const uint8_t *block, int g, uint8_t *to, int lane) {
    uint8_t first, second;
    switch (type) {
        case Q4_1: case Q5_1: memcpy(to + 2 * (LANES + lane), block + 2, 2); /* and the scale */
        /* fall through */
        case Q4_0: case Q5_0: case Q8_0: memcpy(to + 2 * lane, block, 2); return;
        case Q4_K: case Q5_K: first = six_bits(block + 4, g, 0), second = six_bits(block + 4, g, 1); break;
        case Q2_K: first = block[2 * g], second = block[2 * g + 1]; break;
        case Q3_K: first = signed_six_bits(block + 96, 2 * g), second = signed_six_bits(block + 96, 2 * g + 1); break;
        default: first = block[192 + 2 * g], second = block[192 + 2 * g + 1];
    }
    to[lane] = first;
    to[LANES + lane] = second;
}

INLINE void super_scales(const int type, const uint8_t *block, uint8_t *to, int lane) {
    const uint8_t *from = block + (type == Q2_K ? 80 : type == Q3_K ? 108 : type == Q6_K ? 208 : 0);
    memcpy(to + 2 * lane, from, 2);
    if (super_bytes(type) > 2 * LANES) memcpy(to + 2 * (LANES + lane), from + 2, 2);
}

INLINE void pack_unit(const int type, int columns, const uint8_t *in, uint8_t *out) {
    const int groups = columns / GROUP, in_block = block_columns(type) / GROUP;
    const int64_t row_bytes = (int64_t)groups / in_block * block_bytes(type);
    for (int group = 0; group < groups; group++) {
        const int g = group % in_block;
        const uint8_t *block = in + (int64_t)(group / in_block) * block_bytes(type);
        if (super_bytes(type) && g == 0) {
            for (int lane = 0; lane < LANES; lane++) super_scales(type, block + lane * row_bytes, out, lane);
            out += super_bytes(type);
        }
        for (int lane = 0; lane < LANES; lane++) {
            uint32_t q[WORDS];
            quants(type, block + lane * row_bytes, g, q);
            plane(low_bits(type), 0, q, out + 4 * lane);
            if (high_bits(type) == 1) plane(1, low_bits(type), q, out + low_bits(type) * VECTOR + 4 * lane);
            if (high_bits(type) == 2) plane(2, low_bits(type), q, out + low_bits(type) * VECTOR + 4 * lane);
            scales(type, block + lane * row_bytes, g, out + plane_bytes(type), lane);
        }
        out += group_bytes(type);
    }
}

INLINE void interleave(const int size, int columns, const uint8_t *in, uint8_t *out) {
    const int64_t row_bytes = (int64_t)columns * size;
    for (int k = 0; k < columns; k++, in += size)
        UNROLL for (int lane = 0; lane < LANES; lane++, out += size) memcpy(out, in + lane * row_bytes, (size_t)size);
}

#define CASE(type) case type: pack_unit(type, columns, in, out); break;
void uzu_k_pack(int32_t type, int32_t columns, int32_t units, const uint8_t *in, uint8_t *out) {
    const int floats = type == F32 || type == F16 || type == BF16;
    const int64_t bytes = unit_bytes(type, columns);
    const int64_t source = floats ? bytes : (int64_t)LANES * (columns / block_columns(type)) * block_bytes(type);
    for (int u = 0; u < units; u++, in += source, out += bytes) {
        switch (type) {
            case F32: interleave(4, columns, in, out); break;
            case F16: case BF16: interleave(2, columns, in, out); break;
            CASE(Q4_0) CASE(Q4_1) CASE(Q5_0) CASE(Q5_1) CASE(Q8_0)
            CASE(Q2_K) CASE(Q3_K) CASE(Q4_K) CASE(Q5_K) CASE(Q6_K)
        }
    }
}
