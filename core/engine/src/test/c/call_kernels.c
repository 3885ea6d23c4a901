/* call_kernels LIBRARY: calls functions of the kernels for whoever is at the other end of the pipe, so that an emulator
   can run those for another processor; uzu.backend.cpu.EmulatedKernels is that end. A call comes in as

     int32 length of a name, the name
     int32 number of integers, then for each: int64 kind, and by it
       0  int64 value
       1  int64 bytes, int64 alignment, the bytes, which the function reads and a pointer to which it is given
       2  likewise, and the function writes them
       3  int64 of no meaning: the pointer to what the function writes, again
     int32 number of floats, then these

   and what it left in the written bytes goes out, one after another. A buffer ends within its alignment of a page that no
   one may touch: whoever reads or writes behind it dies. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_INTEGERS = 20, MOST_FLOATS = 4, PAGE = 65536, ROOM = 16 << 20 };

/* Integers and floats have registers of their own, and further integers 8 bytes of stack each, whatever their size: so
   one type calls all functions (System V x86-64, AAPCS64 but for Apple's). */
typedef void (*function)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         float, float, float, float);

static void fail(const char *what) {
    fprintf(stderr, "call_kernels: %s\n", what);
    exit(1);
}

static void in(void *to, size_t bytes) {
    if (bytes && fread(to, 1, bytes, stdin) != bytes) {
        if (feof(stdin)) exit(0); /* the caller has gone */
        fail("can't read");
    }
}

static int64_t number(void) {
    int64_t value;
    in(&value, sizeof value);
    return value;
}

static int32_t count(int most) {
    int32_t value;
    in(&value, sizeof value);
    if (value < 0 || value > most) fail("too many arguments");
    return value;
}

/* The end of room for one argument's bytes. */
static uint8_t *room(int argument) {
    static uint8_t *ends[MOST_INTEGERS];
    if (!ends[argument]) {
        uint8_t *p = mmap(0, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) fail("no memory");
        p = (uint8_t *)(((uintptr_t)p + PAGE - 1) & -(uintptr_t)PAGE);
        if (mprotect(p + ROOM, PAGE, PROT_NONE)) fail("can't protect a page");
        ends[argument] = p + ROOM;
    }
    return ends[argument];
}

int main(int arguments, char **argument) {
    void *library = arguments == 2 ? dlopen(argument[1], RTLD_NOW) : 0;
    if (!library) fail(arguments == 2 ? dlerror() : "which library?");
    for (;;) {
        char name[64] = {0};
        in(name, (size_t)count(sizeof name - 1));
        const function call = (function)(uintptr_t)dlsym(library, name);
        if (!call) fail(name);
        int64_t i[MOST_INTEGERS] = {0}, written[MOST_INTEGERS] = {0}, output = 0;
        int same[MOST_INTEGERS] = {0};
        float f[MOST_FLOATS] = {0};
        const int integers = count(MOST_INTEGERS);
        for (int at = 0; at < integers; at++) {
            const int64_t kind = number();
            i[at] = number();
            if (kind == 0 || kind == 3) {
                same[at] = kind == 3;
                continue;
            }
            const int64_t bytes = i[at], alignment = number();
            if (bytes < 0 || bytes > ROOM - alignment) fail("too large an argument");
            uint8_t *const start = (uint8_t *)((uintptr_t)(room(at) - bytes) & -(uintptr_t)alignment);
            in(start, (size_t)bytes);
            i[at] = (int64_t)(uintptr_t)start;
            if (kind == 2) written[at] = bytes, output = i[at];
        }
        for (int at = 0; at < integers; at++)
            if (same[at]) i[at] = output;
        in(f, (size_t)count(MOST_FLOATS) * sizeof *f);
        call(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9], i[10], i[11], i[12], i[13], i[14], i[15],
             i[16], i[17], i[18], i[19], f[0], f[1], f[2], f[3]);
        for (int at = 0; at < integers; at++)
            if (written[at]) fwrite((void *)(uintptr_t)i[at], 1, (size_t)written[at], stdout);
        fflush(stdout);
    }
}
