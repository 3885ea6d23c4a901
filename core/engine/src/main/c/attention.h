/* Attention over one block of positions, and the joining of blocks, for the twin that includes this; RowKernels says
   what is computed. Before, the twin defines

     vf, VF                 a vector of floats and its length
     MOST_SUMS              how many vectors of sums stay in registers beside what goes into them
     vf_zero .. vf_fma      vf_zero, vf_set, vf_load, vf_store, vf_add, vf_mul, vf_div, vf_max, vf_fma (x·y + z)
     vf_load_part           the first n of VF floats, zeros behind them; vf_store_part likewise
     vf_exp, vf_soft_cap    as Elementary has them
     vf_largest             the largest of a vector's floats
     joined16               sums i and i + 8, 4, 2, 1 apart added, of 16 / VF vectors
     widened                VF stored numbers as floats; widened_part: the first n of them, zeros behind
     vf_transpose           VF vectors in place

   Keys lie in panels of 16 positions, so lanes are positions and a query's column is broadcast to them; values lie a
   position after the other, so lanes are columns and a weight is broadcast. Stored numbers are widened again for every
   few queries: it hides behind their multiply-adds, while keeping what was widened costs loads and stores. */
#include <math.h>
#include <string.h>

#include "kernels.h"

enum {
    BLOCK = 256,
    PANEL = 16,
    PIECES = PANEL / VF,
    SCORES = BLOCK + PANEL, /* floats from query to query: not a power of two, or they fight for places in the cache */
    TOGETHER = 6,           /* queries that meet a vector of keys or values while it is in a register */
    MOST_PANELS = 4,
    MOST_SPANS = 16,        /* rows of a tile */
    PIECE = 64,    /* positions whose quantised values are widened at a time, and */
    COLUMNS = 64,  /* columns of them */
    STEP = 32      /* positions between which sums of values leave their registers, so that values are read once */
};

#include "cache_quants.h"

typedef struct {
    int32_t row, first, stored, pending, index;
} span;

/* What a tile consists of. Query i is head i % heads of span i / heads. */
typedef struct {
    const span *spans;
    int rows, heads, count, size;
    const int32_t *ancestors;
    const float **queries;
    float **sums;
    float *scores; /* [count][SCORES] */
    float *fresh;  /* [count][PANEL]: scores of a panel of the pass */
    float *panel;  /* [PANEL · size]: keys of the pass, widened */
    float *piece;  /* [PIECE][COLUMNS]: quantised values widened */
    int8_t *int8;  /* [count][query_bytes]: queries for quantised keys */
} tile;

INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }
INLINE int bytes_of(const int type) { return type == UZU_K_CACHE_F32 ? 4 : 2; }

#include "attention_products.h"

/* How many of `left` queries to take next: as even as can be. */
INLINE int next_queries(int left) {
    const int tiles = (left + TOGETHER - 1) / TOGETHER;
    return (left + tiles - 1) / tiles;
}

/* Columns `from` to `to` of some rows of quantised values; the first column's piece fetches whole rows ahead. */
static void widen_values(int type, const uint8_t *values, int rows, int size, int from, int to, int64_t ahead,
                         float *out) {
    const int64_t stride = row_bytes(type, size);
    for (int r = 0; r < rows; r++, values += stride, out += COLUMNS) {
        if (from == 0)
            for (int i = 0; i < stride; i += 64) __builtin_prefetch(values + i + ahead);
        if (type == UZU_K_CACHE_Q8) widen_quants(UZU_K_CACHE_Q8, values, size, from, to, out);
        else widen_quants(UZU_K_CACHE_Q4, values, size, from, to, out);
    }
}

/* Scores of all queries and the panels from `from` to `to` of the block; `values` are read after. */
static void score_stored(int type, const tile *t, const uint8_t *keys, int from, int to, const uint8_t *values) {
    const int64_t bytes = PANEL * row_bytes(type, t->size);
    if (is_quantised(type)) {
        for (int p = from; p < to; p++) {
            const uint8_t *at = keys + p * bytes;
            dots_quantised(t->int8, t->count, t->size, at, p + 1 < to ? bytes : values - at,
                           t->scores + p * PANEL, SCORES);
        }
        return;
    }
    /* All queries meet a few panels while these are in the first cache. */
    for (int some = from, end; some < to; some = end) {
        end = least(some + MOST_PANELS, to);
        for (int q = 0, n; q < t->count; q += n) {
            n = next_queries(t->count - q);
            const int together = panels_for(n);
            for (int p = some, panels; p < end; p += panels) {
                panels = p + together <= end ? together : 1;
                const uint8_t *at = keys + p * bytes;
                const int64_t ahead = q > 0 ? 0 : p + panels < to ? panels * bytes : values - at;
                (panels == 1 ? DOTS : DOTS_MORE)[type][n - 1](t->queries + q, t->size, at, ahead,
                                                              t->scores + q * SCORES + p * PANEL, SCORES);
            }
        }
    }
}

