/* AVX-512 for machines without, by Debian's libsimde-dev: included before avx512vnni.c, which is then compiled for AVX2
   alone. What SIMDe 0.7.4 lacks is written out, an element at a time; its madd has the masked form's arguments. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define INLINE static __attribute__((noinline, unused))
#define UNROLL

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/avx512/dpbusd.h>
#include <simde/x86/avx512/ternarylogic.h>

#define EMULATED(name, result, argument, from, to, convert) \
    static inline result emulated_##name(argument a) { \
        from in[16]; \
        to out[16]; \
        result r; \
        memcpy(in, &a, sizeof in); \
        for (int i = 0; i < 16; i++) out[i] = convert(in[i]); \
        memcpy(&r, out, sizeof r); \
        return r; \
    }

#undef _mm512_cvtph_ps
#undef _mm512_cvtepi8_epi32
#undef _mm512_cvtepu8_epi32
#undef _mm512_cvtepu16_epi32
#undef _mm512_cvtepi32_ps
EMULATED(cvtph_ps, __m512, __m256i, uint16_t, float, _cvtsh_ss)
EMULATED(cvtepi8_epi32, __m512i, __m128i, int8_t, int32_t, (int32_t))
EMULATED(cvtepu8_epi32, __m512i, __m128i, uint8_t, int32_t, (int32_t))
EMULATED(cvtepu16_epi32, __m512i, __m256i, uint16_t, int32_t, (int32_t))
EMULATED(cvtepi32_ps, __m512, __m512i, int32_t, float, (float))
#define _mm512_cvtph_ps(a) emulated_cvtph_ps(a)
#define _mm512_cvtepi8_epi32(a) emulated_cvtepi8_epi32(a)
#define _mm512_cvtepu8_epi32(a) emulated_cvtepu8_epi32(a)
#define _mm512_cvtepu16_epi32(a) emulated_cvtepu16_epi32(a)
#define _mm512_cvtepi32_ps(a) emulated_cvtepi32_ps(a)

#undef _mm512_madd_epi16
#define _mm512_madd_epi16(a, b) simde_mm512_madd_epi16(a, b)
