/* AVX2, FMA and F16C. A byte product is maddubs, whose sums of two saturate at 16 bits. They don't here: |unsigned
   quant · int8 · 2| ≤ 63·127·2, and 8 bits are |x| · ±w or |w| · ±x ≤ 127·128·2. Sums of such sums are kept in 16 bits
   too, with the quants' offset taken off before: what is left fits, and until then it may wrap. */
#define EXTRA_BYTES 272
#include "quants_avx2.h"

/* Units side by side for few rows, and bytes to prefetch ahead of each; most rows of a wide tile. */
enum { PAIR = 2, PAIR_ROWS = 2, AHEAD_PAIR = 1024, WIDE_ROWS = 6 };

/* What 8 bits need besides of 4 rows of one group: x·w = |x|·(w ^ sign) + (sign ? |x| : 0), where sign is all bits. */
typedef struct {
    uint8_t sizes[BLOCK_ROWS][GROUP];
    int8_t signs[BLOCK_ROWS][GROUP];
    int32_t negatives[BLOCK_ROWS]; /* Σ |x| where x < 0 */
} magnitudes;

INLINE void quantise_extra(const input *x, int row, void *extra) {
    magnitudes *to = extra;
    const __m256i q = load(x->q[row]), size = _mm256_abs_epi8(q);
    const __m256i sign = _mm256_cmpgt_epi8(_mm256_setzero_si256(), q);
    _mm256_storeu_si256((__m256i *)to->sizes[row], size);
    _mm256_storeu_si256((__m256i *)to->signs[row], sign);
    __m256i sums = _mm256_sad_epu8(_mm256_and_si256(size, sign), _mm256_setzero_si256());
    sums = _mm256_add_epi64(sums, _mm256_permute4x64_epi64(sums, 0x4e));
    to->negatives[row] = _mm256_extract_epi32(sums, 0) + _mm256_extract_epi32(sums, 2);
}

/* Keeps a sum in its register: GCC would else compute all products first, spill them and add them up afterwards. */
INLINE __m256i settled(__m256i v) {
    __asm__("" : "+x"(v));
    return v;
}

/* What is taken off the quants. Five bits fit only with their offset, which types without one put back. */
INLINE int words_offset(const int type) { return high_bits(type) == 1 && low_bits(type) == 4 ? 16 : offset_of(type); }

/* Where there is an offset, words are offset · pairs − offset · q, so −isum: the start is a shift, no product. Where
   there is none, the first products are the start. */
INLINE int words_sign(const int type) { return words_offset(type) ? -1 : 1; }
INLINE __m256i start(const int offset, int32_t pairs) {
    const int shift = offset == 32 ? 5 : offset == 16 ? 4 : offset == 8 ? 3 : 2;
    return offset ? _mm256_slli_epi16(broadcast(pairs), shift) : _mm256_setzero_si256();
}
INLINE __m256i with_products(const int type, __m256i words, __m256i w, __m256i x, const int first) {
    const __m256i products = _mm256_maddubs_epi16(w, x);
    if (words_offset(type)) return settled(_mm256_sub_epi16(words, products));
    return settled(first ? products : _mm256_add_epi16(words, products));
}

/* Integer scales with the sign of what they multiply. */
INLINE __m256i sub_scales(const int type, __m128i bytes) {
    return words_sign(type) < 0 ? _mm256_sub_epi16(_mm256_setzero_si256(), twice(bytes)) : twice(bytes);
}

/* Products of vectors `from` to `to`, two columns in 16 bits. */
INLINE void products(const int type, const int rows, group_quants w, const input *x, const int from, const int to,
                     __m256i words[][TILE_ROWS]) {
    UNROLL for (int r = 0; r < rows; r++) {
        const int32_t pairs = to - from == VECTORS ? x->pairs[r] : x->halves[2 * from / VECTORS][r];
        words[0][r] = words[1][r] = start(words_offset(type), pairs);
    }
    UNROLL for (int j = from; j < to; j++) {
        const __m256i w0 = quants_at(type, w, 0, j), w1 = quants_at(type, w, 1, j);
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256i b = four_columns(x->q[r], j);
            words[0][r] = with_products(type, words[0][r], w0, b, j == from);
            words[1][r] = with_products(type, words[1][r], w1, b, j == from);
        }
    }
}

