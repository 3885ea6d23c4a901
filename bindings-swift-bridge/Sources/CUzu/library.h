/* The libuzu of the process. */
#ifndef UZU_SWIFT_LIBRARY_H
#define UZU_SWIFT_LIBRARY_H

#include "CUzu.h"

/* What this package calls of uzu.h. */
#define UZU_FUNCTIONS(F)                                                                                               \
    F(version)                                                                                                         \
    F(string_free)                                                                                                     \
    F(handle_close)                                                                                                    \
    F(engine_create)                                                                                                   \
    F(engine_info)                                                                                                     \
    F(engine_events)                                                                                                   \
    F(engine_models)                                                                                                   \
    F(engine_vendors)                                                                                                  \
    F(engine_families)                                                                                                 \
    F(engine_registries)                                                                                               \
    F(engine_model)                                                                                                    \
    F(engine_model_path)                                                                                               \
    F(engine_capabilities)                                                                                             \
    F(engine_count_tokens)                                                                                             \
    F(engine_chat)                                                                                                     \
    F(engine_instance)                                                                                                 \
    F(engine_complete)                                                                                                 \
    F(instance_memory_used)                                                                                            \
    F(instance_chat)                                                                                                   \
    F(download_start)                                                                                                  \
    F(download_watch)                                                                                                  \
    F(download_state)                                                                                                  \
    F(download_states)                                                                                                 \
    F(download_resume)                                                                                                 \
    F(download_pause)                                                                                                  \
    F(download_delete)                                                                                                 \
    F(session_reply)                                                                                                   \
    F(session_messages)                                                                                                \
    F(session_state)                                                                                                   \
    F(session_context_length)                                                                                          \
    F(session_reset)                                                                                                   \
    F(session_set_messages)                                                                                            \
    F(session_supports_tool_calls)                                                                                     \
    F(session_add_tool)                                                                                                \
    F(session_fork)                                                                                                    \
    F(session_save)                                                                                                    \
    F(session_restore)                                                                                                 \
    F(stream_next)                                                                                                     \
    F(stream_cancel)                                                                                                   \
    F(stream_tool_results)                                                                                             \
    F(queue_create)                                                                                                    \
    F(queue_add)                                                                                                       \
    F(queue_next)                                                                                                      \
    F(json_complete)

typedef struct uzu_library {
#define UZU_MEMBER(name) __typeof__(&uzu_##name) name;
    UZU_FUNCTIONS(UZU_MEMBER)
#undef UZU_MEMBER
} uzu_library;

/*
 * The library; NULL when there is none, and *error, unless error is NULL, then says where it was looked for. It is looked
 * for once.
 */
const uzu_library *uzu_library_of_process(uzu_string *error);

#endif
