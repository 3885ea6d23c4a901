#include "addon.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Closing waits for a forward pass to end; a process that ends waits no longer than this. */
enum { SECONDS_TO_CLOSE = 5 };

struct delivery {
    double id; /* of the call; 0: a batch */
    int32_t result;
    enum result_kind kind;
    uzu_string text;
    uint64_t number;
    delivery *next;
};

static void free_deliveries(delivery *each) {
    while (each != NULL) {
        delivery *next = each->next;
        library_free(&each->text);
        free(each);
        each = next;
    }
}

void environment_retain(environment *self) {
    pthread_mutex_lock(&self->lock);
    self->references++;
    pthread_mutex_unlock(&self->lock);
}

void environment_release(environment *self) {
    pthread_mutex_lock(&self->lock);
    int left = --self->references;
    pthread_mutex_unlock(&self->lock);
    if (left == 0) {
        free_deliveries(self->first);
        free(self->owned);
        pthread_cond_destroy(&self->changed);
        pthread_mutex_destroy(&self->lock);
        free(self);
    }
}

/* ---- on the thread of JavaScript ------------------------------------------------------------------------------- */

static napi_value value_of(napi_env env, const delivery *each) {
    napi_value value;
    if (each->text.data != NULL) {
        napi_create_string_utf8(env, each->text.data, (size_t)each->text.length, &value);
    } else if (each->kind == RESULT_NUMBER) {
        napi_create_double(env, (double)each->number, &value);
    } else {
        napi_get_undefined(env, &value);
    }
    return value;
}

static void hand_over(napi_env env, napi_value callback, const delivery *each) {
    napi_handle_scope scope;
    napi_open_handle_scope(env, &scope);
    napi_value arguments[3];
    napi_value receiver;
    napi_create_double(env, each->id, &arguments[0]);
    napi_create_int32(env, each->result, &arguments[1]);
    arguments[2] = value_of(env, each);
    napi_get_undefined(env, &receiver);
    if (napi_call_function(env, receiver, callback, 3, arguments, NULL) == napi_pending_exception) {
        napi_value thrown;
        napi_get_and_clear_last_exception(env, &thrown);
        napi_fatal_exception(env, thrown);
    }
    napi_close_handle_scope(env, scope);
}

static void on_deliver(napi_env env, napi_value callback, void *context, void *data) {
    (void)data;
    environment *self = context;
    if (env == NULL) {
        return;
    }
    pthread_mutex_lock(&self->lock);
    delivery *list = self->first;
    self->first = NULL;
    self->end = &self->first;
    self->called = 0;
    pthread_mutex_unlock(&self->lock);
    for (const delivery *each = list; each != NULL; each = each->next) {
        hand_over(env, callback, each);
        if (each->id == 0) {
            pthread_mutex_lock(&self->lock);
            self->batch_waits = 0;
            pthread_cond_broadcast(&self->changed);
            pthread_mutex_unlock(&self->lock);
        }
    }
    free_deliveries(list);
}

/* Node is done with the function only now, so the environment must have lived until here. */
static void on_finalized(napi_env env, void *data, void *hint) {
    (void)env;
    (void)hint;
    environment_release(data);
}

environment *environment_create(napi_env env, napi_value deliver) {
    environment *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    self->end = &self->first;
    self->references = 2; /* the caller's, and the function's */
    napi_value name;
    napi_create_string_utf8(env, "uzu", NAPI_AUTO_LENGTH, &name);
    if (napi_create_threadsafe_function(env, deliver, NULL, name, 0, 1, self, on_finalized, self, on_deliver,
                                        &self->deliver) != napi_ok) {
        free(self);
        return NULL;
    }
    napi_unref_threadsafe_function(env, self->deliver);
    return self;
}

void environment_hold(environment *self, napi_env env, int held) {
    /* Only this thread ends the environment, so the function can't go meanwhile. */
    if (self->deliver != NULL) {
        (held ? napi_ref_threadsafe_function : napi_unref_threadsafe_function)(env, self->deliver);
    }
}

typedef struct closing {
    environment *environment;
    uzu_handle *handles;
    size_t count;
    int done; /* guarded by the environment's lock */
    int abandoned;
} closing;

static void close_all(void *argument) {
    closing *all = argument;
    environment *self = all->environment;
    for (size_t i = 0; i < all->count; i++) {
        library_close(all->handles[i]);
    }
    free(all->handles);
    pthread_mutex_lock(&self->lock);
    all->done = 1;
    int abandoned = all->abandoned;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (abandoned) {
        free(all);
    }
    environment_release(self);
}

