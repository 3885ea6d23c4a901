/* Every function, by its shape: handle, texts, result. */
#define _GNU_SOURCE
#include "conformance.h"

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

const test_case functions_tests[] = {
    TEST(every_function_refuses_what_it_cannot_use),
    {NULL, NULL},
};
