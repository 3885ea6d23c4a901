#include "addon.h"

#include <stdlib.h>

typedef struct reader {
    environment *environment;
    uzu_handle queue;
} reader;

static void read_queue(void *argument) {
    reader *self = argument;
    int32_t (*next)(uzu_handle, int64_t, uzu_string *, uzu_string *) = library_function("queue_next");
    uzu_string ready = {NULL, 0};
    /* Anything else than a batch means that the queue was closed, with the environment. */
    while (next(self->queue, -1, &ready, NULL) == UZU_OK && environment_deliver_batch(self->environment, ready)) {
        ready = (uzu_string){NULL, 0};
    }
    environment_release(self->environment);
    free(self);
}

static int32_t start(environment *self, uzu_handle *queue, uzu_string *error) {
    int32_t (*create)(uzu_handle *, uzu_string *) = library_function("queue_create");
    int32_t result = create(queue, error);
    if (result != UZU_OK) {
        return result;
    }
    reader *made = malloc(sizeof *made);
    if (!environment_own(self, *queue)) {
        free(made);
        return UZU_CLOSED;
    }
    if (made != NULL) {
        *made = (reader){self, *queue};
        environment_retain(self);
        if (threads_run(read_queue, made)) {
            return UZU_OK;
        }
        environment_release(self);
        free(made);
    }
    environment_disown(self, *queue);
    library_close(*queue);
    return UZU_OUT_OF_MEMORY;
}

int32_t reader_add(environment *self, uzu_handle stream, uzu_string *error) {
    int32_t (*add)(uzu_handle, uzu_handle, uzu_string *) = library_function("queue_add");
    int32_t result = UZU_OK;
    /* One lock for all environments: it is held for long only while the first stream of one starts. */
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&starting);
    if (self->queue == 0) {
        uzu_handle queue = 0;
        result = start(self, &queue, error);
        self->queue = result == UZU_OK ? queue : 0;
    }
    pthread_mutex_unlock(&starting);
    return result == UZU_OK ? add(self->queue, stream, error) : result;
}
