/*
 * What uzu.h promises, tried from plain C:  conformance [MODEL]
 * MODEL is the path or identifier of a model on this machine; without it, UZU_TEST_MODEL is. Prints "N passed, N
 * failed" and exits 1 when any failed. Every host of the header has to pass.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "uzu.h"

static const char *program;
static const char *model;
static const char *test;
static int chat; /* whether the model has a chat template; without one, texts are continued */
static int passed;
static int failed;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void check(int holds, const char *what, const char *seen) {
    pthread_mutex_lock(&counting);
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s: %s (%s)\n", test, what, seen == NULL ? "" : seen);
    }
    pthread_mutex_unlock(&counting);
}

/* The result, and that an error comes with a JSON of that code and success with none. */
static void check_result(int32_t result, int32_t expected, uzu_string *error, const char *code) {
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

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uzu_handle open_engine(void) {
    uzu_handle engine = 0;
    uzu_string error;
    int32_t result = uzu_engine_create("{\"offline\":true}", -1, &engine, &error);
    check_result(result, UZU_OK, &error, "");
    check(engine != 0, "an engine's handle", NULL);
    return engine;
}

static uzu_handle open_session(uzu_handle engine) {
    uzu_handle session = 0;
    uzu_string error;
    if (chat) {
        int32_t result = uzu_engine_chat(engine, model, -1, NULL, 0, &session, &error);
        check_result(result, UZU_OK, &error, "");
    }
    return session;
}

/* A stream of at most `tokens` tokens. */
static uzu_handle open_stream(uzu_handle engine, uzu_handle session, int tokens) {
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

/* Reads to the end. Returns the result that ended it; the last chunk's finish reason goes to finish. */
static int32_t drain(uzu_handle stream, int *chunks, char *finish, size_t capacity) {
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

static void no_runtime_is_started_for_a_handle_from_nowhere(void) {
    uzu_string error;
    check_result(uzu_session_reset(12345, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_handle_close(0, &error), UZU_OK, &error, "");
    check(strlen(uzu_version()) >= 5, "a version", uzu_version());
}

static void null_pointers_are_errors(void) {
    uzu_string error;
    uzu_string text;
    uzu_handle handle = 0;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_create(NULL, 0, NULL, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_model(engine, NULL, 5, &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_model(engine, "x", -1, NULL, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_chat(engine, NULL, -1, NULL, -1, &handle, &error), UZU_INVALID_ARGUMENT, &error,
                 "invalid_argument");
    check(uzu_engine_create("{", -1, &handle, NULL) == UZU_INVALID_ARGUMENT, "an error that nobody wants", NULL);
    uzu_string_free(NULL);
    uzu_handle_close(engine, NULL);
}

static void malformed_input_is_an_error(void) {
    static const char *const CONFIGS[] = {
        "",
        "{",
        "[]",
        "{\"threads\":\"two\"}",
        "{\"threads\":-1}",
        "{\"thread\":1}",
        "{\"precision\":\"best\"}",
        "{} x",
        "\xff\xfe",
        "{\"a\":",
        "{\"threads\":1e99}",
        "nul",
    };
    uzu_string error;
    uzu_handle engine = 0;
    for (size_t i = 0; i < sizeof CONFIGS / sizeof CONFIGS[0]; i++) {
        int32_t result = uzu_engine_create(CONFIGS[i], -1, &engine, &error);
        check_result(result, UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    }
    check_result(uzu_engine_create("{}", -2, &engine, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_create("{}", INT64_MAX, &engine, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    char *deep = malloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = 0;
    check_result(uzu_engine_create(deep, -1, &engine, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    free(deep);
    check(engine == 0, "no handle beside an error", NULL);
}

static void handles_are_checked(void) {
    uzu_string error;
    uzu_string text;
    uzu_handle queue = 0;
    uzu_handle engine = open_engine();
    uzu_queue_create(&queue, NULL);
    check_result(uzu_session_reset(engine, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_vendors(queue, &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_vendors(0, &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_vendors(~0ULL, &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_queue_add(queue, engine, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_handle_close(engine, &error), UZU_OK, &error, "");
    check_result(uzu_handle_close(engine, &error), UZU_OK, &error, "");
    check_result(uzu_engine_vendors(engine, &text, &error), UZU_CLOSED, &error, "closed");
    uzu_handle second = open_engine();
    check(second != engine, "a freed handle isn't given again", NULL);
    check_result(uzu_engine_vendors(engine, &text, &error), UZU_CLOSED, &error, "closed");
    check_result(uzu_handle_close(second, &error), UZU_OK, &error, "");
    check_result(uzu_handle_close(queue, &error), UZU_OK, &error, "");
    check_result(uzu_queue_next(queue, 0, &text, &error), UZU_CLOSED, &error, "closed");
}

/* ---- every function, by its shape: handle, texts, result */

enum kind { ENGINE, INSTANCE, SESSION, STREAM, QUEUE, KINDS };

enum shape { NOTHING, STRING, BITS, TEXT_NOTHING, TEXT_STRING, TEXT_BITS, TEXTS2_BITS, TEXTS3_BITS, NEXT, ADD };

typedef struct function {
    const char *name;
    enum kind kind;
    enum shape shape;
    int needed; /* texts that can't be NULL */
    void (*address)(void);
} function;

#define F(name, kind, shape, needed) {#name, kind, shape, needed, (void (*)(void))name}

static const function FUNCTIONS[] = {
    F(uzu_engine_info, ENGINE, STRING, 0),
    F(uzu_engine_events, ENGINE, BITS, 0),
    F(uzu_engine_models, ENGINE, TEXT_STRING, 0),
    F(uzu_engine_vendors, ENGINE, STRING, 0),
    F(uzu_engine_families, ENGINE, STRING, 0),
    F(uzu_engine_registries, ENGINE, STRING, 0),
    F(uzu_engine_model, ENGINE, TEXT_STRING, 1),
    F(uzu_engine_model_path, ENGINE, TEXT_STRING, 1),
    F(uzu_engine_capabilities, ENGINE, TEXT_STRING, 1),
    F(uzu_engine_count_tokens, ENGINE, TEXTS2_BITS, 2),
    F(uzu_engine_chat, ENGINE, TEXTS2_BITS, 1),
    F(uzu_engine_instance, ENGINE, TEXTS2_BITS, 1),
    F(uzu_engine_complete, ENGINE, TEXTS3_BITS, 2),
    F(uzu_download_start, ENGINE, TEXT_BITS, 1),
    F(uzu_download_watch, ENGINE, TEXT_BITS, 1),
    F(uzu_download_state, ENGINE, TEXT_STRING, 1),
    F(uzu_download_states, ENGINE, STRING, 0),
    F(uzu_download_resume, ENGINE, TEXT_NOTHING, 1),
    F(uzu_download_pause, ENGINE, TEXT_NOTHING, 1),
    F(uzu_download_delete, ENGINE, TEXT_NOTHING, 1),
    F(uzu_instance_memory_used, INSTANCE, BITS, 0),
    F(uzu_instance_chat, INSTANCE, BITS, 0),
    F(uzu_session_reply, SESSION, TEXTS2_BITS, 1),
    F(uzu_session_messages, SESSION, STRING, 0),
    F(uzu_session_state, SESSION, STRING, 0),
    F(uzu_session_context_length, SESSION, BITS, 0),
    F(uzu_session_reset, SESSION, NOTHING, 0),
    F(uzu_session_set_messages, SESSION, TEXT_NOTHING, 1),
    F(uzu_session_supports_tool_calls, SESSION, BITS, 0),
    F(uzu_session_add_tool, SESSION, TEXT_NOTHING, 1),
    F(uzu_session_fork, SESSION, BITS, 0),
    F(uzu_session_save, SESSION, TEXT_NOTHING, 1),
    F(uzu_session_restore, SESSION, TEXT_NOTHING, 1),
    F(uzu_stream_next, STREAM, NEXT, 0),
    F(uzu_stream_cancel, STREAM, NOTHING, 0),
    F(uzu_stream_tool_results, STREAM, TEXT_NOTHING, 1),
    F(uzu_queue_add, QUEUE, ADD, 0),
    F(uzu_queue_next, QUEUE, NEXT, 0),
};

#define FUNCTION_COUNT (sizeof FUNCTIONS / sizeof FUNCTIONS[0])

typedef struct result {
    uzu_string string;
    uint64_t bits;
} result;

static int has_result(const function *f) {
    return f->shape != NOTHING && f->shape != TEXT_NOTHING && f->shape != ADD;
}

static int texts(const function *f) {
    static const int COUNTS[] = {0, 0, 0, 1, 1, 1, 2, 3, 0, 0};
    return COUNTS[f->shape];
}

/* out: NULL for a caller who gives no place. */
static int32_t call(const function *f, uzu_handle handle, const char *const *text, result *out, uzu_string *error) {
    uzu_string *string = out == NULL ? NULL : &out->string;
    uint64_t *bits = out == NULL ? NULL : &out->bits;
#define AS(...) ((int32_t(*)(uzu_handle, __VA_ARGS__, uzu_string *))f->address)
#define TEXT const char *, int64_t
    switch (f->shape) {
        case NOTHING: return ((int32_t(*)(uzu_handle, uzu_string *))f->address)(handle, error);
        case STRING: return AS(uzu_string *)(handle, string, error);
        case BITS: return AS(uint64_t *)(handle, bits, error);
        case TEXT_NOTHING: return AS(TEXT)(handle, text[0], -1, error);
        case TEXT_STRING: return AS(TEXT, uzu_string *)(handle, text[0], -1, string, error);
        case TEXT_BITS: return AS(TEXT, uint64_t *)(handle, text[0], -1, bits, error);
        case TEXTS2_BITS: return AS(TEXT, TEXT, uint64_t *)(handle, text[0], -1, text[1], -1, bits, error);
        case TEXTS3_BITS:
            return AS(TEXT, TEXT, TEXT, uint64_t *)(handle, text[0], -1, text[1], -1, text[2], -1, bits, error);
        case NEXT: return AS(int64_t, uzu_string *)(handle, 0, string, error);
        case ADD: return AS(uzu_handle)(handle, handle, error);
    }
    return UZU_OK;
#undef AS
#undef TEXT
}

/* Refused, as a call with these arguments has to be, with nothing made and an error that has a JSON. */
static void refused(const function *f, uzu_handle handle, const char *const *text, int with_place, int32_t expected,
                    const char *why) {
    result out = {{(char *)"x", 1}, 1};
    uzu_string error;
    char what[128];
    int32_t seen = call(f, handle, text, with_place ? &out : NULL, &error);
    snprintf(what, sizeof what, "%s with %s: %d", f->name, why, seen);
    check(seen == expected, what, error.data);
    check(error.data != NULL && strstr(error.data, uzu_result_name(expected)) != NULL, what, error.data);
    if (has_result(f) && with_place) {
        check(out.string.data == NULL || out.bits == 0, "the results are emptied", f->name);
    }
    uzu_string_free(&error);
    check(call(f, handle, text, with_place ? &out : NULL, NULL) == expected, "the same without a place for the error",
          f->name);
}

static void every_function_refuses_what_it_cannot_use(void) {
    static const char *const PLAIN[] = {"{}", "{}", "{}"};
    static const char *const NONE[] = {NULL, NULL, NULL};
    static const uzu_handle NOWHERE[] = {0, ~0ULL, 1, 12345, 1ULL << 52};
    uzu_handle live[KINDS] = {0};
    uzu_string error;
    live[ENGINE] = open_engine();
    uzu_queue_create(&live[QUEUE], NULL);
    if (chat) {
        check_result(uzu_engine_instance(live[ENGINE], model, -1, NULL, 0, &live[INSTANCE], &error), UZU_OK, &error,
                     "");
        check_result(uzu_instance_chat(live[INSTANCE], &live[SESSION], &error), UZU_OK, &error, "");
    }
    live[STREAM] = open_stream(live[ENGINE], live[SESSION], 1);
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const function *f = &FUNCTIONS[i];
        for (size_t j = 0; j < sizeof NOWHERE / sizeof NOWHERE[0]; j++) {
            refused(f, NOWHERE[j], PLAIN, 1, UZU_INVALID_ARGUMENT, "a handle from nowhere");
        }
        for (int kind = 0; kind < KINDS; kind++) {
            if ((enum kind)kind != f->kind && live[kind] != 0) {
                refused(f, live[kind], PLAIN, 1, UZU_INVALID_ARGUMENT, "a handle of another kind");
            }
        }
        if (live[f->kind] == 0) {
            continue;
        }
        for (int missing = 0; missing < f->needed; missing++) {
            const char *some[] = {"{}", "{}", "{}"};
            some[missing] = NULL;
            refused(f, live[f->kind], some, 1, UZU_INVALID_ARGUMENT, "a NULL text");
        }
        if (texts(f) > 0) {
            const char *broken[] = {"\xc3\x28", "\xc3\x28", "\xc3\x28"};
            refused(f, live[f->kind], broken, 1, UZU_INVALID_ARGUMENT, "bytes that are no UTF-8");
        }
        if (has_result(f)) {
            refused(f, live[f->kind], f->needed > 0 ? PLAIN : NONE, 0, UZU_INVALID_ARGUMENT, "no place for the result");
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        check_result(uzu_handle_close(live[kind], &error), UZU_OK, &error, "");
    }
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (live[FUNCTIONS[i].kind] != 0) {
            refused(&FUNCTIONS[i], live[FUNCTIONS[i].kind], PLAIN, 1, UZU_CLOSED, "a closed handle");
        }
    }
}

static void results_have_names(void) {
    check(strcmp(uzu_result_name(UZU_OK), "ok") == 0, "ok", uzu_result_name(UZU_OK));
    check(strcmp(uzu_result_name(UZU_END), "end") == 0, "end", uzu_result_name(UZU_END));
    check(strcmp(uzu_result_name(UZU_INTERNAL), "internal") == 0, "internal", uzu_result_name(UZU_INTERNAL));
    check(strcmp(uzu_result_name(-21), "unknown") == 0, "below the last", uzu_result_name(-21));
    check(strcmp(uzu_result_name(3), "unknown") == 0, "above the last", uzu_result_name(3));
    check(strcmp(uzu_result_name(INT32_MIN), "unknown") == 0, "far below", uzu_result_name(INT32_MIN));
}

static void unfinished_json_is_completed(void) {
    static const char *const TEXTS[][2] = {
        {"", "null"},
        {"{\"a\": [1, {\"b\": \"c", "{\"a\": [1, {\"b\": \"c\"}]}"},
        {"{\"a\": 1, \"b", "{\"a\": 1}"},
        {"[true, fal", "[true]"},
        {"\"\xc3\xa9\\u00", "\"\xc3\xa9\""},
    };
    uzu_string json;
    uzu_string error;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        check_result(uzu_json_complete(TEXTS[i][0], -1, &json, &error), UZU_OK, &error, "");
        check(json.data != NULL && strcmp(json.data, TEXTS[i][1]) == 0, TEXTS[i][1], json.data);
        uzu_string_free(&json);
    }
    check_result(uzu_json_complete("[1, 2]", 3, &json, &error), UZU_OK, &error, "");
    check(json.data != NULL && strcmp(json.data, "[1]") == 0, "as many bytes as were given", json.data);
    uzu_string_free(&json);
    check_result(uzu_json_complete(NULL, 0, &json, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_json_complete("1", -1, NULL, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
}

static void an_engine_tells_what_happens_in_it(void) {
    uzu_string info;
    uzu_string chunk;
    uzu_string error;
    uzu_handle events = 0;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_events(engine, &events, &error), UZU_OK, &error, "");
    check_result(uzu_stream_next(events, 0, &chunk, &error), UZU_TIMEOUT, &error, "");
    check_result(uzu_engine_info(engine, &info, &error), UZU_OK, &error, "");
    check(strstr(info.data, "\"weight_bytes\":0") != NULL, "no weights yet", info.data);
    uzu_string_free(&info);
    uzu_handle_close(open_stream(engine, open_session(engine), 1), NULL);
    check_result(uzu_stream_next(events, -1, &chunk, &error), UZU_OK, &error, "");
    check(strstr(chunk.data, "\"type\":\"model_loaded\"") != NULL, "a model was loaded", chunk.data);
    uzu_string_free(&chunk);
    check_result(uzu_engine_info(engine, &info, &error), UZU_OK, &error, "");
    check(strstr(info.data, "\"weight_bytes\":0") == NULL, "its weights", info.data);
    uzu_string_free(&info);
    check_result(uzu_stream_cancel(events, &error), UZU_OK, &error, "");
    check_result(uzu_stream_next(events, -1, &chunk, &error), UZU_END, &error, "");
    uzu_handle_close(engine, NULL);
}

static void what_is_listed_is_json(void) {
    uzu_string text;
    uzu_string error;
    int64_t number = 0;
    uzu_handle handle = 0;
    uzu_handle engine = open_engine();
    int32_t (*const lists[])(uzu_handle, uzu_string *, uzu_string *) = {uzu_engine_vendors, uzu_engine_families,
                                                                        uzu_engine_registries};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        check_result(lists[i](engine, &text, &error), UZU_OK, &error, "");
        check(text.data != NULL && strncmp(text.data, "[{\"identifier\":", 15) == 0, "a list", text.data);
        uzu_string_free(&text);
    }
    check_result(uzu_download_states(engine, &text, &error), UZU_OK, &error, "");
    check(strstr(text.data, "\"phase\":") != NULL, "phases", text.data);
    uzu_string_free(&text);
    check_result(uzu_download_state(engine, "smollm2", -1, &text, &error), UZU_OK, &error, "");
    check(strstr(text.data, "\"progress\":") != NULL, "a state", text.data);
    uzu_string_free(&text);
    check_result(uzu_download_watch(engine, "smollm2", -1, &handle, &error), UZU_OK, &error, "");
    check_result(uzu_stream_next(handle, -1, &text, &error), UZU_END, &error, "");
    check_result(uzu_download_pause(engine, "smollm2", -1, &error), UZU_INVALID_STATE, &error, "invalid_state");
    if (chat) {
        uzu_handle session = 0;
        check_result(uzu_engine_instance(engine, model, -1, NULL, 0, &handle, &error), UZU_OK, &error, "");
        check_result(uzu_instance_memory_used(handle, &number, &error), UZU_OK, &error, "");
        check(number > 1000000, "bytes of weights", NULL);
        check_result(uzu_instance_chat(handle, &session, &error), UZU_OK, &error, "");
        check_result(uzu_session_context_length(session, &number, &error), UZU_OK, &error, "");
        check(number > 0, "a context", NULL);
        check_result(uzu_session_state(session, &text, &error), UZU_OK, &error, "");
        check(text.data != NULL && strcmp(text.data, "\"idle\"") == 0, "idle", text.data);
        uzu_string_free(&text);
    }
    uzu_handle_close(engine, NULL);
}

static void models_that_are_not_there(void) {
    uzu_string error;
    uzu_string text;
    uzu_handle session = 0;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_model(engine, "nobody:nothing:1b", -1, &text, &error), UZU_OK, &error, "");
    check(text.data != NULL && strcmp(text.data, "null") == 0, "an unknown model is null", text.data);
    uzu_string_free(&text);
    int32_t result = uzu_engine_chat(engine, "nobody:nothing:1b", -1, NULL, 0, &session, &error);
    check_result(result, UZU_MODEL_NOT_FOUND, &error, "model_not_found");
    uzu_handle_close(engine, NULL);
}

static void a_truncated_model_file_is_corrupt(void) {
    char path[] = "/tmp/uzu-truncated-XXXXXX.gguf";
    char bytes[1024];
    uzu_string error;
    uzu_string quoted;
    uzu_handle session = 0;
    uzu_handle engine = open_engine();
    check_result(uzu_engine_model_path(engine, model, -1, &quoted, &error), UZU_OK, &error, "");
    check(quoted.length > 2 && quoted.data[0] == '"', "a path", quoted.data);
    quoted.data[quoted.length - 1] = 0;
    FILE *whole = fopen(quoted.data + 1, "rb");
    uzu_string_free(&quoted);
    if (whole == NULL) {
        uzu_handle_close(engine, NULL);
        return; /* the model is a folder */
    }
    size_t read = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    int file = mkstemps(path, 5);
    check(file >= 0 && write(file, bytes, read) == (ssize_t)read, "the file is written", path);
    close(file);
    int32_t result = uzu_engine_complete(engine, path, -1, "x", -1, NULL, 0, &session, &error);
    check_result(result, UZU_MODEL_CORRUPT, &error, "model_corrupt");
    uzu_handle_close(engine, NULL);
    unlink(path);
}

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

/* Replies with this config; the last chunk goes to last, which the caller frees. */
static int32_t reply(uzu_handle session, const char *messages, const char *config, uzu_string *last) {
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

static void a_reply_follows_its_grammar(void) {
    static const char *const CONFIGS[] = {
        "{\"token_limit\":20,\"grammar\":{\"type\":\"choice\",\"values\":[\"lemon\"]}}",
        "{\"token_limit\":20,\"grammar\":{\"type\":\"regex\",\"pattern\":\"lemon\"}}",
        "{\"token_limit\":20,\"grammar\":{\"type\":\"json_schema\",\"schema\":{\"const\":\"lemon\"}}}",
    };
    uzu_string last;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    for (size_t i = 0; chat && i < sizeof CONFIGS / sizeof CONFIGS[0]; i++) {
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Hi\"}]", CONFIGS[i], &last) == UZU_END, "a reply",
              last.data);
        check(last.data != NULL && strstr(last.data, "lemon") != NULL, "the only text allowed", last.data);
        check(last.data != NULL && strstr(last.data, "\"finish_reason\":\"stop\"") != NULL, "a whole one", last.data);
        uzu_string_free(&last);
    }
    if (chat) {
        const char *config = "{\"grammar\":{\"type\":\"regex\",\"pattern\":\"(a)\\\\1\"}}";
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Hi\"}]", config, &last) == UZU_GRAMMAR_UNSUPPORTED,
              "a back reference is no regular expression", last.data);
    }
    uzu_handle_close(engine, NULL);
}

/* The message's text as JSON writes it, at most as many bytes as there is room for. */
static void text_of(const char *reply, char *text, size_t capacity) {
    const char *field = reply == NULL ? NULL : strstr(reply, "\"message\":");
    snprintf(text, capacity, "%.*s", (int)(field == NULL ? 0 : strcspn(field, "}")), field == NULL ? "" : field);
}

static void a_speculation_preset_changes_no_text(void) {
    static const char *const PRESETS[] = {
        "{\"speculation_preset\":\"off\"}",
        "{\"speculation_preset\":\"auto\"}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[\"lookup\"],\"max_nodes\":8}}",
    };
    static const char *const REFUSED[] = {
        "{\"speculation_preset\":\"fast\"}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[]}}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[\"lookup\"],\"max_nodes\":1}}",
    };
    char plain[512] = "";
    char text[512];
    uzu_handle session = 0;
    uzu_string error;
    uzu_string last;
    uzu_handle engine = open_engine();
    for (size_t i = 0; chat && i < sizeof PRESETS / sizeof PRESETS[0]; i++) {
        check_result(uzu_engine_chat(engine, model, -1, PRESETS[i], -1, &session, &error), UZU_OK, &error, "");
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Count from 1 to 9, twice.\"}]",
                    "{\"token_limit\":24,\"seed\":1}", &last) == UZU_END,
              "a reply", last.data);
        text_of(last.data, i == 0 ? plain : text, sizeof text);
        check(*plain != 0 && (i == 0 || strcmp(plain, text) == 0), "the text of plain decoding", last.data);
        check(last.data != NULL && (strstr(last.data, "tokens_per_forward_pass") != NULL) == (i > 0),
              "statistics of drafts where there are drafters", last.data);
        uzu_string_free(&last);
        uzu_handle_close(session, NULL);
    }
    for (size_t i = 0; chat && i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        check_result(uzu_engine_chat(engine, model, -1, REFUSED[i], -1, &session, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

static void a_conversation_can_be_replaced(void) {
    uzu_string error;
    uzu_string messages;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    if (chat) {
        const char *talk = "[{\"role\":\"user\",\"content\":\"tulip\"}]";
        check_result(uzu_session_set_messages(session, talk, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(session, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "the new messages", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_set_messages(session, "{}", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

static void a_conversation_forks_and_is_saved(void) {
    char path[] = "/tmp/uzu-conversation-XXXXXX";
    uzu_string error;
    uzu_string messages;
    uzu_handle fork = 0;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    int file = mkstemp(path);
    close(file);
    if (chat) {
        const char *talk = "[{\"role\":\"user\",\"content\":\"tulip\"}]";
        check_result(uzu_session_set_messages(session, talk, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_fork(session, &fork, &error), UZU_OK, &error, "");
        check_result(uzu_session_save(session, path, -1, &error), UZU_OK, &error, "");
        check_result(uzu_handle_close(session, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(fork, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "a fork outlives the session", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_reset(fork, &error), UZU_OK, &error, "");
        check_result(uzu_session_restore(fork, path, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(fork, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "the conversation that was saved", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_restore(fork, "/nowhere/at all", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_session_save(fork, NULL, 0, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
    unlink(path);
}

static void tools_are_checked(void) {
    static const char *const TOOL =
        "{\"name\":\"look\",\"description\":\"Looks.\",\"parameters\":{\"type\":\"object\"}}";
    uzu_string error;
    int64_t supports = 0;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    if (chat) {
        check_result(uzu_session_supports_tool_calls(session, &supports, &error), UZU_OK, &error, "");
        check(supports == 1, "a chat model can be told of tools", NULL);
        check_result(uzu_session_add_tool(session, TOOL, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_add_tool(session, TOOL, -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_session_add_tool(session, "{\"name\":\"x\"}", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        uzu_handle stream = open_stream(engine, session, 4);
        check_result(uzu_stream_tool_results(stream, "[{\"identifier\":\"1\",\"value\":1}]", -1, &error),
                     UZU_INVALID_ARGUMENT, &error, "invalid_argument");
        check_result(uzu_stream_tool_results(stream, "[", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_stream_tool_results(session, "[]", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

/* Reads to the end; seen: whether text was in a chunk. Calls of tools get the answer; without one, all is cancelled. */
static int32_t drain_with_tools(uzu_handle stream, const char *answer, const char *text, int *seen) {
    uzu_string chunk;
    uzu_string error;
    int32_t result;
    while ((result = uzu_stream_next(stream, -1, &chunk, &error)) == UZU_OK) {
        *seen |= strstr(chunk.data, text) != NULL;
        const char *call = strstr(chunk.data, "{\"call_tools\":[{\"identifier\":\"");
        if (call != NULL && answer == NULL) {
            check_result(uzu_stream_cancel(stream, &error), UZU_OK, &error, "");
        } else if (call != NULL) {
            char results[256];
            call += strlen("{\"call_tools\":[{\"identifier\":\"");
            snprintf(results, sizeof results, "[{\"identifier\":\"%.*s\",%s}]", (int)strcspn(call, "\""), call, answer);
            check_result(uzu_stream_tool_results(stream, results, -1, &error), UZU_OK, &error, "");
            check_result(uzu_stream_tool_results(stream, results, -1, &error), UZU_OK, &error, "");
        }
        uzu_string_free(&chunk);
    }
    uzu_string_free(&error);
    return result;
}

static void a_tool_is_called_and_answered(void) {
    static const char *const ANSWERS[] = {"\"value\":{\"celsius\":25}", "\"error\":\"celsius unknown\"", NULL};
    uzu_string error;
    uzu_handle engine = open_engine();
    for (size_t i = 0; chat && i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        int seen = 0;
        uzu_handle stream = 0;
        uzu_handle session = open_session(engine);
        const char *tool = "{\"name\":\"get_temperature\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}";
        const char *ask = "[{\"role\":\"user\",\"content\":\"What temperature is it?\"}]";
        const char *config = "{\"token_limit\":200,\"tool_choice\":\"required\",\"parallel_tool_calls\":false}";
        check_result(uzu_session_add_tool(session, tool, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_reply(session, ask, -1, config, -1, &stream, &error), UZU_OK, &error, "");
        const char *text = ANSWERS[i] == NULL ? "\"finish_reason\":\"" : "celsius";
        check_result(drain_with_tools(stream, ANSWERS[i], text, &seen), UZU_END, &(uzu_string){0}, "");
        check(seen, "the tool's results", ANSWERS[i]);
        uzu_handle_close(session, NULL);
    }
    uzu_handle_close(engine, NULL);
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

static void *converse(void *engine) {
    int chunks;
    char finish[32];
    uzu_string models;
    uzu_handle session = open_session(*(uzu_handle *)engine);
    for (int i = 0; i < 20; i++) {
        check(uzu_engine_models(*(uzu_handle *)engine, NULL, 0, &models, NULL) == UZU_OK, "models", NULL);
        uzu_string_free(&models);
    }
    uzu_handle stream = open_stream(*(uzu_handle *)engine, session, 3);
    check(drain(stream, &chunks, finish, sizeof finish) == UZU_END, "a stream of its own", NULL);
    uzu_handle_close(stream, NULL);
    uzu_handle_close(session, NULL);
    return NULL;
}

static void sixteen_threads_at_once(void) {
    pthread_t threads[16];
    pthread_attr_t small;
    uzu_handle engine = open_engine();
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    for (int i = 0; i < 16; i++) {
        pthread_create(&threads[i], &small, converse, &engine);
    }
    for (int i = 0; i < 16; i++) {
        pthread_join(threads[i], NULL);
    }
    uzu_handle_close(engine, NULL);
}

static void engines_live_side_by_side(void) {
    uzu_string models;
    uzu_string error;
    uzu_handle first = open_engine();
    uzu_handle second = open_engine();
    check(first != second, "two handles", NULL);
    check_result(uzu_handle_close(first, &error), UZU_OK, &error, "");
    check_result(uzu_engine_models(second, "{\"kind\":\"local\"}", -1, &models, &error), UZU_OK, &error, "");
    uzu_string_free(&models);
    uzu_handle_close(second, NULL);
}

static void *create_on_small_stack(void *unused) {
    uzu_handle engine = 0;
    uzu_string error;
    check_result(uzu_engine_create(NULL, 0, &engine, &error), UZU_INVALID_STATE, &error, "invalid_state");
    return unused;
}

static void a_stack_that_is_too_small_is_an_error(void) {
    /* Our own memory: the C library may hand out a larger stack that was used before. */
    static _Alignas(4096) char stack[64 << 10];
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstack(&small, stack, sizeof stack);
    check(pthread_create(&thread, &small, create_on_small_stack, NULL) == 0, "a thread", NULL);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
}

static void the_program_keeps_its_locale(void) {
    const char *seen = setlocale(LC_ALL, NULL);
    check(strcmp(seen, "C") == 0, "it is still C", seen);
}

static void a_forked_child_gets_an_error(void) {
    int status = -1;
    uzu_handle engine = open_engine();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        uzu_string models;
        uzu_string error;
        uzu_handle other;
        int refused = uzu_engine_models(engine, NULL, 0, &models, &error) == UZU_INVALID_STATE && error.data != NULL &&
                      strstr(error.data, "fork") != NULL &&
                      uzu_engine_create(NULL, 0, &other, NULL) == UZU_INVALID_STATE &&
                      uzu_handle_close(engine, NULL) == UZU_INVALID_STATE;
        _exit(refused ? 0 : 1);
    }
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child's calls are refused", NULL);
    uzu_string error;
    check_result(uzu_handle_close(engine, &error), UZU_OK, &error, "");
}

static void a_process_ends_with_a_live_stream(void) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, model, "--exit-with-live-stream", (char *)NULL);
        _exit(127);
    }
    double before = now();
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it exits with 0", NULL);
    check(now() - before < 120, "and in time", NULL);
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

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } TESTS[] = {
#define TEST(name) {#name, name}
        TEST(no_runtime_is_started_for_a_handle_from_nowhere),
        TEST(learn_about_the_model),
        TEST(null_pointers_are_errors),
        TEST(malformed_input_is_an_error),
        TEST(handles_are_checked),
        TEST(every_function_refuses_what_it_cannot_use),
        TEST(results_have_names),
        TEST(unfinished_json_is_completed),
        TEST(an_engine_tells_what_happens_in_it),
        TEST(what_is_listed_is_json),
        TEST(models_that_are_not_there),
        TEST(a_truncated_model_file_is_corrupt),
        TEST(a_stream_runs_to_its_end),
        TEST(a_reply_follows_its_grammar),
        TEST(a_speculation_preset_changes_no_text),
        TEST(a_conversation_can_be_replaced),
        TEST(a_conversation_forks_and_is_saved),
        TEST(tools_are_checked),
        TEST(a_tool_is_called_and_answered),
        TEST(a_cancelled_stream_ends_with_its_reason),
        TEST(waiting_ends_in_time),
        TEST(closing_wakes_those_who_wait),
        TEST(one_queue_reads_many_streams),
        TEST(sixteen_threads_at_once),
        TEST(engines_live_side_by_side),
        TEST(a_stack_that_is_too_small_is_an_error),
        TEST(the_program_keeps_its_locale),
        TEST(a_forked_child_gets_an_error),
        TEST(a_process_ends_with_a_live_stream),
    };
    program = arguments[0];
    model = count > 1 ? arguments[1] : getenv("UZU_TEST_MODEL");
    if (model == NULL) {
        fprintf(stderr, "usage: %s MODEL (or UZU_TEST_MODEL)\n", program);
        return 2;
    }
    test = "setup";
    if (count > 2 && strcmp(arguments[2], "--exit-with-live-stream") == 0) {
        learn_about_the_model();
        uzu_handle engine = open_engine();
        uzu_string chunk;
        uzu_handle stream = open_stream(engine, open_session(engine), 4000);
        return failed == 0 && uzu_stream_next(stream, -1, &chunk, NULL) == UZU_OK ? 0 : 1;
    }
    for (size_t i = 0; i < sizeof TESTS / sizeof TESTS[0]; i++) {
        test = TESTS[i].name;
        TESTS[i].run();
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
