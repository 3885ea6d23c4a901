/* The native methods of Java's NativeCalls. Those of kernels take the kernel's address first: one method serves its
   twins in all instruction sets. JNI, without its header, since numbers are all that passes. */
#define _DEFAULT_SOURCE
#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/mman.h>
#endif

#include "kernels.h"

#define NATIVE(type, name) UZU_K_EXPORT type Java_uzu_backend_cpu_NativeCalls_##name
#define SELF void *environment, void *class
#define TWIN_OF(kernel, function) (void)environment, (void)class, ((__typeof__(&kernel))(intptr_t)function)
#define AT(address) ((void *)(intptr_t)address)

/* ---- the library and memory */

NATIVE(int32_t, number)(SELF, int64_t function) {
    (void)environment, (void)class;
    return ((int32_t(*)(void))(intptr_t)function)();
}

#if defined(_WIN32)
NATIVE(int64_t, open)(SELF, int64_t path) {
    (void)environment, (void)class;
    wchar_t wide[MAX_PATH * 16];
    if (!MultiByteToWideChar(CP_UTF8, 0, AT(path), -1, wide, sizeof wide / sizeof *wide)) return 0;
    return (intptr_t)LoadLibraryW(wide);
}

NATIVE(int64_t, find)(SELF, int64_t library, int64_t name) {
    (void)environment, (void)class;
    return (intptr_t)GetProcAddress(AT(library), AT(name));
}

/* Java does not ask for these here. */
NATIVE(int64_t, map)(SELF, int64_t bytes) {
    (void)environment, (void)class, (void)bytes;
    return 0;
}

NATIVE(void, unmap)(SELF, int64_t address, int64_t bytes) {
    (void)environment, (void)class, (void)address, (void)bytes;
}
#else
NATIVE(int64_t, open)(SELF, int64_t path) {
    (void)environment, (void)class;
    return (intptr_t)dlopen(AT(path), RTLD_NOW);
}

NATIVE(int64_t, find)(SELF, int64_t library, int64_t name) {
    (void)environment, (void)class;
    return (intptr_t)dlsym(AT(library), AT(name));
}

NATIVE(int64_t, map)(SELF, int64_t bytes) {
    (void)environment, (void)class;
    void *address = mmap(0, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? 0 : (intptr_t)address;
}

NATIVE(void, unmap)(SELF, int64_t address, int64_t bytes) {
    (void)environment, (void)class;
    munmap(AT(address), (size_t)bytes);
}
#endif

NATIVE(void, wantHugePages)(SELF, int64_t address, int64_t bytes) {
    (void)environment, (void)class;
#ifdef MADV_HUGEPAGE
    madvise(AT(address), (size_t)bytes, MADV_HUGEPAGE);
#else
    (void)address, (void)bytes;
#endif
}

NATIVE(void, pack)(SELF, int64_t function, int32_t type, int32_t columns, int32_t units, int64_t in, int64_t out) {
    TWIN_OF(uzu_k_pack, function)(type, columns, units, AT(in), AT(out));
}

/* ---- matrix kernels */

NATIVE(void, prepare)(SELF, int64_t function, int64_t x, int32_t stride, int32_t columns, int32_t from, int32_t to,
                      int64_t prepared) {
    TWIN_OF(uzu_k_quantise_avx2, function)(AT(x), stride, columns, from, to, AT(prepared));
}

NATIVE(void, multiply)(SELF, int64_t function, int32_t type, int32_t floats, int32_t outputs, int32_t columns,
                       int64_t data, int32_t from, int32_t to, int64_t prepared, int32_t rows, int64_t out,
                       int32_t stride, int64_t bias, int32_t add) {
    TWIN_OF(uzu_k_multiply_avx2, function)
    (type, floats, outputs, columns, AT(data), from, to, AT(prepared), rows, AT(out), stride, AT(bias), add);
}

/* ---- row kernels */

NATIVE(void, norm)(SELF, int64_t function, int64_t in, int32_t runs, int32_t columns, int64_t weight, float epsilon,
                   int64_t out) {
    TWIN_OF(uzu_k_norm_avx2, function)(AT(in), runs, columns, AT(weight), epsilon, AT(out));
}

NATIVE(void, rotate)(SELF, int64_t function, int64_t x, int32_t heads, int32_t size, int32_t half, int64_t cosines,
                     int64_t sines) {
    TWIN_OF(uzu_k_rotate_avx2, function)(AT(x), heads, size, half, AT(cosines), AT(sines));
}

NATIVE(void, store)(SELF, int64_t function, int32_t type, int64_t in, int32_t count, int64_t out) {
    TWIN_OF(uzu_k_store_avx2, function)(type, AT(in), count, AT(out));
}

NATIVE(void, gate)(SELF, int64_t function, int32_t activation, int64_t gate, int64_t up, int32_t count, int64_t out) {
    TWIN_OF(uzu_k_gate_avx2, function)(activation, AT(gate), AT(up), count, AT(out));
}

NATIVE(void, add)(SELF, int64_t function, int64_t in, int32_t count, int64_t out) {
    TWIN_OF(uzu_k_add_avx2, function)(AT(in), count, AT(out));
}

NATIVE(void, softCap)(SELF, int64_t function, int64_t x, int32_t count, float cap) {
    TWIN_OF(uzu_k_soft_cap_avx2, function)(AT(x), count, cap);
}

NATIVE(void, attend)(SELF, int64_t function, int32_t type, int64_t queries, int64_t query_stride, int32_t heads,
                     int32_t size, int64_t keys, int64_t values, int64_t pending_keys, int64_t pending_values,
                     int64_t ancestors, int64_t spans, int32_t rows, float scale, float soft_cap, int64_t scratch,
                     int64_t partials, int64_t partial_stride) {
    TWIN_OF(uzu_k_attend_avx2, function)
    (type, AT(queries), query_stride, heads, size, AT(keys), AT(values), AT(pending_keys), AT(pending_values),
     AT(ancestors), AT(spans), rows, scale, soft_cap, AT(scratch), AT(partials), partial_stride);
}

NATIVE(void, join)(SELF, int64_t function, int64_t partials, int32_t blocks, int32_t heads, int32_t size,
                   int64_t out) {
    TWIN_OF(uzu_k_join_avx2, function)(AT(partials), blocks, heads, size, AT(out));
}

/* ---- logits */

NATIVE(int32_t, largest)(SELF, int64_t function, int64_t x, int32_t count) {
    return TWIN_OF(uzu_k_largest_avx2, function)(AT(x), count);
}

NATIVE(void, tally)(SELF, int64_t function, int64_t x, int32_t count, float shift, float temperature, int32_t weigh,
                    int64_t tally) {
    TWIN_OF(uzu_k_tally_avx2, function)(AT(x), count, shift, temperature, weigh, AT(tally));
}

NATIVE(int32_t, gather)(SELF, int64_t function, int64_t x, int32_t count, float shift, float temperature, float least,
                        float below, int64_t tokens, int64_t values) {
    return TWIN_OF(uzu_k_gather_avx2, function)(AT(x), count, shift, temperature, least, below, AT(tokens), AT(values));
}

NATIVE(int32_t, contend)(SELF, int64_t function, int64_t x, int32_t count, float shift, float temperature, float least,
                         float best, int64_t key, int64_t tokens, int64_t values) {
    return TWIN_OF(uzu_k_contend_avx2, function)
    (AT(x), count, shift, temperature, least, best, (uint64_t)key, AT(tokens), AT(values));
}
