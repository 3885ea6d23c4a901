/*
 * Finds libuzu and its functions: where UZU_LIBRARY says, beside the program, in the package's own folder, where
 * `tools/tools install library` puts it, and where the system looks.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

#if defined(__APPLE__)
#define NAME "libuzu.dylib"
#else
#define NAME "libuzu.so"
#endif

/* Room for a reason, and for the places in it. */
enum { TEXT_BYTES = 8192, PLACES_BYTES = TEXT_BYTES - 512 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uzu_library library;
static int is_loaded;
static char path_at_fault[PATH_MAX];
static char reason[TEXT_BYTES]; /* why there is none */

static void give_up(const char *path, const char *why, const char *detail) {
    snprintf(path_at_fault, sizeof path_at_fault, "%s", path);
    snprintf(reason, sizeof reason, why, path, detail);
}

/* Takes the functions of a library that is there, or tells why not. */
static int take(const char *path) {
    static const struct {
        const char *name;
        size_t offset;
    } FUNCTIONS[] = {
#define UZU_PLACE(name) {"uzu_" #name, offsetof(uzu_library, name)},
        UZU_FUNCTIONS(UZU_PLACE)
#undef UZU_PLACE
    };
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (opened == NULL) {
        give_up(path, "uzu's library %s can't be loaded: %s", dlerror());
        return 0;
    }
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++) {
        void *function = dlsym(opened, FUNCTIONS[i].name);
        if (function == NULL) {
            give_up(path, "uzu's library %s is of another version than the Swift package: it has no %s",
                    FUNCTIONS[i].name);
            return 0;
        }
        memcpy((char *)&library + FUNCTIONS[i].offset, &function, sizeof function);
    }
    is_loaded = 1;
    return 1;
}

/* Whether the search is over: the library was in the folder, and is loaded or can't be. */
static int found_in(const char *folder, const char *below, char *searched) {
    char path[PATH_MAX];
    if (folder == NULL || *folder == 0 ||
        (size_t)snprintf(path, sizeof path, "%s%s/" NAME, folder, below) >= sizeof path) {
        return 0;
    }
    if (access(path, R_OK) == 0) {
        take(path);
        return 1;
    }
    size_t length = strlen(searched);
    snprintf(searched + length, PLACES_BYTES - length, "\n  %s", path);
    return 0;
}

/* The folder of the program, or of the library that this code was made a part of. */
static const char *own_folder(char *folder) {
    Dl_info info;
    char resolved[PATH_MAX];
    const char *path = dladdr(&library, &info) != 0 ? info.dli_fname : NULL;
#if defined(__linux__)
    /* A program is known by the name that it was called by, which may be one that was looked up. */
    if (path == NULL || strchr(path, '/') == NULL) {
        path = "/proc/self/exe";
    }
#endif
    if (path == NULL || realpath(path, resolved) == NULL) {
        return NULL;
    }
    *strrchr(resolved, '/') = 0;
    return strcpy(folder, resolved);
}

static void load(void) {
    char searched[PLACES_BYTES] = "";
    char folder[PATH_MAX];
    const char *wanted = getenv("UZU_LIBRARY");
    if (wanted != NULL && *wanted != 0) {
        if (access(wanted, R_OK) == 0) {
            take(wanted);
        } else {
            give_up(wanted, "UZU_LIBRARY names no file: %s%s", "");
        }
        return;
    }
    const char *own = own_folder(folder);
    if (found_in(own, "", searched) || found_in(own, "/../lib", searched) || found_in(own, "/../lib/uzu", searched) ||
        found_in(UZU_PACKAGE_FOLDER, "/native", searched) || found_in(getenv("HOME"), "/.local/lib/uzu", searched) ||
        found_in("/usr/local/lib", "/uzu", searched) || found_in("/usr/lib", "/uzu", searched)) {
        return;
    }
    /* LD_LIBRARY_PATH, and what the system is set up for. */
    void *of_system = dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
    if (of_system != NULL) {
        take(NAME);
        return;
    }
    snprintf(reason, sizeof reason,
             "uzu's library isn't there. Set UZU_LIBRARY to it, or put it into one of the places below: `tools/tools "
             "install library`, in uzu's repository, builds it for the one in the home folder.%s\n  " NAME
             ", where the system looks for libraries",
             searched);
}

/* {"code", "message", "details"}, as libuzu itself writes errors. */
static void write_error(uzu_string *error) {
    char *json = malloc(2 * (sizeof reason + sizeof path_at_fault) + 128);
    if (json == NULL) {
        return;
    }
    char *end = stpcpy(json, "{\"code\":\"invalid_state\",\"message\":\"");
    const char *texts[] = {reason, path_at_fault};
    int count = *path_at_fault == 0 ? 1 : 2;
    for (int i = 0; i < count; i++) {
        for (const char *c = texts[i]; *c != 0; c++) {
            if (*c == '\n') {
                end = stpcpy(end, "\\n");
            } else if ((unsigned char)*c >= ' ') {
                end = *c == '"' || *c == '\\' ? stpcpy(end, "\\") : end;
                *end++ = *c;
            }
        }
        end = stpcpy(end, i == count - 1 ? "\"" : "\",\"details\":{\"path\":\"");
    }
    end = stpcpy(end, count == 1 ? "}" : "}}");
    error->data = json;
    error->length = end - json;
}

const uzu_library *uzu_library_of_process(uzu_string *error) {
    pthread_once(&once, load);
    if (is_loaded) {
        return &library;
    }
    if (error != NULL) {
        *error = (uzu_string){NULL, 0};
        write_error(error);
    }
    return NULL;
}
