/*
 * The caller's stack. A thread that calls into Java becomes one of the JVM's, which needs guard pages and room to run
 * Java code there; on less, or on a stack that it doesn't know, it ends the process. Such a call is refused instead.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"

/* 128 KB is where the JVM begins to accept a thread; Java code needs some beside. */
#define LEAST (192u << 10)

static _Thread_local int enough;

/* The lowest address of the calling thread's stack; 0 when the operating system doesn't tell. */
static uintptr_t lowest_address(void) {
#if defined(__APPLE__)
    return (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return 0;
    }
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)lowest;
#endif
}

int32_t uzu_stack_check(uzu_string *error) {
    char here;
    if (enough) {
        return UZU_OK;
    }
    uintptr_t lowest = lowest_address();
    if (lowest != 0 && (uintptr_t)&here - lowest < LEAST) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "This thread's stack is too small: a thread that calls uzu first needs %u KB of it free.",
                        LEAST >> 10);
    }
    enough = 1;
    return UZU_OK;
}
