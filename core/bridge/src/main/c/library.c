/* This library, and threads of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define STACK_BYTES (8u << 20)

int uzu_library_folder(char *folder, size_t capacity) {
    Dl_info info;
    char resolved[PATH_MAX];
    if (dladdr((void *)(uintptr_t)&uzu_library_folder, &info) == 0 || realpath(info.dli_fname, resolved) == NULL) {
        return 0;
    }
    char *slash = strrchr(resolved, '/');
    if (slash == NULL || (size_t)(slash - resolved) >= capacity) {
        return 0;
    }
    *slash = 0;
    memcpy(folder, resolved, (size_t)(slash - resolved) + 1);
    return 1;
}

/* Faults are a runtime's own; all else is meant for the host, whose threads take it. */
static void without_faults(sigset_t *set) {
    sigfillset(set);
    sigdelset(set, SIGSEGV);
    sigdelset(set, SIGBUS);
    sigdelset(set, SIGFPE);
    sigdelset(set, SIGILL);
    sigdelset(set, SIGTRAP);
}

void uzu_block_signals(void) {
    sigset_t blocked;
    without_faults(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

int uzu_start_apart(void *(*function)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t blocked, before;
    without_faults(&blocked);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* A thread, and all that it starts, has the mask that its maker has. */
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int refused = pthread_create(&thread, &attributes, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return !refused;
}
