/* Queues: one thread waits for many streams. */
#define _GNU_SOURCE
#include "conformance.h"

#include <pthread.h>
#include <unistd.h>

static void waiting_ends_in_time(void) {
    uzu_string error;
    uzu_string ready;
    uzu_handle queue = 0;
    uzu_queue_create(&queue, NULL);
    double before = now();
    check_result(uzu_queue_next(queue, 0, &ready, &error), UZU_TIMEOUT, &error, "");
    check_result(uzu_queue_next(queue, 100, &ready, &error), UZU_TIMEOUT, &error, "");
    check(now() - before >= 0.09 && now() - before < 5, "about 100 ms", NULL);
    uzu_handle_close(queue, NULL);
}

static void *wait_in_queue(void *queue) {
    uzu_string ready;
    return (void *)(intptr_t)uzu_queue_next(*(uzu_handle *)queue, -1, &ready, NULL);
}

static void one_queue_reads_many_streams(void) {
    enum { STREAMS = 3 };
    uzu_string error;
    uzu_string ready;
    uzu_handle queue = 0;
    uzu_handle streams[STREAMS];
    int ends = 0;
    uzu_handle engine = open_engine();
    uzu_queue_create(&queue, NULL);
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = open_stream(engine, open_session(engine), 5);
        check_result(uzu_queue_add(queue, streams[i], &error), UZU_OK, &error, "");
    }
    check_result(uzu_queue_add(queue, streams[0], &error), UZU_INVALID_STATE, &error, "invalid_state");
    check_result(uzu_stream_next(streams[0], 0, &ready, &error), UZU_INVALID_STATE, &error, "invalid_state");
    while (ends < STREAMS && uzu_queue_next(queue, 60000, &ready, &error) == UZU_OK) {
        for (const char *at = ready.data; (at = strstr(at, "\"end\":true")) != NULL; at++) {
            ends++;
        }
        check(strstr(ready.data, "\"error\"") == NULL, "no errors", ready.data);
        uzu_string_free(&ready);
    }
    check(ends == STREAMS, "every stream ended", error.data);
    pthread_t waiting;
    void *result;
    pthread_create(&waiting, NULL, wait_in_queue, &queue);
    usleep(50000);
    uzu_handle_close(queue, NULL);
    pthread_join(waiting, &result);
    int32_t woken = (int32_t)(intptr_t)result;
    /* On a busy machine it may come to wait after the queue is closed. */
    check(woken == UZU_END || woken == UZU_CLOSED, "closing the queue wakes its reader", NULL);
    uzu_handle_close(engine, NULL);
}

const test_case queues_tests[] = {
    TEST(waiting_ends_in_time),
    TEST(one_queue_reads_many_streams),
    {NULL, NULL},
};
