/* The functions of uzu.h, each that of the library. */
#include <stdlib.h>

#include "library.h"

#define FORWARD(name, ...)                                                                                             \
    const uzu_library *library = uzu_library_of_process(error);                                                        \
    return library == NULL ? UZU_INVALID_STATE : library->name(__VA_ARGS__)

/* Empty while there is no library. */
const char *uzu_version(void) {
    const uzu_library *library = uzu_library_of_process(NULL);
    return library == NULL ? "" : library->version();
}

void uzu_string_free(uzu_string *string) {
    const uzu_library *library = uzu_library_of_process(NULL);
    if (library != NULL) {
        library->string_free(string);
    } else if (string != NULL) {
        /* One of library.c's. */
        free(string->data);
        *string = (uzu_string){NULL, 0};
    }
}

int32_t uzu_handle_close(uzu_handle handle, uzu_string *error) {
    FORWARD(handle_close, handle, error);
}

int32_t uzu_engine_create(const char *config, int64_t config_length, uzu_handle *engine, uzu_string *error) {
    FORWARD(engine_create, config, config_length, engine, error);
}

int32_t uzu_engine_info(uzu_handle engine, uzu_string *info, uzu_string *error) {
    FORWARD(engine_info, engine, info, error);
}

int32_t uzu_engine_events(uzu_handle engine, uzu_handle *stream, uzu_string *error) {
    FORWARD(engine_events, engine, stream, error);
}

int32_t uzu_engine_models(uzu_handle engine, const char *query, int64_t query_length, uzu_string *models,
                          uzu_string *error) {
    FORWARD(engine_models, engine, query, query_length, models, error);
}

int32_t uzu_engine_vendors(uzu_handle engine, uzu_string *vendors, uzu_string *error) {
    FORWARD(engine_vendors, engine, vendors, error);
}

int32_t uzu_engine_families(uzu_handle engine, uzu_string *families, uzu_string *error) {
    FORWARD(engine_families, engine, families, error);
}

int32_t uzu_engine_registries(uzu_handle engine, uzu_string *registries, uzu_string *error) {
    FORWARD(engine_registries, engine, registries, error);
}

int32_t uzu_engine_model(uzu_handle engine, const char *identifier, int64_t identifier_length, uzu_string *model,
                         uzu_string *error) {
    FORWARD(engine_model, engine, identifier, identifier_length, model, error);
}

int32_t uzu_engine_model_path(uzu_handle engine, const char *model, int64_t model_length, uzu_string *path,
                              uzu_string *error) {
    FORWARD(engine_model_path, engine, model, model_length, path, error);
}

int32_t uzu_engine_capabilities(uzu_handle engine, const char *model, int64_t model_length, uzu_string *capabilities,
                                uzu_string *error) {
    FORWARD(engine_capabilities, engine, model, model_length, capabilities, error);
}

int32_t uzu_engine_count_tokens(uzu_handle engine, const char *model, int64_t model_length, const char *text,
                                int64_t text_length, int64_t *count, uzu_string *error) {
    FORWARD(engine_count_tokens, engine, model, model_length, text, text_length, count, error);
}

int32_t uzu_engine_chat(uzu_handle engine, const char *model, int64_t model_length, const char *config,
                        int64_t config_length, uzu_handle *session, uzu_string *error) {
    FORWARD(engine_chat, engine, model, model_length, config, config_length, session, error);
}

int32_t uzu_engine_instance(uzu_handle engine, const char *model, int64_t model_length, const char *config,
                            int64_t config_length, uzu_handle *instance, uzu_string *error) {
    FORWARD(engine_instance, engine, model, model_length, config, config_length, instance, error);
}

int32_t uzu_instance_memory_used(uzu_handle instance, int64_t *bytes, uzu_string *error) {
    FORWARD(instance_memory_used, instance, bytes, error);
}

int32_t uzu_instance_chat(uzu_handle instance, uzu_handle *session, uzu_string *error) {
    FORWARD(instance_chat, instance, session, error);
}

int32_t uzu_engine_complete(uzu_handle engine, const char *model, int64_t model_length, const char *text,
                            int64_t text_length, const char *config, int64_t config_length, uzu_handle *stream,
                            uzu_string *error) {
    FORWARD(engine_complete, engine, model, model_length, text, text_length, config, config_length, stream, error);
}

