/* An engine: what it lists and tells, models that are not there or broken. */
#define _GNU_SOURCE
#include "conformance.h"

#include <unistd.h>

static void results_have_names(void) {
    check(strcmp(uzu_result_name(UZU_OK), "ok") == 0, "ok", uzu_result_name(UZU_OK));
    check(strcmp(uzu_result_name(UZU_END), "end") == 0, "end", uzu_result_name(UZU_END));
    check(strcmp(uzu_result_name(UZU_INTERNAL), "internal") == 0, "internal", uzu_result_name(UZU_INTERNAL));
    check(strcmp(uzu_result_name(-21), "unknown") == 0, "below the last", uzu_result_name(-21));
    check(strcmp(uzu_result_name(3), "unknown") == 0, "above the last", uzu_result_name(3));
    check(strcmp(uzu_result_name(INT32_MIN), "unknown") == 0, "far below", uzu_result_name(INT32_MIN));
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

const test_case engine_tests[] = {
    TEST(results_have_names),
    TEST(an_engine_tells_what_happens_in_it),
    TEST(what_is_listed_is_json),
    TEST(models_that_are_not_there),
    TEST(a_truncated_model_file_is_corrupt),
    TEST(engines_live_side_by_side),
    {NULL, NULL},
};
