/* The parts of the addon: threads that wait, calls into libuzu, and the JavaScript environment that results go to. */
#ifndef UZU_ADDON_H
#define UZU_ADDON_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <node_api.h>

#include "uzu.h"

/* What a function of uzu.h gives beside its return value: nothing, a string, or 64 bits. */
enum result_kind { RESULT_NOTHING = 0, RESULT_TEXT = 1, RESULT_NUMBER = 2 };

/* ---- library.c: libuzu, loaded once a process and never unloaded ---------------------------------------------- */

enum { MOST_TEXTS = 3 };

typedef struct library_call {
    void *function;
    int has_handle;
    uzu_handle handle;
    int text_count;
    char *texts[MOST_TEXTS]; /* UTF-8, or NULL */
    int64_t lengths[MOST_TEXTS];
    enum result_kind kind;
    uzu_string text; /* the result, or the error as JSON; to be freed with library_free */
    uint64_t number;
} library_call;

/* NULL, or what is wrong with the file, to be freed. */
char *library_open(const char *path);
/* A function by its name in uzu.h without the prefix; NULL when the library has none such. */
void *library_function(const char *name);
int32_t library_run(library_call *call);
int32_t library_close(uzu_handle handle);
void library_free(uzu_string *string);

/* ---- threads.c: threads for what waits, shared by all environments; libuv's four are left alone ---------------- */

/* Runs the task on a thread that does nothing else meanwhile; 0 when none can be had. */
int threads_run(void (*task)(void *), void *argument);

/* ---- environment.c: one for each thread of JavaScript; it outlives what it started ----------------------------- */

typedef struct delivery delivery;

typedef struct environment {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int references;
    napi_threadsafe_function deliver; /* NULL once it has ended */
    int called;                       /* whether deliver was called and hasn't run yet */
    delivery *first;
    delivery **end;
    int batch_waits; /* whether a batch is on its way to JavaScript */
    uzu_handle *owned;
    size_t owned_count;
    size_t owned_capacity;
    uzu_handle queue; /* 0 until the first stream is read */
} environment;

/* Results go to the JavaScript function deliver(id, result, value). */
environment *environment_create(napi_env env, napi_value deliver);
/* Nothing is delivered any more, and what it owns is closed; waits for that a moment. */
void environment_end(environment *self);
void environment_retain(environment *self);
void environment_release(environment *self);
/* Whether the event loop stays alive for it. */
void environment_hold(environment *self, napi_env env, int held);

/* Hands a result to JavaScript, from any thread. Takes the string over. */
void environment_deliver(environment *self, double id, int32_t result, enum result_kind kind, uzu_string text,
                         uint64_t number);
/* The same for what a queue gave; waits until JavaScript has had the last one. 0 once the environment has ended. */
int environment_deliver_batch(environment *self, uzu_string batch);
/* Closes the handle with the environment: at once, and giving 0, when that has ended. */
int environment_own(environment *self, uzu_handle handle);
void environment_disown(environment *self, uzu_handle handle);

/* ---- reader.c ------------------------------------------------------------------------------------------------- */

/* Lets the environment's queue read the stream; its thread starts with the first one. */
int32_t reader_add(environment *self, uzu_handle stream, uzu_string *error);

#endif
