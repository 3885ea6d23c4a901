/*
 * uzu.h: language models on the user's own machine, for C and for everything that can call C.
 *
 * Rules that hold for every function
 *
 * - Any thread may call any function at any time. Functions never call back into the caller.
 * - Structured values are UTF-8 JSON, given as pointer and length in bytes; a length of -1 means "up to the NUL".
 *   docs/c-abi.md lists their shapes. A NULL configuration stands for the defaults.
 * - Things that live on are 64-bit handles. A handle that was closed, belongs to another kind of thing, or never
 *   existed is an error, never undefined behaviour. 0 is never a handle.
 * - The return value is UZU_OK, one of the other non-negative results where a function names them, or a negative
 *   error code. When it is negative, *error (unless error is NULL) receives {"code", "message", "details"} as JSON;
 *   else *error is emptied. Unless the result is UZU_OK, the other results are emptied too (0, {NULL, 0}).
 * - A uzu_string that a function has filled belongs to the caller, who gives it to uzu_string_free.
 * - A call needs 192 KB of its thread's own stack. A cancelled thread ends behind its call, not in it.
 * - Nothing aborts the process. In a child made by fork() every call is UZU_INVALID_STATE: threads don't survive a
 *   fork. Start children with exec (or "spawn") instead.
 */
#ifndef UZU_H
#define UZU_H

#include <stdint.h>

/* Whoever makes these functions elsewhere than in libuzu says how they are seen. */
#if !defined(UZU_API) && defined(_WIN32)
#define UZU_API __declspec(dllexport)
#elif !defined(UZU_API)
#define UZU_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t uzu_handle;

/* Bytes of UTF-8 with a NUL after them, which length doesn't count. Empty: {NULL, 0}. */
typedef struct uzu_string {
    char *data;
    int64_t length;
} uzu_string;

enum uzu_result {
    UZU_OK = 0,
    UZU_TIMEOUT = 1, /* nothing came within the time given; the stream goes on */
    UZU_END = 2,     /* the stream, or the queue, has nothing more */

    UZU_INVALID_ARGUMENT = -1,
    UZU_INVALID_STATE = -2,
    UZU_MODEL_NOT_FOUND = -3,
    UZU_MODEL_UNSUPPORTED = -4,
    UZU_MODEL_CORRUPT = -5,
    UZU_TENSOR_MISSING = -6,
    UZU_DOWNLOAD_FAILED = -7,
    UZU_DISK_FULL = -8,
    UZU_OFFLINE = -9,
    UZU_OUT_OF_MEMORY = -10,
    UZU_CONTEXT_OVERFLOW = -11,
    UZU_GRAMMAR_UNSUPPORTED = -12,
    UZU_GRAMMAR_DEAD_END = -13,
    UZU_TEMPLATE_FAILED = -14,
    UZU_TOOL_FAILED = -15,
    UZU_TOOL_TURN_LIMIT = -16,
    UZU_CANCELLED = -17,
    UZU_PROVIDER_FAILED = -18,
    UZU_CLOSED = -19,
    UZU_INTERNAL = -20
};

/* The version of the library, "0.1.0". Static, not to be freed. */
UZU_API const char *uzu_version(void);

/* A result's name, as errors have it: "invalid_argument", "ok", "end". Static, not to be freed; never NULL. */
UZU_API const char *uzu_result_name(int32_t result);

/* Frees what a function has written into *string, and empties it. NULL and empty strings are fine. */
UZU_API void uzu_string_free(uzu_string *string);

/*
 * Closes a handle of any kind. Closing a stream cancels it, closing an engine closes everything made from it.
 * Closing 0 or an already closed handle does nothing and succeeds.
 */
UZU_API int32_t uzu_handle_close(uzu_handle handle, uzu_string *error);

/* ---- engines: models, instances, sessions -------------------------------------------------------------------- */

/*
 * An engine. The first call in a process starts the runtime that the engine lives in, which takes a fraction of a
 * second; no connection is opened. Fields that config leaves out are read from the environment.
 */
UZU_API int32_t uzu_engine_create(const char *config, int64_t config_length, uzu_handle *engine, uzu_string *error);

/*
 * What the engine computes with: {"matrix_kernels", "row_kernels", "kernel_library", "threads", "weight_bytes",
 * "working_bytes"}; kernel_library is null where none in C were found, the bytes are those held now.
 */
UZU_API int32_t uzu_engine_info(uzu_handle engine, uzu_string *info, uzu_string *error);

/*
 * What happens in the engine from now on, whoever causes it. The stream's chunks are {"type": "download", "model",
 * "state"}, with a state as of uzu_download_state, {"type": "model_loaded", "model", "path", "weight_bytes"} and {"type":
 * "model_unloaded", "model"}; model is an identifier. A slow reader gets the last step of a download for all before. There
 * may be several such streams; closing the engine closes them.
 */
UZU_API int32_t uzu_engine_events(uzu_handle engine, uzu_handle *stream, uzu_string *error);

