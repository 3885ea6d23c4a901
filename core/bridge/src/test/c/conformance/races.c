/* Handles that one thread uses while another closes them. */
#define _GNU_SOURCE
#include "conformance.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8 };

/* What a call may come to whose handle is closed meanwhile. */
static void expect_fair(int32_t result, const uzu_string *error, const char *what) {
    int fair = result >= 0 || result == UZU_CLOSED || result == UZU_CANCELLED || result == UZU_INVALID_STATE;
    check(fair, what, error == NULL || error->data == NULL ? uzu_result_name(result) : error->data);
}

static void *close_it(void *handle) {
    uzu_string error;
    check_result(uzu_handle_close(*(uzu_handle *)handle, &error), UZU_OK, &error, "");
    return NULL;
}

static void many_threads_close_the_same_handle(void) {
    pthread_t threads[THREADS];
    uzu_string text;
    uzu_string error;
    uzu_handle engine = open_engine();
    uzu_handle stream = open_stream(engine, open_session(engine), 4000);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, close_it, i % 2 == 0 ? &engine : &stream);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    check_result(uzu_stream_next(stream, -1, &text, &error), UZU_CLOSED, &error, "closed");
    check_result(uzu_engine_info(engine, &text, &error), UZU_CLOSED, &error, "closed");
}

static void *read_some(void *stream) {
    intptr_t chunks = 0;
    uzu_string chunk;
    uzu_string error;
    int32_t result;
    while ((result = uzu_stream_next(*(uzu_handle *)stream, -1, &chunk, &error)) == UZU_OK) {
        chunks += strstr(chunk.data, "\"finish_reason\":\"") != NULL;
        uzu_string_free(&chunk);
    }
    expect_fair(result, &error, "a reader among others");
    uzu_string_free(&error);
    return (void *)chunks;
}

static void readers_of_one_stream_share_its_chunks(void) {
    pthread_t threads[THREADS];
    intptr_t last = 0;
    uzu_handle engine = open_engine();
    uzu_handle stream = open_stream(engine, open_session(engine), 40);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, read_some, &stream);
    }
    for (int i = 0; i < THREADS; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        last += (intptr_t)seen;
    }
    check(last == 1, "one of them got the last chunk", NULL);
    uzu_handle_close(engine, NULL);
}

static void *load_it(void *engine) {
    uzu_handle instance = 0;
    uzu_string error;
    int32_t result = uzu_engine_instance(*(uzu_handle *)engine, model, -1, NULL, 0, &instance, &error);
    expect_fair(result, &error, "loading");
    check((result == UZU_OK) == (instance != 0), "an instance or none", NULL);
    uzu_string_free(&error);
    return NULL;
}

static void an_engine_is_closed_while_it_loads(void) {
    static const useconds_t PAUSES[] = {0, 1000, 5000, 20000, 50000, 100000};
    for (size_t i = 0; i < sizeof PAUSES / sizeof PAUSES[0]; i++) {
        pthread_t loader;
        uzu_handle engine = open_engine();
        pthread_create(&loader, NULL, load_it, &engine);
        usleep(PAUSES[i]);
        close_it(&engine);
        pthread_join(loader, NULL);
    }
}

static void a_stream_in_a_queue_is_closed(void) {
    uzu_string ready;
    uzu_string error;
    uzu_handle queue = 0;
    uzu_handle engine = open_engine();
    uzu_handle stream = open_stream(engine, open_session(engine), 4000);
    uzu_queue_create(&queue, NULL);
    check_result(uzu_queue_add(queue, stream, &error), UZU_OK, &error, "");
    check_result(uzu_queue_next(queue, 60000, &ready, &error), UZU_OK, &error, "");
    uzu_string_free(&ready);
    check_result(uzu_handle_close(stream, &error), UZU_OK, &error, "");
    int ended = 0;
    while (!ended && uzu_queue_next(queue, 10000, &ready, &error) == UZU_OK) {
        ended = strstr(ready.data, "\"end\":true") != NULL;
        uzu_string_free(&ready);
    }
    uzu_string_free(&error);
    check(ended, "the queue tells its end", NULL);
    uzu_handle_close(queue, NULL);
    uzu_handle_close(engine, NULL);
}

