/* Keys and values stored in a few bits, for the twin that includes attention.h; KeyValueLayout has the layouts. Keys
   always have 8: in 4 they cost several times what values in 4 do. Beside
   what that names, the twin defines

     vf_min, half_at, to_half      the lesser of each lane; the f16 at an address as a float, and a float as f16
     vf_int8, vf_nibble            VF signed bytes, or VF bytes' low or high halves (shift 0 or 4), as floats
     group_sums                    sums[q][v] = Σ k·q of one group of a panel's keys and n queries, exact */
#include <float.h>

enum { MOST_INT8 = 4 /* queries that meet a vector of such keys */, MOST_HEAD = 1024 };

INLINE int is_quantised(const int type) { return type == UZU_K_CACHE_Q8 || type == UZU_K_CACHE_Q4; }
INLINE int keys_of(const int type) { return type == UZU_K_CACHE_Q4 ? UZU_K_CACHE_Q8 : type; }
INLINE int quant_bytes(const int type, int size) { return type == UZU_K_CACHE_Q8 ? size : size / 2; }

/* Bytes of a position of a head. */
INLINE int64_t row_bytes(int type, int size) {
    if (is_quantised(type)) return quant_bytes(type, size) + size / GROUP * (type == UZU_K_CACHE_Q8 ? 2 : 4);
    return (int64_t)size * (type == UZU_K_CACHE_F32 ? 4 : 2);
}

/* Turns runs of numbers, as long as the largest power of two that divides the head's size, by the Hadamard matrix of
   that order, which is its own inverse. */
static void turn(const float *x, int size, float *out) {
    const int run = size & -size;
    const vf scale = vf_set(1 / sqrtf((float)run));
    for (int i = 0; i < size; i += VF) vf_store(out + i, vf_mul(vf_load(x + i), scale));
    for (int half = 1; half < VF; half *= 2)
        for (int i = 0; i < size; i += 2 * half)
            for (int j = i; j < i + half; j++) {
                const float a = out[j], b = out[j + half];
                out[j] = a + b;
                out[j + half] = a - b;
            }
    for (int half = VF; half < run; half *= 2)
        for (int i = 0; i < size; i += 2 * half)
            for (int j = i; j < i + half; j += VF) {
                const vf a = vf_load(out + j), b = vf_load(out + j + half);
                vf_store(out + j, vf_add(a, b));
                vf_store(out + j + half, vf_sub(a, b));
            }
}

/* A query in int8: [size] quants, then the scale of each group. */
INLINE int64_t query_bytes(int size) { return size + size / GROUP * 4; }

static void quantise_query(const float *x, int size, int8_t *out) {
    float *scales = (float *)(out + size);
    for (int g = 0; g < size / GROUP; g++, x += GROUP) {
        vf most = vf_zero();
        for (int i = 0; i < GROUP; i += VF) {
            const vf v = vf_load(x + i);
            most = vf_max(vf_max(v, vf_mul(v, vf_set(-1))), most);
        }
        const float d = vf_largest(most) / 127;
        if (d < FLT_MIN) {
            scales[g] = 0;
            memset(out + g * GROUP, 0, GROUP);
            continue;
        }
        float scaled[GROUP];
        for (int i = 0; i < GROUP; i += VF) vf_store(scaled + i, vf_div(vf_load(x + i), vf_set(d)));
        for (int i = 0; i < GROUP; i++) out[g * GROUP + i] = (int8_t)lrintf(scaled[i]);
        scales[g] = d;
    }
}

/* Dot products of n quantised queries with the keys of a panel. */
INLINE void dots_quants(const int n, const int8_t *queries, int size, const uint8_t *keys, int64_t ahead,
                        float *scores, int stride) {
    enum { BYTES = PANEL * (GROUP + 2) };
    const int8_t *q[MOST_INT8];
    UNROLL for (int i = 0; i < n; i++) q[i] = queries + i * query_bytes(size);
    vf dots[MOST_INT8][PIECES];
    UNROLL for (int i = 0; i < n; i++)
        UNROLL for (int v = 0; v < PIECES; v++) dots[i][v] = vf_zero();
    for (int g = 0; g < size / GROUP; g++, keys += BYTES) {
        UNROLL for (int i = 0; i < BYTES; i += 64) __builtin_prefetch(keys + i + ahead);
        vf sums[MOST_INT8][PIECES];
        group_sums(n, keys, q, g * GROUP, sums);
        UNROLL for (int i = 0; i < n; i++) {
            const vf own = vf_set(((const float *)(q[i] + size))[g]);
            UNROLL for (int v = 0; v < PIECES; v++) {
                const vf scale = vf_mul(own, widened(UZU_K_CACHE_F16, keys + PANEL * GROUP, v * VF));
                dots[i][v] = vf_fma(scale, sums[i][v], dots[i][v]);
            }
        }
    }
    UNROLL for (int i = 0; i < n; i++)
        UNROLL for (int v = 0; v < PIECES; v++) vf_store(scores + i * stride + v * VF, dots[i][v]);
}

typedef void (*dots_quants_of)(const int8_t *, int, const uint8_t *, int64_t, float *, int);