/* Models as a JSON array. query: {"kind": "all|local|remote|downloadable|chat", "vendor", "family"}, or NULL for all.
 */
UZU_API int32_t uzu_engine_models(uzu_handle engine, const char *query, int64_t query_length, uzu_string *models,
                                  uzu_string *error);

/* The vendors, families and registries of the known models, each as a JSON array. */
UZU_API int32_t uzu_engine_vendors(uzu_handle engine, uzu_string *vendors, uzu_string *error);
UZU_API int32_t uzu_engine_families(uzu_handle engine, uzu_string *families, uzu_string *error);
UZU_API int32_t uzu_engine_registries(uzu_handle engine, uzu_string *registries, uzu_string *error);

/*
 * The model for an identifier, a shorthand (family, family:size), a repository id or a local path, as JSON; "null"
 * when there is none. Where another function takes a model, it takes this identifier.
 */
UZU_API int32_t uzu_engine_model(uzu_handle engine, const char *identifier, int64_t identifier_length,
                                 uzu_string *model, uzu_string *error);

/* Where the model's file or folder lies, as a JSON string; "null" while it isn't downloaded. */
UZU_API int32_t uzu_engine_model_path(uzu_handle engine, const char *model, int64_t model_length, uzu_string *path,
                                      uzu_string *error);

/*
 * What the model can do: {"chat", "reasoning", "tools", "context_length"}, tools being "none", "generic" or "template".
 * It must be on this machine.
 */
UZU_API int32_t uzu_engine_capabilities(uzu_handle engine, const char *model, int64_t model_length,
                                        uzu_string *capabilities, uzu_string *error);

/* How many tokens the text has for this model. */
UZU_API int32_t uzu_engine_count_tokens(uzu_handle engine, const char *model, int64_t model_length, const char *text,
                                        int64_t text_length, int64_t *count, uzu_string *error);

/* A chat session on weights of its own. Blocks while the model loads. */
UZU_API int32_t uzu_engine_chat(uzu_handle engine, const char *model, int64_t model_length, const char *config,
                                int64_t config_length, uzu_handle *session, uzu_string *error);

/* Loaded weights that several sessions share. Blocks while the model loads. */
UZU_API int32_t uzu_engine_instance(uzu_handle engine, const char *model, int64_t model_length, const char *config,
                                    int64_t config_length, uzu_handle *instance, uzu_string *error);

/* Bytes that the instance holds: weights, scratch, keys and values of its sessions. */
UZU_API int32_t uzu_instance_memory_used(uzu_handle instance, int64_t *bytes, uzu_string *error);

/* A chat session on an instance. Closing the instance closes its sessions. */
UZU_API int32_t uzu_instance_chat(uzu_handle instance, uzu_handle *session, uzu_string *error);

/* Continues raw text, without a chat template. The stream's chunks are {"text", "stats", "finish_reason"}. */
UZU_API int32_t uzu_engine_complete(uzu_handle engine, const char *model, int64_t model_length, const char *text,
                                    int64_t text_length, const char *config, int64_t config_length, uzu_handle *stream,
                                    uzu_string *error);

/* ---- downloads ------------------------------------------------------------------------------------------------ */

/*
 * Downloads a model. The stream's chunks are {"bytes_total", "bytes_downloaded", "progress"}; it ends when all is in
 * place, at once when nothing is to do. A failure comes from uzu_stream_next. Closing the stream leaves the download
 * running; uzu_download_pause stops it.
 */
UZU_API int32_t uzu_download_start(uzu_handle engine, const char *model, int64_t model_length, uzu_handle *stream,
                                   uzu_string *error);

/* The same stream of a download that runs already; it ends at once when none does. */
UZU_API int32_t uzu_download_watch(uzu_handle engine, const char *model, int64_t model_length, uzu_handle *stream,
                                   uzu_string *error);

/* {"phase", "bytes_total", "bytes_downloaded", "progress", "message"}; "null" for a model that can't be downloaded. */
UZU_API int32_t uzu_download_state(uzu_handle engine, const char *model, int64_t model_length, uzu_string *state,
                                   uzu_string *error);

/* The states of all downloadable models: an object from identifier to state. */
UZU_API int32_t uzu_download_states(uzu_handle engine, uzu_string *states, uzu_string *error);

UZU_API int32_t uzu_download_resume(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error);
UZU_API int32_t uzu_download_pause(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error);

/* Stops the download and removes the model's files from the cache. */
UZU_API int32_t uzu_download_delete(uzu_handle engine, const char *model, int64_t model_length, uzu_string *error);

/* ---- sessions ------------------------------------------------------------------------------------------------- */

/*
 * Replies to new messages (a JSON array); the session remembers the earlier ones and adds the reply. Errors in the
 * messages are returned here, those of the generation by uzu_stream_next. A second reply while one runs is
 * UZU_INVALID_STATE; after a cancel it waits for the first one's end, at most a forward pass.
 */
