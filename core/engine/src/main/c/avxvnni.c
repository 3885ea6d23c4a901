/* AVX-VNNI: AVX2 and dpbusd, which adds four byte products to 32 bits. Nothing saturates and integer sums are exact as
   they come. Quants are unsigned: sums start at −offset · qsum. */
#include "quants_avx2.h"

/* Integer scales as floats: what they multiply stays below 2^24, so it is exact. */
INLINE __m256i sub_scales(const int type, __m128i bytes) {
    (void)type;
    return _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
}

/* isum of vectors `from` to `to`. */
INLINE void products(const int type, const int rows, group_quants w, const input *x, const int from, const int to,
                     __m256i isum[][TILE_ROWS]) {
    const int offset = type == Q8_0 ? 128 : offset_of(type);
    UNROLL for (int r = 0; r < rows; r++) {
        const __m256i pairs = broadcast(to - from == VECTORS ? x->pairs[r] : x->halves[2 * from / VECTORS][r]);
        isum[0][r] = isum[1][r] = offset ? _mm256_madd_epi16(pairs, _mm256_set1_epi16(-offset)) : _mm256_setzero_si256();
    }
    UNROLL for (int j = from; j < to; j++) {
        __m256i w0 = quants_at(type, w, 0, j), w1 = quants_at(type, w, 1, j);
        if (type == Q8_0) {
            w0 = _mm256_xor_si256(w0, _mm256_set1_epi8(-128));
            w1 = _mm256_xor_si256(w1, _mm256_set1_epi8(-128));
        }
        UNROLL for (int r = 0; r < rows; r++) {
            const __m256i b = four_columns(x->q[r], j);
            isum[0][r] = _mm256_dpbusd_avx_epi32(isum[0][r], w0, b);
            isum[1][r] = _mm256_dpbusd_avx_epi32(isum[1][r], w1, b);
        }
    }
}

INLINE void group_sums(const int type, const int rows, group_quants w, const lane_scales *s, const input *x,
                       const void *extra, __m256 sums[][TILE_ROWS]) {
    (void)extra;
    const int halved = scales_of(type) == BYTE_PAIR || scales_of(type) == NIBBLE_PAIR_MIN;
    const int width = halved ? VECTORS / 2 : VECTORS;
    UNROLL for (int i = 0; i < VECTORS / width; i++) {
        __m256i isum[HALVES][TILE_ROWS];
        products(type, rows, w, x, i * width, (i + 1) * width, isum);
        UNROLL for (int r = 0; r < rows; r++) UNROLL for (int h = 0; h < HALVES; h++) {
            const __m256 part = _mm256_cvtepi32_ps(isum[h][r]);
            /* The zero added makes no −0 of 0. */
            const __m256 before = i ? sums[h][r] : _mm256_setzero_ps();
            sums[h][r] = halved ? _mm256_fmadd_ps(part, _mm256_castsi256_ps(s->sub[i][h]), before) : part;
        }
    }
}

INLINE int most_rows(int type) { return (void)type, MOST_ROWS; }

#include "tiles_avx2.h"

UZU_K_DEFINE(avxvnni, multiply_int8)