/* 32 columns of one scale. */
INLINE void whole_group(const int type, const int rows, group_quants w, const input *x, __m256i isum[][TILE_ROWS]) {
    const int offset = words_offset(type);
    __m256i words[HALVES][TILE_ROWS];
    products(type, rows, w, x, 0, VECTORS, words);
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
        isum[h][r] = _mm256_madd_epi16(words[h][r], _mm256_set1_epi16(words_sign(type)));
        if (offset != offset_of(type)) {
            const __m256i back = _mm256_madd_epi16(broadcast(x->pairs[r]), _mm256_set1_epi16(offset));
            isum[h][r] = _mm256_add_epi32(isum[h][r], back);
        }
    }
}

/* Halves of 16 columns, each with a scale. */
INLINE void halved_group(const int type, const int rows, group_quants w, const lane_scales *s, const input *x,
                         __m256i isum[][TILE_ROWS]) {
    UNROLL for (int i = 0; i < 2; i++) {
        __m256i words[HALVES][TILE_ROWS];
        products(type, rows, w, x, i * VECTORS / 2, (i + 1) * VECTORS / 2, words);
        UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
            const __m256i part = _mm256_madd_epi16(words[h][r], s->sub[i][h]);
            isum[h][r] = i == 0 ? part : _mm256_add_epi32(isum[h][r], part);
        }
    }
}

/* With one row or two, memory is what is short: fewer loads. */
INLINE void few_bytes_group(const int rows, group_quants w, const input *x, __m256i isum[][TILE_ROWS]) {
    const __m256i ones = _mm256_set1_epi16(1);
    UNROLL for (int r = 0; r < rows; r++) isum[0][r] = isum[1][r] = _mm256_setzero_si256();
    UNROLL for (int j = 0; j < VECTORS; j++) UNROLL for (int h = 0; h < HALVES; h++) {
        const __m256i q = quants_at(Q8_0, w, h, j), size = _mm256_abs_epi8(q);
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256i words = _mm256_maddubs_epi16(size, _mm256_sign_epi8(four_columns(x->q[r], j), q));
            isum[h][r] = settled(_mm256_add_epi32(isum[h][r], _mm256_madd_epi16(words, ones)));
        }
    }
}

/* With more, the multiplier ports: signs go on by an exclusive or, which runs elsewhere. */
INLINE void bytes_group(const int rows, group_quants w, const magnitudes *x, __m256i isum[][TILE_ROWS]) {
    const __m256i ones = _mm256_set1_epi16(1);
    UNROLL for (int r = 0; r < rows; r++) isum[0][r] = isum[1][r] = broadcast(x->negatives[r]);
    UNROLL for (int j = 0; j < VECTORS; j++) {
        const __m256i w0 = quants_at(Q8_0, w, 0, j), w1 = quants_at(Q8_0, w, 1, j);
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256i size = four_columns(x->sizes[r], j), sign = four_columns(x->signs[r], j);
            const __m256i words0 = _mm256_maddubs_epi16(size, _mm256_xor_si256(w0, sign));
            const __m256i words1 = _mm256_maddubs_epi16(size, _mm256_xor_si256(w1, sign));
            isum[0][r] = settled(_mm256_add_epi32(isum[0][r], _mm256_madd_epi16(words0, ones)));
            isum[1][r] = settled(_mm256_add_epi32(isum[1][r], _mm256_madd_epi16(words1, ones)));
        }
    }
}