UZU_API int32_t uzu_session_reply(uzu_handle session, const char *messages, int64_t messages_length, const char *config,
                                  int64_t config_length, uzu_handle *stream, uzu_string *error);

/* The conversation so far, as a JSON array of messages. */
UZU_API int32_t uzu_session_messages(uzu_handle session, uzu_string *messages, uzu_string *error);

/* "idle", "generation", "tool_calling" or "resetting", as a JSON string. */
UZU_API int32_t uzu_session_state(uzu_handle session, uzu_string *state, uzu_string *error);

/* Most tokens of this conversation. */
UZU_API int32_t uzu_session_context_length(uzu_handle session, int64_t *tokens, uzu_string *error);

/* Forgets the conversation. */
UZU_API int32_t uzu_session_reset(uzu_handle session, uzu_string *error);

/* Replaces the conversation by a JSON array of messages. */
UZU_API int32_t uzu_session_set_messages(uzu_handle session, const char *messages, int64_t messages_length,
                                         uzu_string *error);

/* 1 when the model can be told of tools, else 0. */
UZU_API int32_t uzu_session_supports_tool_calls(uzu_handle session, int64_t *supports, uzu_string *error);

/*
 * From the next reply on the model is told of a tool, {"name", "description", "parameters"}, whose calls the caller
 * answers: they come as a chunk {"call_tools"}, and the reply goes on after uzu_stream_tool_results.
 */
UZU_API int32_t uzu_session_add_tool(uzu_handle session, const char *tool, int64_t tool_length, uzu_string *error);

/*
 * A second session with the same conversation, tools and settings, which goes its own way from here; what was computed
 * is shared. UZU_INVALID_STATE while a reply is made, here and in the next two.
 */
UZU_API int32_t uzu_session_fork(uzu_handle session, uzu_handle *fork, uzu_string *error);

/* Writes the conversation to a file, in place of one that is there; tools are not saved. */
UZU_API int32_t uzu_session_save(uzu_handle session, const char *path, int64_t path_length, uzu_string *error);

/* Goes on with a conversation that uzu_session_save wrote, in place of this one. */
UZU_API int32_t uzu_session_restore(uzu_handle session, const char *path, int64_t path_length, uzu_string *error);

/* ---- streams -------------------------------------------------------------------------------------------------- */

/*
 * The next chunk: UZU_OK with the chunk, UZU_TIMEOUT, UZU_END, or the error that ended the stream (reported once, then
 * UZU_END). timeout_ms: 0 doesn't wait, -1 waits as long as it takes. Chunks of a reply are deltas: docs/c-abi.md.
 * After the end the stream's handle is still to be closed. A stream that a queue reads belongs to the queue.
 */
UZU_API int32_t uzu_stream_next(uzu_handle stream, int64_t timeout_ms, uzu_string *chunk, uzu_string *error);

/*
 * Asks the stream to stop, from any thread; returns at once. Generation stops within one forward pass, and the last
 * chunk has the finish reason "cancelled".
 */
UZU_API int32_t uzu_stream_cancel(uzu_handle stream, uzu_string *error);

/*
 * Answers calls of a chunk {"call_tools": [{"identifier", "name", "arguments"}]}, in any order, one by one or together:
 * [{"identifier", "value"}] or, for a call that failed, [{"identifier", "error"}] with a text for the model. A value is
 * any JSON. An answer that comes too late, after a cancel say, is let go.
 */
UZU_API int32_t uzu_stream_tool_results(uzu_handle stream, const char *results, int64_t results_length,
                                        uzu_string *error);

/* ---- queues: one thread waits for many streams ---------------------------------------------------------------- */

UZU_API int32_t uzu_queue_create(uzu_handle *queue, uzu_string *error);

/* Lets the queue read the stream, to its end. What was already waiting in the stream comes through the queue too. */
UZU_API int32_t uzu_queue_add(uzu_handle queue, uzu_handle stream, uzu_string *error);

/*
 * All that is ready, in order of arrival, as a JSON array of {"stream", "chunk"}, {"stream", "error"} and
 * {"stream", "end": true}; the last two come once a stream. UZU_TIMEOUT as in uzu_stream_next; UZU_END once the queue
 * was closed, which wakes all who wait here.
 */
UZU_API int32_t uzu_queue_next(uzu_handle queue, int64_t timeout_ms, uzu_string *ready, uzu_string *error);

/* ---- JSON that is still being written ------------------------------------------------------------------------- */

/*
 * What the beginning of a JSON text holds so far, as a JSON text: arrays, objects and strings that are open are closed; a
 * key without a value, half an escape, half a word and what is no JSON are left out; a number is taken as it stands. For
 * the text of a reply with a JSON grammar while it comes. "null" where there is nothing yet. Needs no engine, but starts
 * the runtime as uzu_engine_create does.
 */
UZU_API int32_t uzu_json_complete(const char *text, int64_t text_length, uzu_string *json, uzu_string *error);

#ifdef __cplusplus
}
#endif

#endif
