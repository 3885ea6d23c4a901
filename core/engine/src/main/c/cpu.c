/* What this processor can run. Compiled for the baseline: it must work everywhere. */
#include "kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t saved_state(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

int32_t uzu_k_cpu_features(void) {
    unsigned a, b, c, d, b7, c7, a71 = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !__get_cpuid_count(7, 0, &a, &b7, &c7, &d)) return 0;
    if (a >= 1) __get_cpuid_count(7, 1, &a71, &b, &d, &d);
    const uint64_t ymm = 0x06, zmm = 0xe6, saved = saved_state();
    const int avx2 = (saved & ymm) == ymm && (c & bit_FMA) && (c & bit_F16C) && (b7 & bit_AVX2);
    const int avx512 = (saved & zmm) == zmm && (b7 & bit_AVX512F) && (b7 & bit_AVX512BW) && (b7 & bit_AVX512VL) &&
                       (b7 & bit_AVX512DQ) && (c7 & bit_AVX512VNNI);
    const int avxvnni = a71 >> 4 & 1; /* named by newer compilers only */
    return (avx2 ? UZU_K_AVX2 : 0) | (avx2 && avx512 ? UZU_K_AVX512VNNI : 0) | (avx2 && avxvnni ? UZU_K_AVXVNNI : 0);
}
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

int32_t uzu_k_cpu_features(void) {
    const unsigned long dotprod = 1ul << 20, i8mm = 1ul << 13; /* HWCAP_ASIMDDP, HWCAP2_I8MM */
    return UZU_K_NEON | (getauxval(AT_HWCAP) & dotprod ? UZU_K_DOTPROD : 0) |
           (getauxval(AT_HWCAP2) & i8mm ? UZU_K_I8MM : 0);
}
#elif defined(__aarch64__) && defined(__APPLE__)
#include <sys/sysctl.h>

static int has(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, 0, 0) == 0 && value;
}

int32_t uzu_k_cpu_features(void) {
    return UZU_K_NEON | (has("hw.optional.arm.FEAT_DotProd") ? UZU_K_DOTPROD : 0) |
           (has("hw.optional.arm.FEAT_I8MM") ? UZU_K_I8MM : 0);
}
#elif defined(__aarch64__) && defined(_WIN32)
#include <windows.h>

int32_t uzu_k_cpu_features(void) {
    const DWORD dotprod = 43, i8mm = 66; /* PF_ARM_V82_…_INSTRUCTIONS_AVAILABLE, named by newer headers only */
    return UZU_K_NEON | (IsProcessorFeaturePresent(dotprod) ? UZU_K_DOTPROD : 0) |
           (IsProcessorFeaturePresent(i8mm) ? UZU_K_I8MM : 0);
}
#else
int32_t uzu_k_cpu_features(void) { return 0; }
#endif
