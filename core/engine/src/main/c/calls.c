/* Java's one way in, see NativeCalls: every call has the shape of uzu_k_call, so that Java links one method handle. */
#define _DEFAULT_SOURCE
#if !defined(_WIN32)
#include <sys/mman.h>
#endif
#include <string.h>

#include "kernels.h"

const int32_t uzu_k_abi = UZU_K_ABI;

/* One kernel's type serves its twins in all instruction sets. */
#define TWIN_OF(kernel) ((__typeof__(&kernel))(intptr_t)function)
#define AT(i) ((void *)(intptr_t)a##i)
#define INT(i) ((int32_t)a##i)
#define REAL(i) real(a##i)

static inline float real(int64_t bits) {
    const int32_t low = (int32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static int64_t map(int64_t bytes) {
#if defined(_WIN32)
    (void)bytes;
    return 0; /* Java does not ask for it here */
#else
    void *address = mmap(0, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? 0 : (intptr_t)address;
#endif
}

static void unmap(void *address, int64_t bytes) {
#if defined(_WIN32)
    (void)address, (void)bytes;
#else
    munmap(address, (size_t)bytes);
#endif
}

static void want_huge_pages(void *address, int64_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(address, (size_t)bytes, MADV_HUGEPAGE);
#else
    (void)address, (void)bytes;
#endif
}

int64_t uzu_k_call(int64_t operation, int64_t function, int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4,
                   int64_t a5, int64_t a6, int64_t a7, int64_t a8, int64_t a9, int64_t a10, int64_t a11, int64_t a12,
                   int64_t a13, int64_t a14, int64_t a15, int64_t a16) {
    switch (operation) {
        case UZU_K_FEATURES: return uzu_k_cpu_features();
        case UZU_K_MAP: return map(a0);
        case UZU_K_UNMAP: unmap(AT(0), a1); break;
        case UZU_K_WANT_HUGE_PAGES: want_huge_pages(AT(0), a1); break;
        case UZU_K_PACK: TWIN_OF(uzu_k_pack)(INT(0), INT(1), INT(2), AT(3), AT(4)); break;
        case UZU_K_PREPARE:
            TWIN_OF(uzu_k_quantise_avx2)(AT(0), INT(1), INT(2), INT(3), INT(4), INT(5), INT(6), AT(7));
            break;
        case UZU_K_MULTIPLY:
            TWIN_OF(uzu_k_multiply_avx2)
            (INT(0), INT(1), INT(2), INT(3), AT(4), INT(5), INT(6), AT(7), INT(8), AT(9), INT(10), AT(11), INT(12));
            break;
        case UZU_K_NORM: TWIN_OF(uzu_k_norm_avx2)(AT(0), INT(1), INT(2), AT(3), REAL(4), AT(5)); break;
        case UZU_K_ROTATE: TWIN_OF(uzu_k_rotate_avx2)(AT(0), INT(1), INT(2), INT(3), AT(4), AT(5)); break;
        case UZU_K_STORE: TWIN_OF(uzu_k_store_avx2)(INT(0), AT(1), INT(2), AT(3)); break;
        case UZU_K_GATE: TWIN_OF(uzu_k_gate_avx2)(INT(0), AT(1), AT(2), INT(3), INT(4), INT(5), AT(6)); break;
        case UZU_K_ADD: TWIN_OF(uzu_k_add_avx2)(AT(0), INT(1), AT(2)); break;
        case UZU_K_SOFT_CAP: TWIN_OF(uzu_k_soft_cap_avx2)(AT(0), INT(1), REAL(2)); break;
        case UZU_K_ATTEND:
            TWIN_OF(uzu_k_attend_avx2)
            (INT(0), AT(1), a2, INT(3), INT(4), AT(5), AT(6), AT(7), AT(8), AT(9), AT(10), INT(11), REAL(12), REAL(13),
             AT(14), AT(15), a16);
            break;
        case UZU_K_JOIN: TWIN_OF(uzu_k_join_avx2)(AT(0), INT(1), INT(2), INT(3), AT(4)); break;
        case UZU_K_LARGEST: return TWIN_OF(uzu_k_largest_avx2)(AT(0), INT(1));
        case UZU_K_TALLY: TWIN_OF(uzu_k_tally_avx2)(AT(0), INT(1), REAL(2), REAL(3), INT(4), AT(5)); break;
        case UZU_K_GATHER:
            return TWIN_OF(uzu_k_gather_avx2)(AT(0), INT(1), REAL(2), REAL(3), REAL(4), REAL(5), AT(6), AT(7));
        case UZU_K_CONTEND:
            return TWIN_OF(uzu_k_contend_avx2)
            (AT(0), INT(1), REAL(2), REAL(3), REAL(4), REAL(5), (uint64_t)a6, AT(7), AT(8));
        case UZU_K_CONTENDERS:
            TWIN_OF(uzu_k_contenders_avx2)(AT(0), AT(1), INT(2), REAL(3), REAL(4), AT(5));
            break;
        case UZU_K_PEAK_READ: return (int64_t)TWIN_OF(uzu_k_peak_read)(AT(0), a1, a2);
        case UZU_K_PEAK_PRODUCTS: return TWIN_OF(uzu_k_peak_bytes_avx2)(a0);
    }
    return 0;
}