/* Makes a panel of floats of the keys of 16 rows of the pass. */
INLINE void gather(const int type, const uint8_t *rows, int size, float *panel) {
    const int64_t stride = (int64_t)size * bytes_of(type);
    for (int c = 0; c < size; c += VF)
        for (int i = 0; i < PANEL; i += VF) {
            vf v[VF];
            UNROLL for (int r = 0; r < VF; r++) {
                const uint8_t *at = rows + (i + r) * stride + c * bytes_of(type);
                v[r] = c + VF <= size ? widened(type, at, 0) : widened_part(type, at, size - c);
            }
            vf_transpose(v);
            for (int r = 0; r < VF && c + r < size; r++) vf_store(panel + (c + r) * PANEL + i, v[r]);
        }
}

/* Scores of all queries and 16 rows of the pass. */
static void score_rows(int type, const tile *t, const uint8_t *rows) {
    switch (type) {
        case UZU_K_CACHE_F32: gather(UZU_K_CACHE_F32, rows, t->size, t->panel); break;
        case UZU_K_CACHE_F16: gather(UZU_K_CACHE_F16, rows, t->size, t->panel); break;
        case UZU_K_CACHE_BF16: gather(UZU_K_CACHE_BF16, rows, t->size, t->panel); break;
        default:
            gather_quants(rows, t->size, (uint8_t *)t->panel);
            dots_quantised(t->int8, t->count, t->size, (uint8_t *)t->panel, 0, t->fresh, PANEL);
            return;
    }
    for (int q = 0, n; q < t->count; q += n) {
        n = next_queries(t->count - q);
        DOTS[UZU_K_CACHE_F32][n - 1](t->queries + q, t->size, (uint8_t *)t->panel, 0, t->fresh + q * PANEL, PANEL);
    }
}

/* Scores of all queries and the rows of the pass that any span names, a panel of rows after the other. */
static void score_pending(int type, const tile *t, const uint8_t *keys) {
    const int64_t bytes = row_bytes(type, t->size);
    int first = INT32_MAX, last = -1;
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        if (s->pending == 0) continue;
        first = least(first, t->ancestors[s->index]);
        last = most(last, t->ancestors[s->index + s->pending - 1]);
    }
    if (last < 0) return;
    int done[MOST_SPANS] = {0};
    for (int start = first & -PANEL; start <= last; start += PANEL) {
        int named = 0;
        for (int i = 0; i < t->rows; i++) {
            const span *s = t->spans + i;
            named |= done[i] < s->pending && t->ancestors[s->index + done[i]] < start + PANEL;
        }
        if (!named) continue;
        score_rows(type, t, keys + start * bytes);
        for (int i = 0; i < t->rows; i++) {
            const span *s = t->spans + i;
            for (; done[i] < s->pending; done[i]++) {
                const int lane = t->ancestors[s->index + done[i]] - start;
                if (lane >= PANEL) break;
                const int at = s->first + s->stored + done[i];
                for (int q = i * t->heads; q < (i + 1) * t->heads; q++)
                    t->scores[q * SCORES + at] = t->fresh[q * PANEL + lane];
            }
        }
    }
}

/* Weights from the dot products of positions `from` to `to`; the largest score, and the weights' sum. */
static void soften(float *scores, int from, int to, float scale, float soft_cap, float *largest, float *total) {
    const int start = from & -PANEL, end = (to + PANEL - 1) & -PANEL;
    vf best[PIECES], sums[PIECES];
    UNROLL for (int v = 0; v < PIECES; v++) best[v] = vf_set(-INFINITY), sums[v] = vf_zero();
    if (soft_cap > 0)
        for (int j = start; j < end; j += VF) {
            const vf s = vf_soft_cap(vf_mul(vf_set(scale), vf_load(scores + j)), vf_set(soft_cap));
            vf_store(scores + j, s);
        }
    const vf factor = vf_set(soft_cap > 0 ? 1 : scale);
    /* What is not seen weighs nothing. */
    for (int j = start; j < from; j++) scores[j] = -INFINITY;
    for (int j = to; j < end; j++) scores[j] = -INFINITY;
    for (int j = start; j < end; j += PANEL)
        UNROLL for (int v = 0; v < PIECES; v++) {
            const vf s = vf_mul(factor, vf_load(scores + j + v * VF));
            vf_store(scores + j + v * VF, s);
            best[v] = vf_max(s, best[v]);
        }
    UNROLL for (int v = 1; v < PIECES; v++) best[0] = vf_max(best[v], best[0]);
    *largest = vf_largest(best[0]);
    const vf minus = vf_set(-*largest);
    for (int j = start; j < end; j += PANEL)
        UNROLL for (int v = 0; v < PIECES; v++) {
            const vf e = vf_exp(vf_add(vf_load(scores + j + v * VF), minus));
            vf_store(scores + j + v * VF, e);
            sums[v] = vf_add(sums[v], e);
        }
    *total = joined16(sums);
}

