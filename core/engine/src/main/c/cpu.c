/* What this processor can run. Compiled for the baseline: it must work everywhere. */
#include "kernels.h"

int32_t uzu_k_abi(void) { return UZU_K_ABI; }

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t saved_state(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

int32_t uzu_k_cpu_features(void) {
    unsigned a, b, c, d, b7, c7;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !__get_cpuid_count(7, 0, &a, &b7, &c7, &d)) return 0;
    const uint64_t ymm = 0x06, zmm = 0xe6, saved = saved_state();
    const int avx2 = (saved & ymm) == ymm && (c & bit_FMA) && (c & bit_F16C) && (b7 & bit_AVX2);
    const int avx512 = (saved & zmm) == zmm && (b7 & bit_AVX512F) && (b7 & bit_AVX512BW) && (b7 & bit_AVX512VL) &&
                       (b7 & bit_AVX512DQ) && (c7 & bit_AVX512VNNI);
    return (avx2 ? UZU_K_AVX2 : 0) | (avx2 && avx512 ? UZU_K_AVX512VNNI : 0);
}
#else
int32_t uzu_k_cpu_features(void) { return 0; }
#endif
