/*
 * A native image as a host: one isolate in the process. A thread that calls is made known to the isolate, once, and
 * forgotten by it when the thread ends.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "libuzu_image.h"

#if defined(__APPLE__)
#define KERNELS "/libuzu_kernels.dylib"
#else
#define KERNELS "/libuzu_kernels.so"
#endif

static graal_isolate_t *isolate;
static pthread_key_t attached;
static _Thread_local graal_isolatethread_t *current;

static void detach(void *thread) {
    current = NULL;
    graal_detach_thread(thread);
}

/* The kernels beside this library, unless the environment names others; NULL when they are to be looked for. */
static char *kernels(char *path, size_t capacity) {
    if (getenv("UZU_KERNELS") != NULL || !uzu_library_folder(path, capacity - sizeof KERNELS)) {
        return NULL;
    }
    strcat(path, KERNELS);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* ---- the start, on a thread of its own: the caller's stack may be small, and the isolate's threads inherit its mask */

typedef struct start {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int done;
    int status;    /* of the isolate's creation */
    int32_t count; /* of the functions */
} start;

static void *create(void *argument) {
    start *start = argument;
    char path[PATH_MAX];
    graal_isolatethread_t *thread = NULL;
    int status = graal_create_isolate(NULL, &isolate, &thread);
    int32_t count = 0;
    if (status == 0) {
        count = uzu_image_start(thread, kernels(path, sizeof path), &uzu_allocate, &uzu_block_signals);
        graal_detach_thread(thread);
    }
    pthread_mutex_lock(&start->lock);
    start->status = status;
    start->count = count;
    start->done = 1;
    pthread_cond_signal(&start->ended);
    pthread_mutex_unlock(&start->lock);
    return NULL;
}

int32_t uzu_host_start(uzu_string *error) {
    start start = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
    if (isolate != NULL || pthread_key_create(&attached, detach) != 0) {
        return uzu_fail(error, UZU_INTERNAL, NULL, NULL, "The native image didn't start.");
    }
    if (!uzu_start_apart(create, &start)) {
        return uzu_fail(error, UZU_OUT_OF_MEMORY, NULL, NULL, "No thread can be started for the native image.");
    }
    pthread_mutex_lock(&start.lock);
    while (!start.done) {
        pthread_cond_wait(&start.ended, &start.lock);
    }
    pthread_mutex_unlock(&start.lock);
    if (start.status != 0) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "The native image doesn't start (%d). It needs the processor features that it was made for: "
                        "on x86-64 AVX2, FMA and BMI.",
                        start.status);
    }
    if (start.count != UZU_ENTRIES) {
        return uzu_fail(error, UZU_INTERNAL, NULL, NULL,
                        "The library has %d entries and its native image %d: they are of different versions.",
                        UZU_ENTRIES, start.count);
    }
    return UZU_OK;
}

int32_t uzu_host_call(int32_t entry, uint64_t handle, const uzu_text *texts, int64_t number, void *out,
                      uzu_string *error) {
    if (current == NULL) {
        if (graal_attach_thread(isolate, &current) != 0) {
            current = NULL;
            return uzu_fail(error, UZU_OUT_OF_MEMORY, NULL, NULL, "This thread can't be made known to the native image.");
        }
        pthread_setspecific(attached, current);
    }
    return uzu_image_call(current, entry, (long long)handle, (void *)(uintptr_t)texts, number, out, error);
}
