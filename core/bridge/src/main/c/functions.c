/* The functions of uzu.h: guards, arguments, and one call of the host. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#ifndef UZU_VERSION
#error "build.sh defines UZU_VERSION"
#endif

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static atomic_int owner; /* the process that has the runtime, or is about to */

UZU_API const char *uzu_version(void) {
    return UZU_VERSION;
}

static int32_t check_process(uzu_string *error) {
    int process = atomic_load(&owner);
    if (process != 0 && process != (int)getpid()) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "uzu was started in the parent process and can't be used in a forked child. Start the child "
                        "with exec, or multiprocessing's \"spawn\" method.");
    }
    return UZU_OK;
}

static void empty(uzu_string *string) {
    if (string != NULL) {
        string->data = NULL;
        string->length = 0;
    }
}

/*
 * A host waits where threads can be cancelled, and a thread that was would unwind the runtime's frames, which ends the
 * process. So a cancellation waits until the host is done.
 */
static int32_t start_host(uzu_string *error) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_mutex_lock(&starting);
    int32_t result = UZU_OK;
    if (!atomic_load(&ready)) {
        atomic_store(&owner, (int)getpid());
        result = uzu_host_start(error);
        atomic_store(&ready, result == UZU_OK);
    }
    pthread_mutex_unlock(&starting);
    pthread_setcancelstate(before, NULL);
    return result;
}

static int32_t call_host(int32_t entry, uzu_handle handle, const uzu_text *texts, int64_t number, void *out,
                         uzu_string *error) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    int32_t result = uzu_host_call(entry, handle, texts, number, out, error);
    pthread_setcancelstate(before, NULL);
    return result;
}

/* Every function begins here. Only those that make something of nothing start the runtime. */
static int32_t enter(int may_start, uzu_string *error) {
    empty(error);
    int32_t result = check_process(error);
    if (result != UZU_OK) {
        return result;
    }
    if (!may_start && !atomic_load(&ready)) {
        return uzu_fail(error, UZU_INVALID_ARGUMENT, "handle", "unknown",
                        "This handle belongs to nothing: no engine was created.");
    }
    result = uzu_stack_check(error);
    return result != UZU_OK || atomic_load(&ready) ? result : start_host(error);
}

/* An entry's place in the table. */
#define ENTRY(name) ((int32_t)(offsetof(uzu_table, name) / sizeof(uzu_entry)))

static uzu_text text_of(const char *data, int64_t length) {
    uzu_text text = {data, length};
    if (length == -1) {
        text.length = data == NULL ? 0 : (int64_t)strlen(data);
    }
    return text;
}

#define ENTER(may_start)                                                                                               \
    do {                                                                                                               \
        int32_t entered = enter(may_start, error);                                                                     \
        if (entered != UZU_OK) {                                                                                       \
            return entered;                                                                                            \
        }                                                                                                              \
    } while (0)

UZU_API int32_t uzu_handle_close(uzu_handle handle, uzu_string *error) {
    if (handle == 0 || !atomic_load(&ready)) {
        empty(error);
        return check_process(error);
    }
    ENTER(0);
    return call_host(ENTRY(handle_close), handle, NULL, 0, NULL, error);
}

/* Most functions: a handle and up to three texts in, nothing, a string or 64 bits out. */
static int32_t call(int32_t entry, int may_start, uzu_handle handle, const uzu_text *texts, void *out,
                    uzu_string *error) {
    ENTER(may_start);
    return call_host(entry, handle, texts, 0, out, error);
}

static int32_t call_for_string(int32_t entry, uzu_handle handle, const uzu_text *texts, uzu_string *out,
                               uzu_string *error) {
    empty(out);
    return call(entry, 0, handle, texts, out, error);
}

static int32_t call_for_bits(int32_t entry, int may_start, uzu_handle handle, const uzu_text *texts, void *out,
                             uzu_string *error) {
    if (out != NULL) {
        memset(out, 0, sizeof(uint64_t));
    }
    return call(entry, may_start, handle, texts, out, error);
}

#define NOTHING(name, entry)                                                                                           \
    UZU_API int32_t name(uzu_handle handle, uzu_string *error) {                                                       \
        return call(ENTRY(entry), 0, handle, NULL, NULL, error);                                                       \
    }

#define STRING(name, entry)                                                                                            \
    UZU_API int32_t name(uzu_handle handle, uzu_string *out, uzu_string *error) {                                      \
        return call_for_string(ENTRY(entry), handle, NULL, out, error);                                                \
    }

#define BITS(name, entry, type)                                                                                        \
    UZU_API int32_t name(uzu_handle handle, type *out, uzu_string *error) {                                            \
        return call_for_bits(ENTRY(entry), 0, handle, NULL, out, error);                                               \
    }

#define TEXT_NOTHING(name, entry)                                                                                      \
    UZU_API int32_t name(uzu_handle handle, const char *text, int64_t length, uzu_string *error) {                     \
        uzu_text texts[1] = {text_of(text, length)};                                                                   \
        return call(ENTRY(entry), 0, handle, texts, NULL, error);                                                      \
    }