INLINE void group_sums(const int type, const int rows, group_quants w, const lane_scales *s, const input *x,
                       const void *extra, __m256 sums[][TILE_ROWS]) {
    const int scales = scales_of(type);
    __m256i isum[HALVES][TILE_ROWS];
    if (type == Q8_0 && rows <= 2) few_bytes_group(rows, w, x, isum);
    else if (type == Q8_0) bytes_group(rows, w, extra, isum);
    else if (scales == BYTE_PAIR || scales == NIBBLE_PAIR_MIN) halved_group(type, rows, w, s, x, isum);
    else whole_group(type, rows, w, x, isum);
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int h = 0; h < HALVES; h++) sums[h][r] = _mm256_cvtepi32_ps(isum[h][r]);
}

/* Sums of one group of two units for one row or two, where memory is short: the units' lines are loaded in turn and each
   once, as loads that wait for memory leave no room for others. */
INLINE void nibble_pair_sums(const int type, const int rows, const uint8_t *const *w, const input *x,
                             __m256 sums[][HALVES][PAIR_ROWS]) {
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i words[PAIR][HALVES][PAIR_ROWS];
    UNROLL for (int u = 0; u < PAIR; u++) UNROLL for (int r = 0; r < rows; r++)
        words[u][0][r] = words[u][1][r] = start(words_offset(type), x->pairs[r]);
    UNROLL for (int j = 0; j < VECTORS; j += 2) {
        __m256i first[PAIR_ROWS], second[PAIR_ROWS];
        UNROLL for (int r = 0; r < rows; r++) {
            first[r] = settled(four_columns(x->q[r], j));
            second[r] = settled(four_columns(x->q[r], j + 1));
        }
        UNROLL for (int u = 0; u < PAIR; u++) UNROLL for (int h = 0; h < HALVES; h++) {
            const __m256i both = settled(load(w[u] + j / 2 * VECTOR + h * HALF_VECTOR));
            const __m256i low = _mm256_and_si256(both, mask), high = _mm256_and_si256(shifted(both, -4), mask);
            UNROLL for (int r = 0; r < rows; r++) {
                words[u][h][r] = with_products(type, words[u][h][r], low, first[r], j == 0);
                words[u][h][r] = with_products(type, words[u][h][r], high, second[r], 0);
            }
        }
    }
    UNROLL for (int u = 0; u < PAIR; u++) UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++)
        sums[u][h][r] = _mm256_cvtepi32_ps(_mm256_madd_epi16(words[u][h][r], _mm256_set1_epi16(words_sign(type))));
}

/* Nibbles are unpacked beside the products for next to nothing. */
INLINE int nibbles(int type) { return low_bits(type) == 4 && !high_bits(type); }
INLINE int most_rows(int type) { return nibbles(type) ? TILE_ROWS : MOST_ROWS; }

#include "tiles_avx2.h"

/* Two units for one row or two, see multiply_pairs. */
INLINE void multiply_pair(const int type, const int rows, const uint8_t *first, const uint8_t *second, int groups,
                          const input *x, float *sums) {
    __m256 acc[PAIR][PAIR_ROWS][HALVES];
    const uint8_t *at[PAIR] = {first, second};
    lane_scales s[PAIR] = {0};
    UNROLL for (int u = 0; u < PAIR; u++) UNROLL for (int r = 0; r < rows; r++)
        acc[u][r][0] = acc[u][r][1] = _mm256_setzero_ps();
    for (int g = 0; g < groups; g++, x++) {
        __m256 part[PAIR][HALVES][PAIR_ROWS];
        UNROLL for (int u = 0; u < PAIR; u++) {
            if (super_bytes(type) && g % SUPER_GROUPS == 0) at[u] = read_super(type, at[u], AHEAD_PAIR, &s[u]);
            prefetch_group(type, at[u], AHEAD_PAIR);
        }
        nibble_pair_sums(type, rows, at, x, part);
        UNROLL for (int u = 0; u < PAIR; u++) {
            read_scales(type, at[u] + plane_bytes(type), &s[u]);
            UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
                const __m256 scale = _mm256_mul_ps(s[u].scale[h], _mm256_set1_ps(x->d[r]));
                __m256 a = _mm256_fmadd_ps(scale, part[u][h][r], acc[u][r][h]);
                if (scales_of(type) != HALF) a = _mm256_fmadd_ps(s[u].minimum[h], _mm256_set1_ps(x->dsum[r]), a);
                acc[u][r][h] = a;
            }
            at[u] += group_bytes(type);
        }
    }
    UNROLL for (int u = 0; u < PAIR; u++) UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++)
        _mm256_storeu_ps(sums + (u * PAIR_ROWS + r) * LANES + h * HALF_LANES, acc[u][r][h]);
}

