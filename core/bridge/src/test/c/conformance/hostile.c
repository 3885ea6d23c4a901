/* Input that no sensible caller gives: it is refused with a typed error, in time, and nothing else happens. */
#define _GNU_SOURCE
#include "conformance.h"

#include <sys/stat.h>
#include <unistd.h>

/* Refused with an error that says what is wrong, rather than one of ours that something broke. */
static void refused(int32_t result, uzu_string *error, const char *what) {
    check(result < 0 && result != UZU_INTERNAL, what, error->data);
    check(result >= 0 || (error->data != NULL && error->length == (int64_t)strlen(error->data)), what, error->data);
    uzu_string_free(error);
}

static void texts_may_hold_anything_but_broken_bytes(void) {
    static const char *const BROKEN[] = {
        "\x80", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5", "\xff",
    };
    uzu_string text;
    uzu_string error;
    uzu_handle session = 0;
    uzu_handle engine = open_engine();
    for (size_t i = 0; i < sizeof BROKEN / sizeof BROKEN[0]; i++) {
        check_result(uzu_engine_model(engine, BROKEN[i], -1, &text, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    refused(uzu_engine_chat(engine, "a\0b", 3, NULL, 0, &session, &error), &error, "a NUL within a model's name");
    refused(uzu_engine_chat(engine, "", 0, NULL, 0, &session, &error), &error, "a model without a name");
    refused(uzu_engine_chat(engine, "::::", -1, NULL, 0, &session, &error), &error, "a model of colons");
    session = open_session(engine);
    if (session != 0) {
        refused(uzu_session_save(session, "/tmp/a\0b", 8, &error), &error, "a NUL within a path");
        refused(uzu_session_save(session, "", 0, &error), &error, "an empty path");
        refused(uzu_session_save(session, "/", -1, &error), &error, "a folder to write to");
        refused(uzu_session_save(session, "/nowhere/at/all", -1, &error), &error, "a folder that isn't there");
        refused(uzu_session_restore(session, "/", -1, &error), &error, "a folder to read from");
        refused(uzu_session_restore(session, "/dev/zero", -1, &error), &error, "a file without end");
        const char *half = "[{\"role\":\"user\",\"content\":\"\\ud800 and \\udc00\"}]";
        check_result(uzu_session_set_messages(session, half, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(session, &text, &error), UZU_OK, &error, "");
        check(text.data != NULL && strstr(text.data, " and ") != NULL, "halves of a character", text.data);
        uzu_string_free(&text);
    }
    uzu_handle_close(engine, NULL);
}

static void lengths_are_believed_only_so_far(void) {
    static const int64_t LENGTHS[] = {-2, -1000, INT64_MIN, INT64_MAX, (int64_t)1 << 40, INT32_MAX};
    enum { LONG = 64 << 20 };
    uzu_string text;
    uzu_string error;
    uzu_handle engine = open_engine();
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        check_result(uzu_engine_model(engine, "x", LENGTHS[i], &text, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    check_result(uzu_engine_model(engine, NULL, 1000, &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_engine_models(engine, NULL, 1000, &text, &error), UZU_OK, &error, "");
    uzu_string_free(&text);
    char *name = malloc(LONG);
    memset(name, 'a', LONG);
    uzu_handle session = 0;
    refused(uzu_engine_chat(engine, name, LONG, NULL, 0, &session, &error), &error, "64 MB of a name");
    refused(uzu_engine_chat(engine, model, -1, name, LONG, &session, &error), &error, "64 MB of no JSON");
    memset(name, '{', LONG);
    refused(uzu_engine_models(engine, name, LONG, &text, &error), &error, "64 MB of braces");
    free(name);
    uzu_handle_close(engine, NULL);
}

static void times_are_checked(void) {
    static const int64_t TIMES[] = {-2, INT32_MIN, INT64_MIN};
    uzu_string text;
    uzu_string error;
    uzu_handle queue = 0;
    uzu_handle engine = open_engine();
    uzu_handle stream = open_stream(engine, open_session(engine), 1);
    uzu_queue_create(&queue, NULL);
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        check_result(uzu_stream_next(stream, TIMES[i], &text, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_queue_next(queue, TIMES[i], &text, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    }
    check_result(uzu_stream_next(stream, INT64_MAX, &text, &error), UZU_OK, &error, "");
    uzu_string_free(&text);
    check_result(uzu_queue_add(queue, stream, &error), UZU_OK, &error, "");
    check_result(uzu_queue_next(queue, INT64_MAX, &text, &error), UZU_OK, &error, "");
    uzu_string_free(&text);
    uzu_handle_close(queue, NULL);
    uzu_handle_close(engine, NULL);
}

static void numbers_out_of_range_are_refused(void) {
    static const char *const REPLIES[] = {
        "{\"token_limit\":-1}",
        "{\"token_limit\":1e400}",
        "{\"token_limit\":99999999999999999999}",
        "{\"token_limit\":1.5}",
        "{\"logprobs\":-1}",
        "{\"logprobs\":1000000}",
        "{\"tool_turn_limit\":-1}",
        "{\"seed\":36893488147419103232}",
        "{\"stop\":[\"\"]}",
        "{\"sampling\":{\"method\":\"stochastic\",\"temperature\":-1}}",
        "{\"sampling\":{\"method\":\"stochastic\",\"top_p\":2}}",
        "{\"sampling\":{\"method\":\"stochastic\",\"logit_bias\":{\"-1\":1}}}",
        "{\"sampling\":{\"method\":\"stochastic\",\"logit_bias\":{\"1000000000\":1}}}",
        "{\"grammar\":{\"type\":\"regex\",\"pattern\":\"(\"}}",
        "{\"grammar\":{\"type\":\"choice\",\"values\":[]}}",
    };
    static const char *const CHATS[] = {
        "{\"context_length\":0}",
        "{\"context_length\":-5}",
        "{\"context_length\":9223372036854775807}",
        "{\"context_length\":\"long\"}",
        "{\"kv_cache\":\"f8\"}",
        "{\"message_format\":\"nobody's\"}",
    };
    static const char *const ENGINES[] = {
        "{\"threads\":257}",
        "{\"threads\":2147483648}",
        "{\"threads\":100000000}",
        "{\"cache_path\":\"\\u0000\"}",
        "{\"local_path\":\"\\u0000\"}",
        "{\"backend\":\"tpu\"}",
    };
    uzu_string error;
    uzu_handle made = 0;
    uzu_handle engine = open_engine();
    for (size_t i = 0; i < sizeof ENGINES / sizeof ENGINES[0]; i++) {
        refused(uzu_engine_create(ENGINES[i], -1, &made, &error), &error, ENGINES[i]);
    }
    for (size_t i = 0; chat && i < sizeof CHATS / sizeof CHATS[0]; i++) {
        refused(uzu_engine_chat(engine, model, -1, CHATS[i], -1, &made, &error), &error, CHATS[i]);
    }
    for (size_t i = 0; i < sizeof REPLIES / sizeof REPLIES[0]; i++) {
        refused(uzu_engine_complete(engine, model, -1, "One", -1, REPLIES[i], -1, &made, &error), &error, REPLIES[i]);
    }
    uzu_handle_close(engine, NULL);
}

static void what_is_no_file_is_no_model(void) {
    static const char *const PATHS[] = {"/", "/tmp", "/dev/zero", "/dev/null", "/proc/self/mem", "/proc/self/environ"};
    char pipe[] = "/tmp/uzu-pipe-XXXXXX";
    uzu_string error;
    uzu_handle stream = 0;
    uzu_handle engine = open_engine();
    double before = now();
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        refused(uzu_engine_complete(engine, PATHS[i], -1, "x", -1, NULL, 0, &stream, &error), &error, PATHS[i]);
    }
    if (mkdtemp(pipe) != NULL) {
        char path[64];
        snprintf(path, sizeof path, "%s/pipe.gguf", pipe);
        check(mkfifo(path, 0600) == 0, "a pipe", path);
        refused(uzu_engine_complete(engine, path, -1, "x", -1, NULL, 0, &stream, &error), &error, "a pipe");
        refused(uzu_engine_complete(engine, pipe, -1, "x", -1, NULL, 0, &stream, &error), &error, "a folder of a pipe");
        unlink(path);
        rmdir(pipe);
    }
    check(now() - before < 30, "in time", NULL);
    uzu_handle_close(engine, NULL);
}

const test_case hostile_tests[] = {
    TEST(texts_may_hold_anything_but_broken_bytes),
    TEST(lengths_are_believed_only_so_far),
    TEST(times_are_checked),
    TEST(numbers_out_of_range_are_refused),
    TEST(what_is_no_file_is_no_model),
    {NULL, NULL},
};
