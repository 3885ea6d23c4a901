#include "addon.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static void *library; /* written once, before any call */

char *library_open(const char *path) {
    char *message = NULL;
    pthread_mutex_lock(&opening);
    if (library == NULL) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (library == NULL) {
            message = strdup(dlerror());
        }
    }
    pthread_mutex_unlock(&opening);
    return message;
}

void *library_function(const char *name) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "uzu_%s", name);
    return dlsym(library, symbol);
}

/*
 * All parameters in uzu.h are pointers or 64-bit integers. The 64-bit calling conventions pass both alike, and leave
 * arguments that are too many unread; so one type of function serves, as it does in ctypes.
 */
int32_t library_run(library_call *call) {
    int32_t (*function)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);
    memcpy(&function, &call->function, sizeof function);
    intptr_t a[3 + 2 * MOST_TEXTS] = {0};
    int n = 0;
    if (call->has_handle) {
        a[n++] = (intptr_t)call->handle;
    }
    for (int i = 0; i < call->text_count; i++) {
        a[n++] = (intptr_t)call->texts[i];
        a[n++] = (intptr_t)call->lengths[i];
    }
    if (call->kind == RESULT_TEXT) {
        a[n++] = (intptr_t)&call->text;
    } else if (call->kind == RESULT_NUMBER) {
        a[n++] = (intptr_t)&call->number;
    }
    uzu_string error = {NULL, 0};
    a[n++] = (intptr_t)&error;
    int32_t result = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    if (result < 0) {
        call->text = error;
    }
    return result;
}

int32_t library_close(uzu_handle handle) {
    int32_t (*close)(uzu_handle, uzu_string *) = library_function("handle_close");
    return close(handle, NULL);
}

void library_free(uzu_string *string) {
    if (string->data != NULL) {
        void (*release)(uzu_string *) = library_function("string_free");
        release(string);
    }
}