typedef void (*pair_product)(const uint8_t *first, const uint8_t *second, int groups, const input *x, float *sums);
#define PAIR_TILE(type, rows) \
    static void pair_##type##_##rows(const uint8_t *first, const uint8_t *second, int groups, const input *x, \
                                     float *sums) { \
        multiply_pair(type, rows, first, second, groups, x, sums); \
    }
#define PAIR_TILES(type) PAIR_TILE(type, 1) PAIR_TILE(type, 2)
PAIR_TILES(Q4_0) PAIR_TILES(Q4_1) PAIR_TILES(Q4_K)

#define PAIR_ENTRY(type) [type] = {pair_##type##_1, pair_##type##_2}
static const pair_product pairs[][PAIR_ROWS] = {PAIR_ENTRY(Q4_0), PAIR_ENTRY(Q4_1), PAIR_ENTRY(Q4_K)};

/* Products of few rows, of a part's first half of units beside those of its second: the processor fetches ahead of two
   streams what adds up. Returns the first unit that is left. */
static int multiply_pairs(int type, int outputs, int columns, const uint8_t *data, int from, int to, const input *x,
                          int rows, float *out, int stride, const float *bias, int add) {
    const int half = (to - from) / PAIR, groups = columns / GROUP;
    const int64_t bytes = unit_bytes(type, columns);
    float sums[PAIR * PAIR_ROWS * LANES];
    for (int i = from; i < from + half; i++) {
        for (int u = i; u <= i + half; u += half)
            for (int r = 0; r < rows; r++) prefetch_to_write(out + (int64_t)r * stride + u * LANES);
        pairs[type][rows - 1](data + i * bytes, data + (i + half) * bytes, groups, x, sums);
        for (int k = 0; k < PAIR; k++) {
            const int u = i + k * half;
            for (int r = 0; r < rows; r++)
                finish(sums + (k * PAIR_ROWS + r) * LANES, least(LANES, outputs - u * LANES),
                       out + (int64_t)r * stride + u * LANES, bias ? bias + u * LANES : 0, add);
        }
    }
    return from + PAIR * half;
}

/* 3 to 6 rows of nibbles, the last two in a second block of inputs: each line is loaded and unpacked once, and sums of 16
   bits fill the registers. Tiles of up to 4 rows took 1.03 (3 and 4 rows), 1.12 (5) and 1.07 (6) times as long on Zen 3. */