/* ---- all at once: handles that some threads make and close, and all use */

enum { PLACES = 12, ROUNDS = 150 };

static _Atomic uzu_handle places[PLACES];

static uint32_t drawn(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uzu_handle any(uint32_t *state) {
    return atomic_load(&places[drawn(state) % PLACES]);
}

/* Keeps what a call has made in a place, and closes what was there. */
static void keep(uint32_t *state, uzu_handle made) {
    uzu_string error;
    if (made != 0) {
        uzu_handle before = atomic_exchange(&places[drawn(state) % PLACES], made);
        expect_fair(uzu_handle_close(before, &error), &error, "closing what was replaced");
        uzu_string_free(&error);
    }
}

/* A handle of another kind than the function's is an invalid argument, and of that nothing is wrong here. */
static void storm_once(uint32_t *state) {
    static const char *const TALK = "[{\"role\":\"user\",\"content\":\"Hi\"}]";
    static const char *const SHORT = "{\"token_limit\":3}";
    uzu_string text = {NULL, 0};
    uzu_string error;
    uzu_handle made = 0;
    int32_t result = UZU_OK;
    switch (drawn(state) % 14) {
        case 0: result = uzu_engine_create("{\"offline\":true}", -1, &made, &error); break;
        case 1: result = uzu_queue_create(&made, &error); break;
        case 2: result = uzu_engine_instance(any(state), model, -1, NULL, 0, &made, &error); break;
        case 3: result = uzu_instance_chat(any(state), &made, &error); break;
        case 4: result = uzu_session_reply(any(state), TALK, -1, SHORT, -1, &made, &error); break;
        case 5: result = uzu_engine_complete(any(state), model, -1, "One", -1, SHORT, -1, &made, &error); break;
        case 6: result = uzu_session_fork(any(state), &made, &error); break;
        case 7: result = uzu_queue_add(any(state), any(state), &error); break;
        case 8: result = uzu_queue_next(any(state), 1, &text, &error); break;
        case 9: result = uzu_stream_next(any(state), 1, &text, &error); break;
        case 10: result = uzu_stream_cancel(any(state), &error); break;
        case 11: result = uzu_session_messages(any(state), &text, &error); break;
        case 12: result = uzu_engine_events(any(state), &made, &error); break;
        case 13: result = uzu_handle_close(any(state), &error); break;
    }
    if (result != UZU_INVALID_ARGUMENT) {
        expect_fair(result, &error, "a call in the storm");
    }
    uzu_string_free(&text);
    uzu_string_free(&error);
    keep(state, made);
}

static void *storm(void *seed) {
    uint32_t state = (uint32_t)(uintptr_t)seed;
    for (int i = 0; i < ROUNDS; i++) {
        storm_once(&state);
    }
    return NULL;
}

static void handles_are_used_while_others_close_them(void) {
    pthread_t threads[THREADS];
    unsigned seed = (unsigned)time(NULL);
    char said[32];
    snprintf(said, sizeof said, "seed %u", seed);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, storm, (void *)(uintptr_t)(seed + (unsigned)i));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < PLACES; i++) {
        uzu_handle left = atomic_exchange(&places[i], 0);
        check(uzu_handle_close(left, NULL) == UZU_OK, said, NULL);
    }
}

const test_case races_tests[] = {
    TEST(many_threads_close_the_same_handle),
    TEST(readers_of_one_stream_share_its_chunks),
    TEST(an_engine_is_closed_while_it_loads),
    TEST(a_stream_in_a_queue_is_closed),
    TEST(handles_are_used_while_others_close_them),
    {NULL, NULL},
};
