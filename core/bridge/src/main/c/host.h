/* What the files of the two hosts share. Nothing here is visible outside the library. */
#ifndef UZU_HOST_H
#define UZU_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "uzu.h"

#define UZU_JAVA_LEAST 25

/* Text as the caller gave it, its length counted. */
typedef struct uzu_text {
    const char *data;
    int64_t length;
} uzu_text;

/* Every entry has one shape, so that Java makes its upcall stubs from one specialisation: 35 shapes cost a second. */
typedef int32_t (*uzu_entry)(uint64_t handle, const uzu_text *texts, int64_t number, void *out, uzu_string *error);

/* In the order of uzu.bridge.Functions. The embedded JVM fills it once; a native image takes an entry's place in it. */
typedef struct uzu_table {
    uzu_entry handle_close;
    uzu_entry engine_create;
    uzu_entry engine_info;
    uzu_entry engine_events;
    uzu_entry engine_models;
    uzu_entry engine_vendors;
    uzu_entry engine_families;
    uzu_entry engine_registries;
    uzu_entry engine_model;
    uzu_entry engine_model_path;
    uzu_entry engine_capabilities;
    uzu_entry engine_count_tokens;
    uzu_entry engine_chat;
    uzu_entry engine_instance;
    uzu_entry instance_memory_used;
    uzu_entry instance_chat;
    uzu_entry engine_complete;
    uzu_entry download_start;
    uzu_entry download_watch;
    uzu_entry download_state;
    uzu_entry download_states;
    uzu_entry download_resume;
    uzu_entry download_pause;
    uzu_entry download_delete;
    uzu_entry session_reply;
    uzu_entry session_messages;
    uzu_entry session_state;
    uzu_entry session_context_length;
    uzu_entry session_reset;
    uzu_entry session_set_messages;
    uzu_entry session_supports_tool_calls;
    uzu_entry session_add_tool;
    uzu_entry session_fork;
    uzu_entry session_save;
    uzu_entry session_restore;
    uzu_entry stream_next;
    uzu_entry stream_cancel;
    uzu_entry stream_tool_results;
    uzu_entry queue_create;
    uzu_entry queue_add;
    uzu_entry queue_next;
    uzu_entry json_complete;
} uzu_table;

#define UZU_ENTRIES ((int32_t)(sizeof(uzu_table) / sizeof(uzu_entry)))

/* ---- host_jvm.c or host_native.c: what the functions of uzu.h are made of */

/* Starts what the engine lives in. Called by one thread at a time, and again after a failure. */
int32_t uzu_host_start(uzu_string *error);

/* Calls an entry by its place in uzu_table. */
int32_t uzu_host_call(int32_t entry, uint64_t handle, const uzu_text *texts, int64_t number, void *out,
                      uzu_string *error);

/* ---- result.c */

/* Memory for a result of Java's; uzu_string_free gives it back. NULL when there is none. */
void *uzu_allocate(int64_t size);

/* Writes the error JSON, if the caller wants it, and returns result. details: "key" and value, or NULL. */
int32_t uzu_fail(uzu_string *error, int32_t result, const char *key, const char *value, const char *format, ...);

/* ---- caller_stack.c */

/* Refuses a call on too small a rest of its thread's stack to run Java code, or on another stack. */
int32_t uzu_stack_check(uzu_string *error);

/* ---- library.c */

/* The folder of this library. 0 when it isn't known. */
int uzu_library_folder(char *folder, size_t capacity);

/* Blocks the signals that a host program is sent, for the calling thread and those that it starts. */
void uzu_block_signals(void);

/* Starts a detached thread with 8 MB of stack and without the host's signals. 0 when there is none to be had. */
int uzu_start_apart(void *(*function)(void *), void *argument);

/* ---- jvm_home.c */

/* The JVM's library of the best Java home >= UZU_JAVA_LEAST; writes the reason into error when there is none. */
int32_t uzu_find_jvm(char *libjvm, size_t capacity, uzu_string *error);

/* ---- jvm_classes.c */

/* UZU_CLASSPATH, else the jars beside the library, joined with colons. The caller frees it; NULL where there are none.
 */
char *uzu_class_path(void);

/* Options by which a JVM of our own finds the engine's classes. */
typedef struct uzu_class_options {
    char *texts[4];
    int count;
} uzu_class_options;

/* 1, or 0 where this JVM has no way to the engine. */
int uzu_find_classes(const char *libjvm, uzu_class_options *options);
void uzu_free_classes(uzu_class_options *options);

/* ---- jvm_locale.c */

typedef struct uzu_locale {
    char *host;   /* the program's locale, which a starting JVM replaces with the environment's */
    char *lc_all; /* LC_ALL as it was */
    int changed;
} uzu_locale;

/* Before a JVM is made: has it take file names as UTF-8, whatever the environment's locale. */
void uzu_locale_begin(uzu_locale *locale);

/* After: gives the program its locale back. */
void uzu_locale_end(uzu_locale *locale);

/* ---- jvm_start.c */

/* Starts or joins a JVM and fills the table. Called once at a time. */
int32_t uzu_start_jvm(uzu_table *table, uzu_string *error);

/* ---- jvm_signals.c */

/* Remembers the JVM's fault handlers, once it runs. libjvm: its library as dlopen gives it. */
void uzu_signals_remember(void *libjvm);

/* Puts the JVM's fault handlers back where somebody (faulthandler, say) has replaced them since. */
void uzu_signals_check(void);

#endif
