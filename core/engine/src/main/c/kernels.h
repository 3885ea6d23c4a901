/* What libuzu_kernels exports. Java's NativeCalls is the only caller; change both and UZU_K_ABI
   (NativeLibrary.ABI) together. */
#ifndef UZU_KERNELS_H
#define UZU_KERNELS_H

#include <stdint.h>

#if defined(_WIN32)
#define UZU_K_EXPORT __declspec(dllexport)
#else
#define UZU_K_EXPORT __attribute__((visibility("default")))
#endif

enum { UZU_K_ABI = 9 };

/* Bits of uzu_k_cpu_features: what both the processor and the system's saved state allow; as in Java's NativeTwin. */
enum { UZU_K_AVX2 = 1, UZU_K_AVX512VNNI = 2, UZU_K_AVXVNNI = 4, UZU_K_NEON = 8, UZU_K_DOTPROD = 16, UZU_K_I8MM = 32 };

UZU_K_EXPORT extern const int32_t uzu_k_abi;
UZU_K_EXPORT int32_t uzu_k_cpu_features(void);

/* Operations of uzu_k_call: what its further arguments are, calls.c shows; floats are their bits. In the order of Java's
   NativeCalls.Operation. */
enum {
    UZU_K_FEATURES, UZU_K_MAP, UZU_K_UNMAP, UZU_K_WANT_HUGE_PAGES, UZU_K_PACK, UZU_K_PREPARE, UZU_K_MULTIPLY,
    UZU_K_NORM, UZU_K_ROTATE, UZU_K_STORE, UZU_K_GATE, UZU_K_ADD, UZU_K_SOFT_CAP, UZU_K_ATTEND, UZU_K_JOIN,
    UZU_K_LARGEST, UZU_K_TALLY, UZU_K_GATHER, UZU_K_CONTEND, UZU_K_CONTENDERS, UZU_K_PEAK_READ, UZU_K_PEAK_PRODUCTS
};

UZU_K_EXPORT int64_t uzu_k_call(int64_t operation, int64_t function, int64_t a0, int64_t a1, int64_t a2, int64_t a3,
                                int64_t a4, int64_t a5, int64_t a6, int64_t a7, int64_t a8, int64_t a9, int64_t a10,
                                int64_t a11, int64_t a12, int64_t a13, int64_t a14, int64_t a15, int64_t a16);

/* Packs `units` units of LANES rows each, which lie one after another at `in`. */
UZU_K_EXPORT void uzu_k_pack(int32_t type, int32_t columns, int32_t units, const uint8_t *in, uint8_t *out);

/* The operations of uzu.backend.cpu.MatrixKernels, whose Javadoc says what they compute; `type` is ggml's number of the
   tensor type, the layouts are those of MatrixLayout and PreparedInput. */
#define UZU_K_DECLARE(isa) \
    UZU_K_EXPORT void uzu_k_quantise_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, \
                                           int32_t first, int32_t last, uint8_t *prepared); \
    UZU_K_EXPORT void uzu_k_copy_##isa(const float *x, int32_t stride, int32_t columns, int32_t from, int32_t to, \
                                       int32_t first, int32_t last, float *prepared); \
    UZU_K_EXPORT void uzu_k_multiply_##isa(int32_t type, int32_t floats, int32_t outputs, int32_t columns, \
                                           const uint8_t *data, int32_t from, int32_t to, const void *prepared, \
                                           int32_t rows, float *out, int32_t stride, const float *bias, int32_t add);

UZU_K_DECLARE(avx2)
UZU_K_DECLARE(avxvnni)
UZU_K_DECLARE(avx512vnni)
UZU_K_DECLARE(neon)
UZU_K_DECLARE(dotprod)
UZU_K_DECLARE(i8mm)

/* The operations of uzu.backend.cpu.RowKernels, likewise. */
enum { UZU_K_CACHE_F32, UZU_K_CACHE_F16, UZU_K_CACHE_BF16, UZU_K_CACHE_Q8, UZU_K_CACHE_Q4 };
enum { UZU_K_SILU, UZU_K_GELU_TANH };

