/*
 * The JVM's own faults. A JVM uses SIGSEGV and its like for null checks and safepoints; a handler that somebody puts in
 * its place later (Python's faulthandler does) turns the next of those into a crash. So each call looks whether the
 * JVM's handler still stands; if not, ours goes there, which asks the JVM first and the other one second.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "host.h"

typedef int (*handle_fault)(int signal, siginfo_t *info, void *context, int abort_if_unknown);

static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define FAULT_COUNT 4

static handle_fault jvm_handles;
static struct sigaction jvm_action[FAULT_COUNT];
static struct sigaction other_action[FAULT_COUNT];
static pthread_mutex_t replacing = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile sig_atomic_t foreign_fault;

static void on_fault(int signal, siginfo_t *info, void *context) {
    if (jvm_handles(signal, info, context, 0)) {
        return;
    }
    int index = 0;
    while (FAULTS[index] != signal) {
        index++;
    }
    struct sigaction *other = &other_action[index];
    int ignored = other->sa_handler == SIG_DFL || other->sa_handler == SIG_IGN;
    /* The other handler raises the signal again when it is done; the second time nobody is left to ask. */
    if (foreign_fault || ignored) {
        struct sigaction plain;
        memset(&plain, 0, sizeof plain);
        plain.sa_handler = SIG_DFL;
        sigaction(signal, &plain, NULL);
        return;
    }
    foreign_fault = 1;
    if (other->sa_flags & SA_SIGINFO) {
        other->sa_sigaction(signal, info, context);
    } else {
        other->sa_handler(signal);
    }
    foreign_fault = 0;
}

void uzu_signals_remember(void *libjvm) {
#if defined(__APPLE__)
    const char *name = "JVM_handle_bsd_signal";
#else
    const char *name = "JVM_handle_linux_signal";
#endif
    *(void **)&jvm_handles = dlsym(libjvm, name);
    for (int i = 0; i < FAULT_COUNT; i++) {
        sigaction(FAULTS[i], NULL, &jvm_action[i]);
    }
}

static int stands(const struct sigaction *now, int index) {
    return now->sa_sigaction == jvm_action[index].sa_sigaction || now->sa_sigaction == on_fault;
}

void uzu_signals_check(void) {
    struct sigaction now;
    /* One look tells: whoever replaces handlers replaces this one. */
    if (jvm_handles == NULL || sigaction(SIGSEGV, NULL, &now) != 0 || stands(&now, 0)) {
        return;
    }
    pthread_mutex_lock(&replacing);
    for (int i = 0; i < FAULT_COUNT; i++) {
        if (sigaction(FAULTS[i], NULL, &now) == 0 && !stands(&now, i)) {
            struct sigaction ours = jvm_action[i];
            ours.sa_sigaction = on_fault;
            ours.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
            other_action[i] = now;
            sigaction(FAULTS[i], &ours, NULL);
        }
    }
    pthread_mutex_unlock(&replacing);
}