/* Adds values of `count` positions from `position` on to the sums of queries `from` to `to`. */
static void add_values(int type, const tile *t, int from, int to, const uint8_t *values, int position, int count) {
    const int64_t stride = row_bytes(type, t->size);
    const float *weights = t->scores + position;
    if (is_quantised(type)) {
        for (int j = 0; j < count; j += PIECE)
            for (int c = 0; c < t->size; c += COLUMNS) {
                const int rows = least(PIECE, count - j), columns = least(COLUMNS, t->size - c);
                widen_values(type, values + j * stride, rows, t->size, c, c + columns,
                             j + PIECE < count ? PIECE * stride : 0, t->piece);
                for (int q = from, n; q < to; q += n) {
                    n = next_queries(to - q);
                    WEIGH[UZU_K_CACHE_F32][n - 1](weights + q * SCORES + j, (uint8_t *)t->piece,
                                                  COLUMNS * sizeof(float), rows, 0, c, columns, t->sums + q);
                }
            }
        return;
    }
    for (int j = 0; j < count; j += STEP)
        for (int q = from, n; q < to; q += n) {
            n = next_queries(to - q);
            WEIGH[type][n - 1](weights + q * SCORES + j, values + j * stride, stride, least(STEP, count - j),
                               q == from && j + STEP < count ? STEP * stride : 0, 0, t->size, t->sums + q);
        }
}

/* The same of the rows of the pass that `index` names. */
static void add_pending(int type, const tile *t, int from, int to, const uint8_t *values, const int32_t *index,
                        int position, int count) {
    const int64_t stride = row_bytes(type, t->size);
    for (int done = 0; done < count;) {
        int run = done + 1;
        while (run < count && index[run] == index[run - 1] + 1) run++;
        add_values(type, t, from, to, values + index[done] * stride, position + done, run - done);
        done = run;
    }
}

/* How many entries from `from` on all spans' lists have in common; `from` counts from each span's own `skip`. */
static int common_pending(const tile *t, int position) {
    const span *s = t->spans;
    const int32_t *list = t->ancestors + s->index + (position - s->first - s->stored);
    int common = s->first + s->stored + s->pending - position;
    for (int i = 1; i < t->rows; i++) {
        const span *o = s + i;
        const int32_t *other = t->ancestors + o->index + (position - o->first - o->stored);
        common = least(common, o->first + o->stored + o->pending - position);
        if (other == list) continue;
        int same = 0;
        while (same < common && other[same] == list[same]) same++;
        common = same;
    }
    return most(common, 0);
}

/* Weighted sums of values. What all rows see they add together: stored positions from the last first one on, and the
   rows of the pass with which all lists of ancestors begin. The rest each adds for itself, in order all the same. */
static void add_all(int type, const tile *t, const uint8_t *stored, const uint8_t *pending) {
    const int64_t stride = row_bytes(type, t->size);
    int from = 0, end = 0, shared = 0;
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        from = most(from, s->first);
        shared = most(shared, s->first + s->stored);
        if (s->stored > 0) end = s->first + s->stored;
    }
    /* With a row that sees no stored position, no such position is shared. */
    if (from > end) from = end;
    const int common = common_pending(t, shared);
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        const int q = i * t->heads, own = least(s->stored, most(0, from - s->first));
        if (own > 0) add_values(type, t, q, q + t->heads, stored + s->first * stride, s->first, own);
    }
    if (end > from) add_values(type, t, 0, t->count, stored + from * stride, from, end - from);
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        const int q = i * t->heads, start = s->first + s->stored;
        add_pending(type, t, q, q + t->heads, pending, t->ancestors + s->index, start,
                    least(s->pending, shared - start));
    }
    if (common > 0) {
        const span *s = t->spans;
        add_pending(type, t, 0, t->count, pending, t->ancestors + s->index + (shared - s->first - s->stored), shared,
                    common);
    }
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        const int q = i * t->heads, done = shared - (s->first + s->stored) + common;
        add_pending(type, t, q, q + t->heads, pending, t->ancestors + s->index + done, shared + common,
                    s->pending - done);
    }
}

INLINE int partial_floats(int size) { return (size + 2 + 15) & -16; }

