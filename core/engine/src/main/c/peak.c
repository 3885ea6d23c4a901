/* What this machine can do at most, for bench kernels: bytes read from memory, and multiply-adds between registers. */
#include "kernels.h"

typedef uint64_t wide __attribute__((vector_size(16)));

/* Reads `bytes` (a multiple of 256, aligned to 64), fetching `ahead` bytes ahead; all of it, mixed into one number. */
uint64_t uzu_k_peak_read(const uint8_t *at, int64_t bytes, int64_t ahead) {
    const uint8_t *end = at + bytes;
    wide a = {0}, b = {0}, c = {0}, d = {0};
    for (; at < end; at += 256) {
        for (int line = 0; line < 256; line += 64) {
            __builtin_prefetch(at + ahead + line, 0, 0);
            const wide *from = (const wide *)(at + line);
            a ^= from[0];
            b ^= from[1];
            c ^= from[2];
            d ^= from[3];
        }
    }
    a ^= b ^ c ^ d;
    return a[0] ^ a[1];
}

/* The loops below return how many multiply-adds they did: `rounds` times that of the instructions between the labels.
   Instructions are written out, as the file is compiled for the baseline; the caller knows what the processor has. */
#if defined(__x86_64__)
#define SET_ZERO(r) "vpxor %%xmm" #r ", %%xmm" #r ", %%xmm" #r "\n\t"
#define ALL(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define FIRST_12(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)
#define LOOP(body) \
    __asm__ volatile(ALL(SET_ZERO) "1:\n\t" body "dec %0\n\tjnz 1b\n\tvzeroupper\n\t" \
                     : "+r"(left) \
                     : \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#define PEAK(name, operation, of_each) \
    int64_t uzu_k_peak_##name(int64_t rounds) { \
        int64_t left = rounds; \
        LOOP(FIRST_12(operation)); \
        return rounds * 12 * of_each; \
    }

/* Byte products without VNNI: pairs in 16 bits, added in 16 bits. */
#define MADDUBS(r) \
    "vpmaddubsw %%ymm15, %%ymm14, %%ymm13\n\t" \
    "vpaddw %%ymm13, %%ymm" #r ", %%ymm" #r "\n\t"
#define VEX_DPBUSD(r) "%{vex%} vpdpbusd %%ymm15, %%ymm14, %%ymm" #r "\n\t"
#define EVEX_DPBUSD(r) "vpdpbusd %%zmm15, %%zmm14, %%zmm" #r "\n\t"
#define FMA_YMM(r) "vfmadd231ps %%ymm15, %%ymm14, %%ymm" #r "\n\t"
#define FMA_ZMM(r) "vfmadd231ps %%zmm15, %%zmm14, %%zmm" #r "\n\t"

PEAK(bytes_avx2, MADDUBS, 32)
PEAK(bytes_avxvnni, VEX_DPBUSD, 32)
PEAK(bytes_avx512vnni, EVEX_DPBUSD, 64)
PEAK(floats_avx2, FMA_YMM, 8)
PEAK(floats_avxvnni, FMA_YMM, 8)
PEAK(floats_avx512vnni, FMA_ZMM, 16)

#elif defined(__aarch64__)
#define FIRST_12(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)
#define SET_ZERO(r) "movi v" #r ".2d, #0\n\t"
#define PEAK(name, operation, of_each) \
    int64_t uzu_k_peak_##name(int64_t rounds) { \
        int64_t left = rounds; \
        __asm__ volatile(FIRST_12(SET_ZERO) SET_ZERO(16) SET_ZERO(17) "1:\n\t" FIRST_12(operation) \
                         "subs %0, %0, #1\n\tb.ne 1b\n\t" \
                         : "+r"(left) \
                         : \
                         : "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v16", \
                           "v17"); \
        return rounds * 12 * of_each; \
    }

/* sdot vR.4s, v16.16b, v17.16b and smmla of the same, by their codes: the baseline's assembler refuses the names. */
#define SDOT(r) ".inst 0x4e919600 + " #r "\n\t"
#define SMMLA(r) ".inst 0x4e91a600 + " #r "\n\t"
#define FMLA(r) "fmla v" #r ".4s, v16.4s, v17.4s\n\t"

PEAK(bytes_neon, SDOT, 16)
PEAK(bytes_i8mm, SMMLA, 32)
PEAK(floats_neon, FMLA, 4)
PEAK(floats_i8mm, FMLA, 4)
#endif