#define TEXT_STRING(name, entry)                                                                                       \
    UZU_API int32_t name(uzu_handle handle, const char *text, int64_t length, uzu_string *out, uzu_string *error) {    \
        uzu_text texts[1] = {text_of(text, length)};                                                                   \
        return call_for_string(ENTRY(entry), handle, texts, out, error);                                               \
    }

#define TEXT_BITS(name, entry)                                                                                         \
    UZU_API int32_t name(uzu_handle handle, const char *text, int64_t length, uzu_handle *out, uzu_string *error) {    \
        uzu_text texts[1] = {text_of(text, length)};                                                                   \
        return call_for_bits(ENTRY(entry), 0, handle, texts, out, error);                                              \
    }

#define TWO_TEXTS_BITS(name, entry, type)                                                                              \
    UZU_API int32_t name(uzu_handle handle, const char *first, int64_t first_length, const char *second,               \
                         int64_t second_length, type *out, uzu_string *error) {                                        \
        uzu_text texts[2] = {text_of(first, first_length), text_of(second, second_length)};                            \
        return call_for_bits(ENTRY(entry), 0, handle, texts, out, error);                                              \
    }

UZU_API int32_t uzu_engine_create(const char *config, int64_t length, uzu_handle *engine, uzu_string *error) {
    uzu_text texts[1] = {text_of(config, length)};
    return call_for_bits(ENTRY(engine_create), 1, 0, texts, engine, error);
}

UZU_API int32_t uzu_queue_create(uzu_handle *queue, uzu_string *error) {
    return call_for_bits(ENTRY(queue_create), 1, 0, NULL, queue, error);
}

STRING(uzu_engine_info, engine_info)
BITS(uzu_engine_events, engine_events, uzu_handle)
TEXT_STRING(uzu_engine_models, engine_models)
STRING(uzu_engine_vendors, engine_vendors)
STRING(uzu_engine_families, engine_families)
STRING(uzu_engine_registries, engine_registries)
TEXT_STRING(uzu_engine_model, engine_model)
TEXT_STRING(uzu_engine_model_path, engine_model_path)
TEXT_STRING(uzu_engine_capabilities, engine_capabilities)
TWO_TEXTS_BITS(uzu_engine_count_tokens, engine_count_tokens, int64_t)
TWO_TEXTS_BITS(uzu_engine_chat, engine_chat, uzu_handle)
TWO_TEXTS_BITS(uzu_engine_instance, engine_instance, uzu_handle)
BITS(uzu_instance_chat, instance_chat, uzu_handle)
BITS(uzu_instance_memory_used, instance_memory_used, int64_t)

UZU_API int32_t uzu_engine_complete(uzu_handle engine, const char *model, int64_t model_length, const char *text,
                                    int64_t text_length, const char *config, int64_t config_length, uzu_handle *stream,
                                    uzu_string *error) {
    uzu_text texts[3] = {text_of(model, model_length), text_of(text, text_length), text_of(config, config_length)};
    return call_for_bits(ENTRY(engine_complete), 0, engine, texts, stream, error);
}

TEXT_BITS(uzu_download_start, download_start)
TEXT_BITS(uzu_download_watch, download_watch)
TEXT_STRING(uzu_download_state, download_state)
STRING(uzu_download_states, download_states)
TEXT_NOTHING(uzu_download_resume, download_resume)
TEXT_NOTHING(uzu_download_pause, download_pause)
TEXT_NOTHING(uzu_download_delete, download_delete)

TWO_TEXTS_BITS(uzu_session_reply, session_reply, uzu_handle)
STRING(uzu_session_messages, session_messages)
STRING(uzu_session_state, session_state)
NOTHING(uzu_session_reset, session_reset)
TEXT_NOTHING(uzu_session_set_messages, session_set_messages)
TEXT_NOTHING(uzu_session_add_tool, session_add_tool)
BITS(uzu_session_fork, session_fork, uzu_handle)
TEXT_NOTHING(uzu_session_save, session_save)
TEXT_NOTHING(uzu_session_restore, session_restore)
BITS(uzu_session_supports_tool_calls, session_supports_tool_calls, int64_t)

BITS(uzu_session_context_length, session_context_length, int64_t)

UZU_API int32_t uzu_stream_next(uzu_handle stream, int64_t timeout_ms, uzu_string *chunk, uzu_string *error) {
    empty(chunk);
    ENTER(0);
    return call_host(ENTRY(stream_next), stream, NULL, timeout_ms, chunk, error);
}

NOTHING(uzu_stream_cancel, stream_cancel)
TEXT_NOTHING(uzu_stream_tool_results, stream_tool_results)

UZU_API int32_t uzu_queue_add(uzu_handle queue, uzu_handle stream, uzu_string *error) {
    ENTER(0);
    return call_host(ENTRY(queue_add), queue, NULL, (int64_t)stream, NULL, error);
}

UZU_API int32_t uzu_queue_next(uzu_handle queue, int64_t timeout_ms, uzu_string *ready, uzu_string *error) {
    empty(ready);
    ENTER(0);
    return call_host(ENTRY(queue_next), queue, NULL, timeout_ms, ready, error);
}

UZU_API int32_t uzu_json_complete(const char *text, int64_t length, uzu_string *json, uzu_string *error) {
    uzu_text texts[1] = {text_of(text, length)};
    empty(json);
    return call(ENTRY(json_complete), 1, 0, texts, json, error);
}