#define UZU_K_DECLARE_ROWS(isa) \
    UZU_K_EXPORT void uzu_k_norm_##isa(const float *in, int32_t runs, int32_t columns, const float *weight, \
                                       float epsilon, float *out); \
    UZU_K_EXPORT void uzu_k_rotate_##isa(float *x, int32_t heads, int32_t head_size, int32_t half, \
                                         const float *cosines, const float *sines); \
    UZU_K_EXPORT void uzu_k_store_##isa(int32_t type, const float *in, int32_t count, void *out); \
    UZU_K_EXPORT void uzu_k_store_quants_##isa(int32_t type, const float *in, int32_t count, void *out); \
    UZU_K_EXPORT void uzu_k_gate_##isa(int32_t activation, const float *gate, const float *up, int32_t rows, \
                                       int32_t columns, int32_t stride, float *out); \
    UZU_K_EXPORT void uzu_k_add_##isa(const float *in, int32_t count, float *out); \
    UZU_K_EXPORT void uzu_k_soft_cap_##isa(float *x, int32_t count, float cap); \
    UZU_K_EXPORT void uzu_k_attend_##isa( \
        int32_t type, const float *queries, int64_t query_stride, int32_t heads, int32_t size, const void *keys, \
        const void *values, const void *pending_keys, const void *pending_values, const int32_t *ancestors, \
        const int32_t *spans, int32_t rows, float scale, float soft_cap, void *scratch, float *partials, \
        int64_t partial_stride); \
    UZU_K_EXPORT void uzu_k_join_##isa(const float *partials, int32_t blocks, int32_t heads, int32_t size, float *out);

UZU_K_DECLARE_ROWS(avx2)
UZU_K_DECLARE_ROWS(neon)

/* This machine's limits, see peak.c: bytes read, and multiply-adds of bytes and of floats by instruction set. */
UZU_K_EXPORT uint64_t uzu_k_peak_read(const uint8_t *at, int64_t bytes, int64_t ahead);

#define UZU_K_DECLARE_PEAK(isa) \
    UZU_K_EXPORT int64_t uzu_k_peak_bytes_##isa(int64_t rounds); \
    UZU_K_EXPORT int64_t uzu_k_peak_floats_##isa(int64_t rounds);

UZU_K_DECLARE_PEAK(avx2)
UZU_K_DECLARE_PEAK(avxvnni)
UZU_K_DECLARE_PEAK(avx512vnni)
UZU_K_DECLARE_PEAK(neon)
UZU_K_DECLARE_PEAK(i8mm)

/* The scans of uzu.backend.Logits, whose Javadoc and ArrayLogits say what they compute. The others return how many tokens they found, or which. */
enum { UZU_K_REACHES = 6 };
typedef struct {
    double weights[UZU_K_REACHES];
    int32_t counts[UZU_K_REACHES];
    float reaches[UZU_K_REACHES];
} uzu_k_tally;

#define UZU_K_DECLARE_LOGITS(isa) \
    UZU_K_EXPORT int32_t uzu_k_largest_##isa(const float *x, int32_t count); \
    UZU_K_EXPORT void uzu_k_tally_##isa(const float *x, int32_t count, float shift, float temperature, \
                                        int32_t weigh, uzu_k_tally *tally); \
    UZU_K_EXPORT int32_t uzu_k_gather_##isa(const float *x, int32_t count, float shift, float temperature, \
                                            float least, float below, int32_t *tokens, float *values); \
    UZU_K_EXPORT int32_t uzu_k_contend_##isa(const float *x, int32_t count, float shift, float temperature, \
                                             float least, float best, uint64_t key, int32_t *tokens, float *values); \
    UZU_K_EXPORT void uzu_k_contenders_##isa(const float *x, const float *radii, int32_t count, float reach, \
                                             float least, int32_t *units);

UZU_K_DECLARE_LOGITS(avx2)

#endif
