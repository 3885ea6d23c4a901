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

/* Of the calling thread's stack; both 0 until it was looked at, and where the operating system doesn't tell. */
static _Thread_local uintptr_t lowest;
static _Thread_local uintptr_t highest;
static _Thread_local int known;

static void look(void) {
    known = 1;
#if defined(__APPLE__)
    highest = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    lowest = highest - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    void *address = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return;
    }
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
        lowest = (uintptr_t)address;
        highest = lowest + size;
    }
    pthread_attr_destroy(&attributes);
#endif
}

int32_t uzu_stack_check(uzu_string *error) {
    /* Not the address of a variable: sanitizers keep those elsewhere. */
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!known) {
        look();
    }
    if (highest == 0) {
        return UZU_OK;
    }
    if (here < lowest || here >= highest) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "This call comes from a stack that isn't its thread's, a coroutine's perhaps: call uzu from "
                        "the thread's own stack.");
    }
    if (here - lowest < LEAST) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "This thread's stack is too small: a call of uzu needs %u KB of it free.", LEAST >> 10);
    }
    return UZU_OK;
}
