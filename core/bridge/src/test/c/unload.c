/*
 * A program that loads libuzu itself and gives it back while threads have called it:  unload LIBUZU
 * Prints "N passed, N failed" and exits 1 when any failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uzu.h"

static const char *path;
static int passed;
static int failed;
static int called[2];
static int unloaded[2];

static void check(int holds, const char *what) {
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s\n", what);
    }
}

static void *function(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

static void create_and_close(void *library, const char *what) {
    int32_t (*create)(const char *, int64_t, uzu_handle *, uzu_string *);
    int32_t (*close)(uzu_handle, uzu_string *);
    uzu_handle engine = 0;
    uzu_string error;
    *(void **)&create = function(library, "uzu_engine_create");
    *(void **)&close = function(library, "uzu_handle_close");
    check(create("{\"offline\":true}", -1, &engine, &error) == UZU_OK, what);
    check(close(engine, NULL) == UZU_OK, what);
}

static void tell(const int *pipe) {
    check(write(pipe[1], "x", 1) == 1, "a thread is told");
}

static void await(const int *pipe) {
    char byte;
    check(read(pipe[0], &byte, 1) == 1, "a thread has told");
}

/* A thread that has called ends when the library was given back. */
static void *call_and_end_later(void *library) {
    create_and_close(library, "an engine of another thread");
    tell(called);
    await(unloaded);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t thread;
    if (count != 2) {
        fprintf(stderr, "usage: %s LIBUZU\n", arguments[0]);
        return 2;
    }
    path = arguments[1];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    check(pipe(called) == 0 && pipe(unloaded) == 0, "pipes");
    pthread_create(&thread, NULL, call_and_end_later, library);
    await(called);
    check(dlclose(library) == 0, "it is given back");
    tell(unloaded);
    pthread_join(thread, NULL);
    usleep(100000); /* what runs in the background there may go on */
    for (int i = 0; i < 3; i++) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        check(library != NULL, "it is loaded again");
        create_and_close(library, "an engine of the second time");
        dlclose(library);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
