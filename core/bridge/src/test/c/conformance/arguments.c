/* Arguments and handles that nothing can be done with. */
#define _GNU_SOURCE
#include "conformance.h"

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

const test_case arguments_tests[] = {
    TEST(null_pointers_are_errors),
    TEST(malformed_input_is_an_error),
    TEST(handles_are_checked),
    {NULL, NULL},
};
