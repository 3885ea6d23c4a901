/* Four floats at a time: parts of vectors, joined sums, and the functions of uzu.backend.cpu.Elementary, line by line. */
#ifndef UZU_ELEMENTARY_NEON_H
#define UZU_ELEMENTARY_NEON_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#include "layout.h"

INLINE float32x4_t set(float x) { return vdupq_n_f32(x); }

/* The vector at x, of which only n lanes belong to it; the others are zero. */
INLINE float32x4_t load_part(const float *x, int n) {
    if (n >= 4) return vld1q_f32(x);
    float part[4] = {0};
    for (int i = 0; i < n; i++) part[i] = x[i];
    return vld1q_f32(part);
}

INLINE void store_part(float *x, int n, float32x4_t v) {
    if (n >= 4) {
        vst1q_f32(x, v);
        return;
    }
    float part[4];
    vst1q_f32(part, v);
    for (int i = 0; i < n; i++) x[i] = part[i];
}

/* Joins 16 partial sums, four a vector: those 8, 4, 2, 1 apart. */
INLINE float joined(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d) {
    const float32x4_t fours = vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d));
    return vpadds_f32(vadd_f32(vget_low_f32(fours), vget_high_f32(fours)));
}

INLINE float32x4_t exp4(float32x4_t x) {
    const uint32x4_t zero = vcltq_f32(x, set(-86.5f));
    const float32x4_t bounded = vbslq_f32(vcltq_f32(set(88.0f), x), set(88.0f), x);
    const float32x4_t rounder = set(12582912.0f);
    const float32x4_t shifted = vfmaq_f32(rounder, bounded, set(1.44269504f));
    const float32x4_t n = vsubq_f32(shifted, rounder);
    const float32x4_t r = vfmaq_f32(vfmaq_f32(bounded, n, set(-0.693145752f)), n, set(-1.42860677e-6f));
    float32x4_t p = set(0.00138145406f);
    p = vfmaq_f32(set(0.00836874545f), p, r);
    p = vfmaq_f32(set(0.041668389f), p, r);
    p = vfmaq_f32(set(0.166665211f), p, r);
    p = vfmaq_f32(set(0.49999994f), p, r);
    const float32x4_t mantissa = vaddq_f32(vfmaq_f32(r, vmulq_f32(r, r), p), set(1.0f));
    const uint32x4_t power = vshlq_n_u32(vreinterpretq_u32_f32(shifted), 23);
    const uint32x4_t y = vaddq_u32(vreinterpretq_u32_f32(mantissa), power);
    return vreinterpretq_f32_u32(vbicq_u32(y, zero));
}

INLINE float32x4_t tanh4(float32x4_t x) {
    const float32x4_t magnitude = vabsq_f32(x), square = vmulq_f32(x, x);
    float32x4_t p = set(-0.00570498686f);
    p = vfmaq_f32(set(0.020639088f), p, square);
    p = vfmaq_f32(set(-0.0537397154f), p, square);
    p = vfmaq_f32(set(0.133314416f), p, square);
    p = vfmaq_f32(set(-0.333332807f), p, square);
    const float32x4_t near = vfmaq_f32(x, vmulq_f32(x, square), p);
    const float32x4_t e = exp4(vmulq_f32(set(-2.0f), magnitude));
    const float32x4_t far = vdivq_f32(vsubq_f32(set(1.0f), e), vaddq_f32(set(1.0f), e));
    const float32x4_t signed_far = vbslq_f32(vdupq_n_u32(0x80000000u), x, far);
    return vbslq_f32(vcltq_f32(magnitude, set(0.625f)), near, signed_far);
}

INLINE float32x4_t silu4(float32x4_t x) { return vdivq_f32(x, vaddq_f32(set(1.0f), exp4(vnegq_f32(x)))); }

INLINE float32x4_t gelu_tanh4(float32x4_t x) {
    const float32x4_t cubic = vfmaq_f32(x, vmulq_f32(set(0.044715f), vmulq_f32(x, x)), x);
    const float32x4_t t = tanh4(vmulq_f32(set(0.797884561f), cubic));
    return vmulq_f32(vmulq_f32(set(0.5f), x), vaddq_f32(set(1.0f), t));
}

INLINE float32x4_t soft_cap4(float32x4_t x, float32x4_t cap) { return vmulq_f32(cap, tanh4(vdivq_f32(x, cap))); }

#endif
