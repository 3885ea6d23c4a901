/*
 * The functions of uzu.h over a host made of stand-ins, called from many threads at once, for a thread sanitizer: what is
 * tried is the C between a caller and its host. Prints "N passed, N failed" and exits 1 when any failed.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define THREADS 8
#define ROUNDS 2000

static atomic_int starts;
static atomic_int passed;
static atomic_int failed;

static void check(int holds, const char *what) {
    atomic_fetch_add(holds ? &passed : &failed, 1);
    if (!holds) {
        printf("FAILED %s\n", what);
    }
}

/* ---- the host: it refuses to start once, then answers */

int32_t uzu_host_start(uzu_string *error) {
    usleep(1000);
    if (atomic_fetch_add(&starts, 1) == 0) {
        return uzu_fail(error, UZU_INVALID_STATE, "path", "a \"quoted\" path", "Not the first time.");
    }
    return UZU_OK;
}

static int32_t give(uzu_string *out, const char *data, int64_t length) {
    out->data = uzu_allocate(length + 1);
    memcpy(out->data, data, (size_t)length);
    out->data[length] = 0;
    out->length = length;
    return UZU_OK;
}

#define ENTRY(name) ((int32_t)(offsetof(uzu_table, name) / sizeof(uzu_entry)))

int32_t uzu_host_call(int32_t entry, uint64_t handle, const uzu_text *texts, int64_t number, void *out,
                      uzu_string *error) {
    if (entry == ENTRY(engine_model) || entry == ENTRY(json_complete)) {
        return give(out, texts[0].data, texts[0].length);
    }
    if (entry == ENTRY(engine_create)) {
        *(uint64_t *)out = 7;
        return UZU_OK;
    }
    if (entry == ENTRY(engine_complete)) {
        *(uint64_t *)out = (uint64_t)(texts[0].length + 10 * texts[1].length + 100 * texts[2].length);
        return UZU_OK;
    }
    if (entry == ENTRY(stream_next)) {
        return number == 0 ? UZU_TIMEOUT : UZU_END;
    }
    if (entry == ENTRY(queue_add)) {
        return (uint64_t)number == handle ? UZU_OK
                                          : uzu_fail(error, UZU_CLOSED, "handle", "1", "Another: %d", (int)number);
    }
    return uzu_fail(error, UZU_INTERNAL, NULL, NULL, "not expected: %d", entry);
}

/* ---- the callers */

static void *call_all(void *unused) {
    uzu_handle engine = 0;
    uzu_handle stream = 1;
    uzu_string text;
    uzu_string error;
    while (uzu_engine_create("{}", -1, &engine, &error) == UZU_INVALID_STATE) {
        check(strstr(error.data, "a \\\"quoted\\\" path") != NULL, "the path of an error");
        uzu_string_free(&error);
    }
    check(engine == 7 && error.data == NULL, "an engine");
    for (int i = 0; i < ROUNDS; i++) {
        check(uzu_engine_model(engine, "model", 3, &text, &error) == UZU_OK && strcmp(text.data, "mod") == 0, "a text");
        uzu_string_free(&text);
        check(uzu_json_complete("[1]", -1, &text, NULL) == UZU_OK && text.length == 3, "a text up to its NUL");
        uzu_string_free(&text);
        check(uzu_engine_complete(engine, "a", -1, "bb", -1, NULL, -1, &stream, &error) == UZU_OK && stream == 21,
              "three texts, one of them NULL");
        check(uzu_stream_next(stream, 0, &text, &error) == UZU_TIMEOUT && text.data == NULL, "a timeout");
        check(uzu_stream_next(stream, -1, &text, &error) == UZU_END && text.data == NULL, "an end");
        check(uzu_queue_add(3, 3, &error) == UZU_OK && error.data == NULL, "two handles");
        check(uzu_queue_add(3, 4, &error) == UZU_CLOSED && strstr(error.data, "\"closed\"") != NULL, "an error");
        uzu_string_free(&error);
        check(uzu_handle_close(0, &error) == UZU_OK, "nothing to close");
    }
    return unused;
}

/* What an error quotes may be long, and anything. */
static void errors_are_json_whatever_they_quote(void) {
    static const char *const ODD[][2] = {
        {"a\"b\\c\n", "a\\\"b\\\\c\\u000a"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\xff|\xc3", "\\ufffd|\\ufffd"},
        {"\xc0\x80|\xed\xa0\x80", "\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd"},
        {"\xf0\x80\x80\x80|\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\\ufffd"},
    };
    char expected[256];
    char path[8000];
    uzu_string error;
    for (size_t i = 0; i < sizeof ODD / sizeof ODD[0]; i++) {
        uzu_fail(&error, UZU_CLOSED, "path", ODD[i][0], "It is %s", ODD[i][0]);
        snprintf(expected, sizeof expected, "{\"code\":\"closed\",\"message\":\"It is %s\",\"details\":{\"path\":\"%s\"}}",
                 ODD[i][1], ODD[i][1]);
        check(strcmp(error.data, expected) == 0 && error.length == (int64_t)strlen(expected), ODD[i][1]);
        uzu_string_free(&error);
    }
    memset(path, 1, sizeof path);
    path[sizeof path - 1] = 0;
    uzu_fail(&error, UZU_CLOSED, "path", path, "It is %s", path);
    check(error.length == (int64_t)strlen(error.data) && strcmp(error.data + error.length - 9, "\\u0001\"}}") == 0,
          "the end of a long one");
    uzu_string_free(&error);
    check(uzu_fail(NULL, UZU_CLOSED, "path", path, "%s", path) == UZU_CLOSED, "nobody wants it");
}

int main(void) {
    pthread_t threads[THREADS];
    uzu_string error;
    errors_are_json_whatever_they_quote();
    check(uzu_session_reset(1, &error) == UZU_INVALID_ARGUMENT, "no handles before the start");
    uzu_string_free(&error);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, call_all, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    check(atomic_load(&starts) == 2, "one start after the one that was refused");
    printf("%d passed, %d failed\n", atomic_load(&passed), atomic_load(&failed));
    return atomic_load(&failed) == 0 ? 0 : 1;
}
