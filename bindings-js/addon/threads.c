#include "addon.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { IDLE_SECONDS = 10, STACK_BYTES = 1 << 20 };

typedef struct task {
    void (*run)(void *);
    void *argument;
    struct task *next;
} task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static task *first;
static task **end = &first;
static int waiting; /* tasks in line */
static int idle;    /* threads that nobody has woken */

static task *next_task(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += IDLE_SECONDS;
    pthread_mutex_lock(&lock);
    idle++;
    int late = 0;
    while (first == NULL && !late) {
        late = pthread_cond_timedwait(&came, &lock, &until) != 0;
    }
    idle--;
    task *found = first;
    if (found != NULL) {
        first = found->next;
        end = first == NULL ? &first : end;
        waiting--;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *serve(void *unused) {
    (void)unused;
    for (task *found = next_task(); found != NULL; found = next_task()) {
        found->run(found->argument);
        free(found);
    }
    return NULL;
}

/* Signals are for the host's threads. Faults stay open: a JVM uses them, and a blocked one would end the process. */
static void block_signals(sigset_t *before) {
    sigset_t blocked;
    sigfillset(&blocked);
    int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        sigdelset(&blocked, open[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static int start_thread(void) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return 0;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigset_t before;
    block_signals(&before);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

int threads_run(void (*run)(void *), void *argument) {
    task *added = malloc(sizeof *added);
    if (added == NULL) {
        return 0;
    }
    *added = (task){run, argument, NULL};
    pthread_mutex_lock(&lock);
    /* Before the task is in line: one that no thread would serve must not stay there. */
    if (waiting >= idle && !start_thread()) {
        pthread_mutex_unlock(&lock);
        free(added);
        return 0;
    }
    *end = added;
    end = &added->next;
    waiting++;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
    return 1;
}