static void close_and_wait(environment *self, uzu_handle *handles, size_t count) {
    closing *all = calloc(1, sizeof *all);
    if (all == NULL) {
        free(handles);
        return;
    }
    all->environment = self;
    all->handles = handles;
    all->count = count;
    environment_retain(self);
    if (!threads_run(close_all, all)) {
        environment_release(self);
        free(handles);
        free(all);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS_TO_CLOSE;
    pthread_mutex_lock(&self->lock);
    int late = 0;
    while (!all->done && !late) {
        late = pthread_cond_timedwait(&self->changed, &self->lock, &until) != 0;
    }
    int done = all->done;
    all->abandoned = !done;
    pthread_mutex_unlock(&self->lock);
    if (done) {
        free(all);
    }
}

void environment_end(environment *self) {
    pthread_mutex_lock(&self->lock);
    napi_threadsafe_function deliver = self->deliver;
    self->deliver = NULL;
    uzu_handle *handles = self->owned;
    size_t count = self->owned_count;
    self->owned = NULL;
    self->owned_count = self->owned_capacity = 0;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (deliver == NULL) {
        return;
    }
    napi_release_threadsafe_function(deliver, napi_tsfn_abort);
    if (count > 0) {
        close_and_wait(self, handles, count);
    }
}

/* ---- on any thread --------------------------------------------------------------------------------------------- */

/* Under the lock, so that the function isn't released meanwhile. One call serves all that is in line when it runs. */
static int append(environment *self, delivery *added) {
    if (self->deliver == NULL) {
        return 0;
    }
    *self->end = added;
    self->end = &added->next;
    if (!self->called) {
        self->called = napi_call_threadsafe_function(self->deliver, NULL, napi_tsfn_nonblocking) == napi_ok;
    }
    return 1;
}

static delivery *make_delivery(double id, int32_t result, enum result_kind kind, uzu_string text, uint64_t number) {
    delivery *made = malloc(sizeof *made);
    if (made != NULL) {
        *made = (delivery){id, result, kind, text, number, NULL};
    }
    return made;
}

void environment_deliver(environment *self, double id, int32_t result, enum result_kind kind, uzu_string text,
                         uint64_t number) {
    delivery *added = make_delivery(id, result, kind, text, number);
    if (added == NULL) {
        library_free(&text);
        return;
    }
    pthread_mutex_lock(&self->lock);
    int taken = append(self, added);
    pthread_mutex_unlock(&self->lock);
    if (!taken) {
        free_deliveries(added);
    }
}

int environment_deliver_batch(environment *self, uzu_string batch) {
    delivery *added = make_delivery(0, UZU_OK, RESULT_TEXT, batch, 0);
    if (added == NULL) {
        library_free(&batch);
        return 0;
    }
    pthread_mutex_lock(&self->lock);
    /* One batch waits for JavaScript and one here; what comes meanwhile piles up in the engine, and comes together. */
    while (self->batch_waits && self->deliver != NULL) {
        pthread_cond_wait(&self->changed, &self->lock);
    }
    int taken = append(self, added);
    self->batch_waits = taken;
    pthread_mutex_unlock(&self->lock);
    if (!taken) {
        free_deliveries(added);
    }
    return taken;
}

int environment_own(environment *self, uzu_handle handle) {
    pthread_mutex_lock(&self->lock);
    int open = self->deliver != NULL;
    if (open && self->owned_count == self->owned_capacity) {
        size_t capacity = 2 * self->owned_capacity + 8;
        uzu_handle *larger = realloc(self->owned, capacity * sizeof *larger);
        open = larger != NULL;
        if (open) {
            self->owned = larger;
            self->owned_capacity = capacity;
        }
    }
    if (open) {
        self->owned[self->owned_count++] = handle;
    }
    pthread_mutex_unlock(&self->lock);
    if (!open) {
        library_close(handle);
    }
    return open;
}

void environment_disown(environment *self, uzu_handle handle) {
    pthread_mutex_lock(&self->lock);
    for (size_t i = 0; i < self->owned_count; i++) {
        if (self->owned[i] == handle) {
            self->owned[i] = self->owned[--self->owned_count];
            break;
        }
    }
    pthread_mutex_unlock(&self->lock);
}
