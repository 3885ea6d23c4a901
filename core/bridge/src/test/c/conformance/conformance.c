/*
 * What uzu.h promises, tried from plain C:  conformance [MODEL [TOPIC]]
 * MODEL is the path or identifier of a model on this machine; without it, UZU_TEST_MODEL is. TOPIC is the name of one
 * of the files. Prints "N passed, N failed" and exits 1 when any failed. Every host of the header has to pass.
 */
#define _GNU_SOURCE
#include "conformance.h"

#include <pthread.h>
#include <time.h>

const char *program;
const char *model;
int chat;

static const char *test = "setup";
static int passed;
static int failed;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

void check(int holds, const char *what, const char *seen) {
    pthread_mutex_lock(&counting);
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s: %s (%s)\n", test, what, seen == NULL ? "" : seen);
    }
    pthread_mutex_unlock(&counting);
}

void check_result(int32_t result, int32_t expected, uzu_string *error, const char *code) {
    char what[96];
    snprintf(what, sizeof what, "result is %d, expected %d", result, expected);
    check(result == expected, what, error->data);
    if (expected < 0) {
        char field[64];
        snprintf(field, sizeof field, "\"code\":\"%s\"", code);
        check(error->data != NULL && strstr(error->data, field) != NULL, field, error->data);
        check(error->data != NULL && error->length == (int64_t)strlen(error->data), "the error's length", error->data);
    } else {
        check(error->data == NULL, "no error beside success", error->data);
    }
    uzu_string_free(error);
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

uzu_handle open_engine(void) {
    uzu_handle engine = 0;
    uzu_string error;
    int32_t result = uzu_engine_create("{\"offline\":true}", -1, &engine, &error);
    check_result(result, UZU_OK, &error, "");
    check(engine != 0, "an engine's handle", NULL);
    return engine;
}

uzu_handle open_session(uzu_handle engine) {
    uzu_handle session = 0;
    uzu_string error;
    if (chat) {
        int32_t result = uzu_engine_chat(engine, model, -1, NULL, 0, &session, &error);
        check_result(result, UZU_OK, &error, "");
    }
    return session;
}

uzu_handle open_stream(uzu_handle engine, uzu_handle session, int tokens) {
    char config[96];
    uzu_handle stream = 0;
    uzu_string error;
    snprintf(config, sizeof config, "{\"token_limit\":%d,\"sampling\":{\"method\":\"greedy\"}}", tokens);
    int32_t result =
        chat ? uzu_session_reply(session,
                                 "[{\"role\":\"user\",\"content\":\"Tell me a short story about a tiny robot\"}]", -1,
                                 config, -1, &stream, &error)
             : uzu_engine_complete(engine, model, -1, "One, two, three,", -1, config, -1, &stream, &error);
    check_result(result, UZU_OK, &error, "");
    return stream;
}

int32_t drain(uzu_handle stream, int *chunks, char *finish, size_t capacity) {
    int32_t result;
    uzu_string chunk;
    uzu_string error;
    *chunks = 0;
    *finish = 0;
    while ((result = uzu_stream_next(stream, -1, &chunk, &error)) == UZU_OK) {
        ++*chunks;
        const char *reason = strstr(chunk.data, "\"finish_reason\":\"");
        if (reason != NULL) {
            reason += strlen("\"finish_reason\":\"");
            snprintf(finish, capacity, "%.*s", (int)strcspn(reason, "\""), reason);
        }
        uzu_string_free(&chunk);
    }
    uzu_string_free(&error);
    return result;
}

int32_t reply(uzu_handle session, const char *messages, const char *config, uzu_string *last) {
    uzu_handle stream = 0;
    uzu_string chunk;
    uzu_string error;
    int32_t result = uzu_session_reply(session, messages, -1, config, -1, &stream, &error);
    uzu_string_free(&error);
    *last = (uzu_string){NULL, 0};
    if (result != UZU_OK) {
        return result;
    }
    while ((result = uzu_stream_next(stream, -1, &chunk, &error)) == UZU_OK) {
        uzu_string_free(last);
        *last = chunk;
    }
    uzu_string_free(&error);
    uzu_handle_close(stream, NULL);
    return result;
}

static void learn_about_the_model(void) {
    uzu_string text;
    uzu_string error;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_capabilities(engine, model, -1, &text, &error), UZU_OK, &error, "");
    chat = text.data != NULL && strstr(text.data, "\"chat\":true") != NULL;
    uzu_string_free(&text);
    uzu_handle_close(engine, NULL);
}

static int exit_with_live_stream(void) {
    uzu_string chunk;
    uzu_handle engine = open_engine();
    uzu_handle stream = open_stream(engine, open_session(engine), 4000);
    return failed == 0 && uzu_stream_next(stream, -1, &chunk, NULL) == UZU_OK ? 0 : 1;
}

static void no_runtime_is_started_for_a_handle_from_nowhere(void) {
    uzu_string error;
    check_result(uzu_session_reset(12345, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_handle_close(0, &error), UZU_OK, &error, "");
    check(strlen(uzu_version()) >= 5, "a version", uzu_version());
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        const test_case *tests;
    } TOPICS[] = {
#define TOPIC(name) {#name, name##_tests}
        TOPIC(arguments), TOPIC(functions), TOPIC(hostile), TOPIC(engine), TOPIC(chat),    TOPIC(grammar),
        TOPIC(tools),     TOPIC(streams),   TOPIC(queues),  TOPIC(races),  TOPIC(cycles), TOPIC(process),
    };
    program = arguments[0];
    model = count > 1 ? arguments[1] : getenv("UZU_TEST_MODEL");
    if (model == NULL) {
        fprintf(stderr, "usage: %s MODEL [TOPIC] (or UZU_TEST_MODEL)\n", program);
        return 2;
    }
    no_runtime_is_started_for_a_handle_from_nowhere();
    learn_about_the_model();
    if (count > 2 && strcmp(arguments[2], EXIT_WITH_LIVE_STREAM) == 0) {
        return exit_with_live_stream();
    }
    /* Without an engine nothing else says anything. */
    for (size_t i = 0; failed == 0 && i < sizeof TOPICS / sizeof TOPICS[0]; i++) {
        for (const test_case *each = TOPICS[i].tests; each->name != NULL; each++) {
            if (count < 3 || strcmp(arguments[2], TOPICS[i].name) == 0) {
                test = each->name;
                each->run();
            }
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
