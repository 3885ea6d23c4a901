/* What JavaScript sees: open, connect, call, read, hold, end. Its caller is our own code, src/native.ts. */
#include "addon.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        if ((call) != napi_ok) {                                                                                       \
            return fail(env);                                                                                          \
        }                                                                                                              \
    } while (0)

static napi_value fail(napi_env env) {
    const napi_extended_error_info *info;
    bool thrown = false;
    napi_is_exception_pending(env, &thrown);
    if (!thrown) {
        napi_get_last_error_info(env, &info);
        napi_throw_error(env, NULL, info->error_message != NULL ? info->error_message : "uzu's addon failed");
    }
    return NULL;
}

static napi_value fail_with(napi_env env, const char *message) {
    napi_throw_error(env, NULL, message);
    return NULL;
}

static char *utf8_of(napi_env env, napi_value value, size_t *length) {
    if (napi_get_value_string_utf8(env, value, NULL, 0, length) != napi_ok) {
        return NULL;
    }
    char *text = malloc(*length + 1);
    if (text != NULL) {
        napi_get_value_string_utf8(env, value, text, *length + 1, length);
    }
    return text;
}

static environment *environment_of(napi_env env) {
    void *data = NULL;
    napi_get_instance_data(env, &data);
    return data;
}

/* open(path): the library's version */
static napi_value open_library(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value path_value;
    CHECK(napi_get_cb_info(env, info, &count, &path_value, NULL, NULL));
    size_t length;
    char *path = utf8_of(env, path_value, &length);
    if (path == NULL) {
        return fail(env);
    }
    char *message = library_open(path);
    free(path);
    if (message != NULL) {
        napi_throw_error(env, NULL, message);
        free(message);
        return NULL;
    }
    const char *(*version)(void) = library_function("version");
    if (version == NULL) {
        return fail_with(env, "it is no libuzu: it has no uzu_version");
    }
    napi_value text;
    CHECK(napi_create_string_utf8(env, version(), NAPI_AUTO_LENGTH, &text));
    return text;
}

static void on_cleanup(void *self) {
    environment_end(self);
    environment_release(self);
}

/* connect(deliver): once for each environment */
static napi_value connect(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value deliver;
    CHECK(napi_get_cb_info(env, info, &count, &deliver, NULL, NULL));
    if (environment_of(env) != NULL) {
        return fail_with(env, "connected already");
    }
    environment *self = environment_create(env, deliver);
    if (self == NULL) {
        return fail_with(env, "no memory");
    }
    CHECK(napi_set_instance_data(env, self, NULL, NULL));
    CHECK(napi_add_env_cleanup_hook(env, on_cleanup, self));
    return NULL;
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

typedef struct job {
    environment *environment;
    double id;
    int makes_owned; /* an engine: nothing else closes it when the environment ends */
    int closes;
    int reads;
    library_call call;
} job;

static void free_job(job *self) {
    for (int i = 0; i < self->call.text_count; i++) {
        free(self->call.texts[i]);
    }
    environment_release(self->environment);
    free(self);
}

static void run_job(void *argument) {
    job *self = argument;
    library_call *call = &self->call;
    if (self->closes) {
        environment_disown(self->environment, call->handle);
    }
    int32_t result =
        self->reads ? reader_add(self->environment, call->handle, &call->text) : library_run(call);
    if (result == UZU_OK && self->makes_owned) {
        environment_own(self->environment, call->number);
    }
    environment_deliver(self->environment, self->id, result, call->kind, call->text, call->number);
    free_job(self);
}

static napi_value start_job(napi_env env, job *started) {
    if (!threads_run(run_job, started)) {
        free_job(started);
        return fail_with(env, "no thread can be started");
    }
    return NULL;
}

static job *make_job(environment *environment, napi_env env, napi_value id) {
    job *made = environment == NULL || environment->deliver == NULL ? NULL : calloc(1, sizeof *made);
    if (made != NULL) {
        environment_retain(environment);
        made->environment = environment;
        napi_get_value_double(env, id, &made->id);
    }
    return made;
}

/* Whether all texts were taken over; null stays NULL. */
static int take_texts(napi_env env, library_call *call, const napi_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        napi_valuetype type;
        napi_typeof(env, values[i], &type);
        size_t length = 0;
        call->text_count++;
        if (type == napi_string && (call->texts[i] = utf8_of(env, values[i], &length)) == NULL) {
            return 0;
        }
        call->lengths[i] = (int64_t)length;
    }
    return 1;
}

