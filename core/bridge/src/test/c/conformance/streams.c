/* Streams: read to the end, cancelled, closed while somebody reads. */
#define _GNU_SOURCE
#include "conformance.h"

#include <pthread.h>
#include <unistd.h>

static void a_stream_runs_to_its_end(void) {
    int chunks;
    char finish[32];
    int64_t count = 0;
    uzu_string error;
    uzu_string chunk;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_count_tokens(engine, model, -1, "One, two", -1, &count, &error), UZU_OK, &error, "");
    check(count > 0, "tokens", NULL);
    uzu_handle session = open_session(engine);
    uzu_handle stream = open_stream(engine, session, 6);
    check_result(drain(stream, &chunks, finish, sizeof finish), UZU_END, &(uzu_string){0}, "");
    check(chunks >= 1 && chunks <= 7, "some chunks", NULL);
    check(strcmp(finish, "length") == 0, "the token limit ends it", finish);
    check_result(uzu_stream_next(stream, -1, &chunk, &error), UZU_END, &error, "");
    check_result(uzu_stream_cancel(stream, &error), UZU_OK, &error, "");
    if (chat) {
        check_result(uzu_session_messages(session, &chunk, &error), UZU_OK, &error, "");
        check(strstr(chunk.data, "\"role\":\"assistant\"") != NULL, "the reply is in the history", chunk.data);
        uzu_string_free(&chunk);
        check_result(uzu_session_reset(session, &error), UZU_OK, &error, "");
    }
    uzu_handle_close(engine, NULL);
    check_result(uzu_stream_next(stream, 0, &chunk, &error), UZU_CLOSED, &error, "closed");
}

static void a_cancelled_stream_ends_with_its_reason(void) {
    int chunks;
    char finish[32];
    uzu_string error;
    uzu_string chunk;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    uzu_handle stream = open_stream(engine, session, 4000);
    check_result(uzu_stream_next(stream, -1, &chunk, &error), UZU_OK, &error, "");
    uzu_string_free(&chunk);
    check_result(uzu_stream_cancel(stream, &error), UZU_OK, &error, "");
    check_result(drain(stream, &chunks, finish, sizeof finish), UZU_END, &(uzu_string){0}, "");
    check(strcmp(finish, "cancelled") == 0, "finish reason", finish);
    uzu_handle_close(engine, NULL);
}

static void *read_to_end(void *stream) {
    int chunks;
    char finish[32];
    return (void *)(intptr_t)drain(*(uzu_handle *)stream, &chunks, finish, sizeof finish);
}

static void closing_wakes_those_who_wait(void) {
    pthread_t reader;
    void *result;
    uzu_string error;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    uzu_handle stream = open_stream(engine, session, 4000);
    pthread_create(&reader, NULL, read_to_end, &stream);
    usleep(100000);
    check_result(uzu_handle_close(engine, &error), UZU_OK, &error, "");
    pthread_join(reader, &result);
    int32_t ended = (int32_t)(intptr_t)result;
    check(ended == UZU_END || ended == UZU_CLOSED, "the reader came back", NULL);
}

const test_case streams_tests[] = {
    TEST(a_stream_runs_to_its_end),
    TEST(a_cancelled_stream_ends_with_its_reason),
    TEST(closing_wakes_those_who_wait),
    {NULL, NULL},
};