int32_t uzu_download_start(uzu_handle engine, const char *model, int64_t model_length, uzu_handle *stream,
                           uzu_string *error) {
    FORWARD(download_start, engine, model, model_length, stream, error);
}

int32_t uzu_download_watch(uzu_handle engine, const char *model, int64_t model_length, uzu_handle *stream,
                           uzu_string *error) {
    FORWARD(download_watch, engine, model, model_length, stream, error);
}

int32_t uzu_download_state(uzu_handle engine, const char *model, int64_t model_length, uzu_string *state,
                           uzu_string *error) {
    FORWARD(download_state, engine, model, model_length, state, error);
}

int32_t uzu_download_states(uzu_handle engine, uzu_string *states, uzu_string *error) {
    FORWARD(download_states, engine, states, error);
}

int32_t uzu_download_resume(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error) {
    FORWARD(download_resume, engine, model, model_length, error);
}

int32_t uzu_download_pause(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error) {
    FORWARD(download_pause, engine, model, model_length, error);
}

int32_t uzu_download_delete(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error) {
    FORWARD(download_delete, engine, model, model_length, error);
}

int32_t uzu_session_reply(uzu_handle session, const char *messages, int64_t messages_length, const char *config,
                          int64_t config_length, uzu_handle *stream, uzu_string *error) {
    FORWARD(session_reply, session, messages, messages_length, config, config_length, stream, error);
}

int32_t uzu_session_messages(uzu_handle session, uzu_string *messages, uzu_string *error) {
    FORWARD(session_messages, session, messages, error);
}

int32_t uzu_session_state(uzu_handle session, uzu_string *state, uzu_string *error) {
    FORWARD(session_state, session, state, error);
}

int32_t uzu_session_context_length(uzu_handle session, int64_t *tokens, uzu_string *error) {
    FORWARD(session_context_length, session, tokens, error);
}

int32_t uzu_session_reset(uzu_handle session, uzu_string *error) {
    FORWARD(session_reset, session, error);
}

int32_t uzu_session_set_messages(uzu_handle session, const char *messages, int64_t messages_length, uzu_string *error) {
    FORWARD(session_set_messages, session, messages, messages_length, error);
}

int32_t uzu_session_supports_tool_calls(uzu_handle session, int64_t *supports, uzu_string *error) {
    FORWARD(session_supports_tool_calls, session, supports, error);
}

int32_t uzu_session_add_tool(uzu_handle session, const char *tool, int64_t tool_length, uzu_string *error) {
    FORWARD(session_add_tool, session, tool, tool_length, error);
}

int32_t uzu_session_fork(uzu_handle session, uzu_handle *fork, uzu_string *error) {
    FORWARD(session_fork, session, fork, error);
}

int32_t uzu_session_save(uzu_handle session, const char *path, int64_t path_length, uzu_string *error) {
    FORWARD(session_save, session, path, path_length, error);
}

int32_t uzu_session_restore(uzu_handle session, const char *path, int64_t path_length, uzu_string *error) {
    FORWARD(session_restore, session, path, path_length, error);
}

int32_t uzu_stream_next(uzu_handle stream, int64_t timeout_ms, uzu_string *chunk, uzu_string *error) {
    FORWARD(stream_next, stream, timeout_ms, chunk, error);
}

int32_t uzu_stream_cancel(uzu_handle stream, uzu_string *error) {
    FORWARD(stream_cancel, stream, error);
}

int32_t uzu_stream_tool_results(uzu_handle stream, const char *results, int64_t results_length, uzu_string *error) {
    FORWARD(stream_tool_results, stream, results, results_length, error);
}

int32_t uzu_queue_create(uzu_handle *queue, uzu_string *error) {
    FORWARD(queue_create, queue, error);
}

int32_t uzu_queue_add(uzu_handle queue, uzu_handle stream, uzu_string *error) {
    FORWARD(queue_add, queue, stream, error);
}

int32_t uzu_queue_next(uzu_handle queue, int64_t timeout_ms, uzu_string *ready, uzu_string *error) {
    FORWARD(queue_next, queue, timeout_ms, ready, error);
}

int32_t uzu_json_complete(const char *text, int64_t text_length, uzu_string *json, uzu_string *error) {
    FORWARD(json_complete, text, text_length, json, error);
}