static void attend_some(int type, tile *t, const void *keys, const void *values, const void *pending_keys,
                        const void *pending_values, float scale, float soft_cap) {
    int first = BLOCK, end = 0;
    for (int i = 0; i < t->rows; i++) {
        const span *s = t->spans + i;
        if (s->stored == 0) continue;
        first = least(first, s->first);
        end = s->first + s->stored;
    }
    if (end > 0) score_stored(keys_of(type), t, keys, first / PANEL, (end + PANEL - 1) / PANEL, values);
    score_pending(keys_of(type), t, pending_keys);
    for (int q = 0; q < t->count; q++) {
        const span *s = t->spans + q / t->heads;
        float *out = t->sums[q];
        soften(t->scores + q * SCORES, s->first, s->first + s->stored + s->pending, scale, soft_cap,
               out + t->size, out + t->size + 1);
        memset(out, 0, (size_t)t->size * sizeof(float));
    }
    add_all(type, t, values, pending_values);
    if (is_quantised(type))
        for (int q = 0; q < t->count; q++) {
            turn(t->sums[q], t->size, t->panel);
            memcpy(t->sums[q], t->panel, (size_t)t->size * sizeof(float));
        }
}

INLINE void attend(int type, const float *queries, int64_t query_stride, int heads, int size, const void *keys,
                   const void *values, const void *pending_keys, const void *pending_values, const int32_t *ancestors,
                   const span *spans, int rows, float scale, float soft_cap, void *scratch, float *partials,
                   int64_t partial_stride) {
    tile t = {.spans = spans, .heads = heads, .size = size, .ancestors = ancestors};
    float *next = scratch;
    t.piece = next, next += PIECE * COLUMNS;
    t.panel = next, next += 2 * PANEL * ((size + 15) & -16);
    t.scores = next, next += (int64_t)rows * heads * SCORES;
    t.fresh = next, next += (int64_t)rows * heads * PANEL;
    t.queries = (const float **)next, next += (int64_t)rows * heads * 2;
    t.sums = (float **)next, next += (int64_t)rows * heads * 2;
    t.int8 = (int8_t *)next;
    const int stride = partial_floats(size);
    for (int from = 0; from < rows; from += MOST_SPANS) {
        t.spans = spans + from;
        t.rows = least(MOST_SPANS, rows - from);
        t.count = t.rows * heads;
        for (int q = 0; q < t.count; q++) {
            const int64_t row = t.spans[q / heads].row;
            t.queries[q] = (const float *)((const uint8_t *)queries + row * query_stride) + q % heads * size;
            if (is_quantised(type)) {
                turn(t.queries[q], size, t.panel);
                quantise_query(t.panel, size, t.int8 + q * query_bytes(size));
            }
            t.sums[q] = (float *)((uint8_t *)partials + row * partial_stride) + q % heads * stride;
        }
        attend_some(type, &t, keys, values, pending_keys, pending_values, scale, soft_cap);
    }
}

INLINE void join(const float *partials, int blocks, int heads, int size, float *out) {
    const int stride = partial_floats(size);
    for (int h = 0; h < heads; h++, partials += stride, out += size) {
        float largest = -INFINITY, total = 0;
        for (int b = 0; b < blocks; b++) {
            const float m = partials[(int64_t)b * heads * stride + size];
            largest = m > largest ? m : largest;
        }
        memset(out, 0, (size_t)size * sizeof(float));
        for (int b = 0; b < blocks; b++) {
            const float *part = partials + (int64_t)b * heads * stride;
            float factors[VF];
            const vf factor = vf_exp(vf_set(part[size] - largest));
            vf_store(factors, factor);
            total = fmaf(factors[0], part[size + 1], total);
            for (int c = 0; c < size; c += VF) {
                const vf sum = vf_fma(factor, vf_load_part(part + c, size - c), vf_load_part(out + c, size - c));
                vf_store_part(out + c, size - c, sum);
            }
        }
        for (int c = 0; c < size; c += VF)
            vf_store_part(out + c, size - c, vf_div(vf_load_part(out + c, size - c), vf_set(total)));
    }
}

#define ATTENTION(isa) \
    void uzu_k_attend_##isa(int32_t type, const float *queries, int64_t query_stride, int32_t heads, int32_t size, \
                            const void *keys, const void *values, const void *pending_keys, \
                            const void *pending_values, const int32_t *ancestors, const int32_t *spans, int32_t rows, \
                            float scale, float soft_cap, void *scratch, float *partials, int64_t partial_stride) { \
        attend(type, queries, query_stride, heads, size, keys, values, pending_keys, pending_values, ancestors, \
               (const span *)spans, rows, scale, soft_cap, scratch, partials, partial_stride); \
    } \
    void uzu_k_join_##isa(const float *partials, int32_t blocks, int32_t heads, int32_t size, float *out) { \
        join(partials, blocks, heads, size, out); \
    } \
    void uzu_k_store_quants_##isa(int32_t type, const float *in, int32_t count, void *out) { \
        store_quants(type, in, count, out); \
    }
