/* Groups quantised with NEON, in every twin for 64-bit ARM. */
#include <arm_neon.h>

static void quantise_group(const float *x, input *to, int row) {
    float32x4_t v[8], largest = vdupq_n_f32(0);
    for (int i = 0; i < 8; i++) {
        v[i] = vld1q_f32(x + 4 * i);
        largest = vmaxq_f32(largest, vabsq_f32(v[i])); /* NaN, if there is one */
    }
    float d = vmaxvq_f32(largest) / 127.0f;
    const int zero = d < 0x1p-126f;
    if (zero) d = 0;
    int32_t pairs[2];
    for (int half = 0; half < 2; half++) {
        int32x4_t q[4];
        for (int i = 0; i < 4; i++)
            q[i] = zero ? vdupq_n_s32(0) : vcvtnq_s32_f32(vdivq_f32(v[4 * half + i], vdupq_n_f32(d)));
        const int16x8_t low = vcombine_s16(vqmovn_s32(q[0]), vqmovn_s32(q[1]));
        const int16x8_t high = vcombine_s16(vqmovn_s32(q[2]), vqmovn_s32(q[3]));
        const int8x16_t bytes = vcombine_s8(vqmovn_s16(low), vqmovn_s16(high));
        vst1q_s8(to->q[row] + 16 * half, bytes);

        /* Sums of neighbours, then over the four columns-of-four. */
        int16x8_t sums = vpaddlq_s8(bytes);
        sums = vaddq_s16(sums, vextq_s16(sums, sums, 4));
        sums = vaddq_s16(sums, vextq_s16(sums, sums, 2));
        pairs[half] = vgetq_lane_s32(vreinterpretq_s32_s16(sums), 0);
        to->halves[half][row] = pairs[half];
    }
    const int even = (int16_t)pairs[0] + (int16_t)pairs[1], odd = (pairs[0] >> 16) + (pairs[1] >> 16);
    to->pairs[row] = (uint16_t)even | (int32_t)((uint32_t)odd << 16);
    to->d[row] = d;
    to->dsum[row] = d * (float)(even + odd);
}