INLINE void multiply_wide(const int type, const int rows, const uint8_t *p, int groups, const input *x, float *sums) {
    __m256 acc[WIDE_ROWS][HALVES];
    const input *y = block_of(x, BLOCK_ROWS, groups);
    lane_scales s = {0};
    UNROLL for (int r = 0; r < rows; r++) acc[r][0] = acc[r][1] = _mm256_setzero_ps();
    for (int g = 0; g < groups; g++, x++, y++, p += group_bytes(type)) {
        if (super_bytes(type) && g % SUPER_GROUPS == 0) p = read_super(type, p, AHEAD_MORE, &s);
        prefetch_group(type, p, AHEAD_MORE);
        __m256i words[HALVES][WIDE_ROWS];
        UNROLL for (int r = 0; r < rows; r++)
            words[0][r] = words[1][r] = start(words_offset(type), (r < BLOCK_ROWS ? x : y)->pairs[r % BLOCK_ROWS]);
        const __m256i mask = _mm256_set1_epi8(15);
        UNROLL for (int j = 0; j < VECTORS; j += 2) {
            const uint8_t *at = p + j / 2 * VECTOR;
            const __m256i both[HALVES] = {settled(load(at)), settled(load(at + HALF_VECTOR))};
            UNROLL for (int k = 0; k < 2; k++) {
                __m256i w[HALVES];
                UNROLL for (int h = 0; h < HALVES; h++)
                    w[h] = _mm256_and_si256(k ? shifted(both[h], -4) : both[h], mask);
                UNROLL for (int r = 0; r < rows; r++) {
                    const __m256i b = four_columns((r < BLOCK_ROWS ? x : y)->q[r % BLOCK_ROWS], j + k);
                    UNROLL for (int h = 0; h < HALVES; h++)
                        words[h][r] = with_products(type, words[h][r], w[h], b, j + k == 0);
                }
            }
        }
        read_scales(type, p + plane_bytes(type), &s);
        UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
            const input *in = r < BLOCK_ROWS ? x : y;
            const __m256i isum = _mm256_madd_epi16(words[h][r], _mm256_set1_epi16(words_sign(type)));
            const __m256 scale = _mm256_mul_ps(s.scale[h], _mm256_set1_ps(in->d[r % BLOCK_ROWS]));
            __m256 a = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(isum), acc[r][h]);
            if (scales_of(type) != HALF) a = _mm256_fmadd_ps(s.minimum[h], _mm256_set1_ps(in->dsum[r % BLOCK_ROWS]), a);
            acc[r][h] = a;
        }
    }
    store_sums(acc, rows, sums);
}

typedef void (*wide_product)(const uint8_t *p, int groups, const input *x, float *sums);
#define WIDE_TILE(type, rows) \
    static void wide_##type##_##rows(const uint8_t *p, int groups, const input *x, float *sums) { \
        multiply_wide(type, rows, p, groups, x, sums); \
    }
#define WIDE_TILES(type) WIDE_TILE(type, 3) WIDE_TILE(type, 4) WIDE_TILE(type, 5) WIDE_TILE(type, 6)
WIDE_TILES(Q4_0) WIDE_TILES(Q4_1) WIDE_TILES(Q4_K)

#define WIDE_ENTRY(type) [type] = {wide_##type##_3, wide_##type##_4, wide_##type##_5, wide_##type##_6}
static const wide_product wides[][WIDE_ROWS - PAIR_ROWS] = {WIDE_ENTRY(Q4_0), WIDE_ENTRY(Q4_1), WIDE_ENTRY(Q4_K)};

static void multiply_wides(int type, int outputs, int columns, const uint8_t *data, int from, int to, const input *x,
                           int rows, float *out, int stride, const float *bias, int add) {
    const int64_t bytes = unit_bytes(type, columns);
    float sums[WIDE_ROWS * LANES];
    for (int u = from; u < to; u++) {
        for (int r = 0; r < rows; r++) prefetch_to_write(out + (int64_t)r * stride + u * LANES);
        wides[type][rows - PAIR_ROWS - 1](data + u * bytes, columns / GROUP, x, sums);
        for (int r = 0; r < rows; r++)
            finish(sums + r * LANES, least(LANES, outputs - u * LANES), out + (int64_t)r * stride + u * LANES,
                   bias ? bias + u * LANES : 0, add);
    }
}

static void multiply(int type, int outputs, int columns, const uint8_t *data, int from, int to, const input *x,
                     int rows, float *out, int stride, const float *bias, int add) {
    if (rows <= PAIR_ROWS && nibbles(type))
        from = multiply_pairs(type, outputs, columns, data, from, to, x, rows, out, stride, bias, add);
    if (rows > PAIR_ROWS && rows <= WIDE_ROWS && nibbles(type))
        multiply_wides(type, outputs, columns, data, from, to, x, rows, out, stride, bias, add);
    else multiply_int8(type, outputs, columns, data, from, to, x, rows, out, stride, bias, add);
}

UZU_K_DEFINE(avx2, multiply)