/* call(id, name, kind, handle or null, ...texts) */
static napi_value call_library(napi_env env, napi_callback_info info) {
    size_t count = 4 + MOST_TEXTS;
    napi_value arguments[4 + MOST_TEXTS];
    CHECK(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    if (count < 4 || count > 4 + MOST_TEXTS) {
        return fail_with(env, "call takes an id, a name, a kind, a handle and up to three texts");
    }
    char name[64];
    size_t length;
    CHECK(napi_get_value_string_utf8(env, arguments[1], name, sizeof name, &length));
    void *function = library_function(name);
    if (function == NULL) {
        return fail_with(env, "this libuzu is older than the package: it lacks a function");
    }
    job *made = make_job(environment_of(env), env, arguments[0]);
    if (made == NULL) {
        return fail_with(env, "uzu has ended in this thread");
    }
    int32_t kind = RESULT_NOTHING;
    double handle = 0;
    napi_get_value_int32(env, arguments[2], &kind);
    made->call.function = function;
    made->call.kind = (enum result_kind)kind;
    made->call.has_handle = napi_get_value_double(env, arguments[3], &handle) == napi_ok;
    made->call.handle = (uzu_handle)handle;
    made->makes_owned = strcmp(name, "engine_create") == 0;
    made->closes = strcmp(name, "handle_close") == 0;
    if (!take_texts(env, &made->call, arguments + 4, count - 4)) {
        free_job(made);
        return fail_with(env, "no memory");
    }
    return start_job(env, made);
}

/* now(name, ...texts): [result, its value], of a call without a handle that is over at once */
static napi_value call_now(napi_env env, napi_callback_info info) {
    size_t count = 1 + MOST_TEXTS;
    napi_value arguments[1 + MOST_TEXTS];
    CHECK(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    if (count < 1 || count > 1 + MOST_TEXTS) {
        return fail_with(env, "now takes a name and up to three texts");
    }
    char name[64];
    size_t length;
    CHECK(napi_get_value_string_utf8(env, arguments[0], name, sizeof name, &length));
    library_call call = {.function = library_function(name), .kind = RESULT_TEXT};
    if (call.function == NULL) {
        return fail_with(env, "this libuzu is older than the package: it lacks a function");
    }
    int taken = take_texts(env, &call, arguments + 1, count - 1);
    int32_t result = taken ? library_run(&call) : UZU_OUT_OF_MEMORY;
    for (int i = 0; i < call.text_count; i++) {
        free(call.texts[i]);
    }
    napi_value both, code, value;
    napi_status status = call.text.data == NULL
        ? napi_get_undefined(env, &value)
        : napi_create_string_utf8(env, call.text.data, (size_t)call.text.length, &value);
    library_free(&call.text);
    CHECK(status);
    CHECK(napi_create_int32(env, result, &code));
    CHECK(napi_create_array_with_length(env, 2, &both));
    CHECK(napi_set_element(env, both, 0, code));
    CHECK(napi_set_element(env, both, 1, value));
    return both;
}

/* read(id, stream): what the stream gives comes as batches, with the id 0 */
static napi_value read_stream(napi_env env, napi_callback_info info) {
    size_t count = 2;
    napi_value arguments[2];
    CHECK(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    double stream;
    CHECK(napi_get_value_double(env, arguments[1], &stream));
    job *made = make_job(environment_of(env), env, arguments[0]);
    if (made == NULL) {
        return fail_with(env, "uzu has ended in this thread");
    }
    made->reads = 1;
    made->call.handle = (uzu_handle)stream;
    return start_job(env, made);
}

/* hold(whether the event loop stays alive) */
static napi_value hold(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value held_value;
    bool held = false;
    CHECK(napi_get_cb_info(env, info, &count, &held_value, NULL, NULL));
    CHECK(napi_get_value_bool(env, held_value, &held));
    environment *self = environment_of(env);
    if (self != NULL) {
        environment_hold(self, env, held);
    }
    return NULL;
}

/* end() */
static napi_value end(napi_env env, napi_callback_info info) {
    (void)info;
    environment *self = environment_of(env);
    if (self != NULL) {
        environment_end(self);
    }
    return NULL;
}

/* Node unloads an addon with the last worker that uses it; threads of ours may still run then. */
static void stay_loaded(void) {
    Dl_info here;
    static const char anchor = 0;
    if (dladdr(&anchor, &here) != 0) {
        dlopen(here.dli_fname, RTLD_NOW | RTLD_NODELETE);
    }
}

NAPI_MODULE_INIT() {
    stay_loaded();
    napi_property_descriptor functions[] = {
        {"open", NULL, open_library, NULL, NULL, NULL, napi_enumerable, NULL},
        {"connect", NULL, connect, NULL, NULL, NULL, napi_enumerable, NULL},
        {"call", NULL, call_library, NULL, NULL, NULL, napi_enumerable, NULL},
        {"now", NULL, call_now, NULL, NULL, NULL, napi_enumerable, NULL},
        {"read", NULL, read_stream, NULL, NULL, NULL, napi_enumerable, NULL},
        {"hold", NULL, hold, NULL, NULL, NULL, napi_enumerable, NULL},
        {"end", NULL, end, NULL, NULL, NULL, napi_enumerable, NULL},
    };
    CHECK(napi_define_properties(env, exports, sizeof functions / sizeof *functions, functions));
    return exports;
}