#define DOTS_QUANTS(n) \
    static void dots_quants_##n(const int8_t *queries, int size, const uint8_t *keys, int64_t ahead, float *scores, \
                                int stride) { \
        dots_quants(n, queries, size, keys, ahead, scores, stride); \
    }
DOTS_QUANTS(1) DOTS_QUANTS(2) DOTS_QUANTS(3) DOTS_QUANTS(4)

static const dots_quants_of DOTS_QUANTS_OF[MOST_INT8] = {dots_quants_1, dots_quants_2, dots_quants_3, dots_quants_4};

static void dots_quantised(const int8_t *queries, int count, int size, const uint8_t *keys, int64_t ahead,
                           float *scores, int stride) {
    for (int q = 0, n; q < count; q += n) {
        const int left = count - q, tiles = (left + MOST_INT8 - 1) / MOST_INT8;
        n = (left + tiles - 1) / tiles;
        DOTS_QUANTS_OF[n - 1](queries + q * query_bytes(size), size, keys, q == 0 ? ahead : 0, scores + q * stride,
                              stride);
    }
}

/* Makes a panel of the keys of 16 rows of the pass. */
static void gather_quants(const uint8_t *rows, int size, uint8_t *panel) {
    const int64_t bytes = row_bytes(UZU_K_CACHE_Q8, size);
    for (int g = 0; g < size / GROUP; g++, panel += 2 * PANEL) {
        for (int i = 0; i < GROUP; i += 4, panel += 4 * PANEL)
            for (int r = 0; r < PANEL; r++) memcpy(panel + 4 * r, rows + r * bytes + g * GROUP + i, 4);
        for (int r = 0; r < PANEL; r++) memcpy(panel + 2 * r, rows + r * bytes + size + 2 * g, 2);
    }
}

/* Columns `from` to `to` of a row of values, whole groups, as floats. */
INLINE void widen_quants(const int type, const uint8_t *row, int size, int from, int to, float *out) {
    const int groups = size / GROUP;
    const uint8_t *scales = row + quant_bytes(type, size);
    for (int g = from / GROUP; g < to / GROUP; g++, out += GROUP) {
        const vf d = vf_set(half_at(scales + 2 * g));
        if (type == UZU_K_CACHE_Q8) {
            UNROLL for (int i = 0; i < GROUP; i += VF)
                vf_store(out + i, vf_mul(d, vf_int8((const int8_t *)row + g * GROUP + i)));
        } else {
            const vf m = vf_set(half_at(scales + 2 * (groups + g)));
            UNROLL for (int i = 0; i < GROUP; i += VF)
                vf_store(out + i, vf_fma(d, vf_nibble(row + g * (GROUP / 2) + i % (GROUP / 2), i < GROUP / 2 ? 0 : 4), m));
        }
    }
}

/* Stores a head of floats. */
static void store_quants(int type, const float *x, int size, uint8_t *out) {
    float turned_x[MOST_HEAD];
    turn(x, size, turned_x);
    x = turned_x;
    const int groups = size / GROUP;
    uint8_t *scales = out + quant_bytes(type, size);
    for (int g = 0; g < groups; g++, x += GROUP) {
        vf least = vf_load(x), most = least;
        for (int i = VF; i < GROUP; i += VF) {
            least = vf_min(vf_load(x + i), least);
            most = vf_max(vf_load(x + i), most);
        }
        const float top = vf_largest(most), bottom = 0 - vf_largest(vf_mul(least, vf_set(-1)));
        const int q8 = type == UZU_K_CACHE_Q8;
        /* Adding 0 leaves no −0. */
        const float range = (q8 ? (top > -bottom ? top : -bottom) / 127 : (top - bottom) / 15) + 0.0f;
        const uint16_t scale = to_half(range < 65504 ? range : 65504);
        const uint16_t minimum = to_half((bottom < -65504 ? -65504 : 65504 < bottom ? 65504 : bottom) + 0.0f);
        memcpy(scales + 2 * g, &scale, 2);
        if (!q8) memcpy(scales + 2 * (groups + g), &minimum, 2);
        const float d = half_at((const uint8_t *)&scale), m = q8 ? 0 : half_at((const uint8_t *)&minimum);
        int quants[GROUP];
        for (int i = 0; i < GROUP; i++) quants[i] = 0;
        if (d > 0) {
            float scaled[GROUP];
            for (int i = 0; i < GROUP; i += VF) {
                const vf v = vf_div(vf_add(vf_load(x + i), vf_set(-m)), vf_set(d));
                vf_store(scaled + i, vf_min(vf_set(q8 ? 127 : 15), vf_max(vf_set(q8 ? -127 : 0), v)));
            }
            for (int i = 0; i < GROUP; i++) quants[i] = (int)lrintf(scaled[i]);
        }
        if (q8)
            for (int i = 0; i < GROUP; i++) out[g * GROUP + i] = (uint8_t)quants[i];
        else
            for (int i = 0; i < GROUP / 2; i++)
                out[g * (GROUP / 2) + i] = (uint8_t)(quants[i] | quants[i + GROUP / 2] << 4);
    }
}
