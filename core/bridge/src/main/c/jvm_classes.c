/*
 * Where a JVM of our own finds the engine's classes: in jars, or linked into the runtime that lies beside this library.
 * Packages for pip and npm carry such a runtime, with a cache of what its start comes to (JEP 483): that names jars by
 * their times, which installers don't keep, but not a runtime by its.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define MODULE "uzu.runtime"

#if defined(__APPLE__)
#define KERNELS "libuzu_kernels.dylib"
#else
#define KERNELS "libuzu_kernels.so"
#endif

static int is_jar(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".jar") == 0;
}

char *uzu_class_path(void) {
    const char *given = getenv("UZU_CLASSPATH");
    if (given != NULL && *given != 0) {
        return strdup(given);
    }
    char folder[PATH_MAX];
    struct dirent **jars;
    if (!uzu_library_folder(folder, sizeof folder - 6)) {
        return NULL;
    }
    strcat(folder, "/jars");
    int count = scandir(folder, &jars, is_jar, alphasort);
    if (count <= 0) {
        return NULL;
    }
    char *path = NULL;
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        size_t more = strlen(folder) + strlen(jars[i]->d_name) + 2;
        char *longer = realloc(path, length + more + 1);
        if (longer != NULL) {
            path = longer;
            length += (size_t)sprintf(path + length, "%s%s/%s", i == 0 ? "" : ":", folder, jars[i]->d_name);
        }
        free(jars[i]);
    }
    free(jars);
    return path;
}

/* An option made of two texts. */
static void add(uzu_class_options *options, const char *name, const char *value) {
    size_t room = strlen(name) + strlen(value) + 1;
    char *text = malloc(room);
    if (text != NULL) {
        snprintf(text, room, "%s%s", name, value);
        options->texts[options->count++] = text;
    }
}

/* Whether the runtime's modules are ours, too: its release file lists them. */
static int carries_engine(const char *home) {
    char path[PATH_MAX + 16];
    char line[4096];
    int found = 0;
    snprintf(path, sizeof path, "%s/release", home);
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, "MODULES=", 8) == 0 && strstr(line, MODULE) != NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static void add_if_there(uzu_class_options *options, const char *name, const char *folder, const char *file) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (access(path, R_OK) == 0) {
        add(options, name, path);
    }
}

int uzu_find_classes(const char *libjvm, uzu_class_options *options) {
    char *path = uzu_class_path();
    options->count = 0;
    if (path != NULL) {
        add(options, "-Djava.class.path=", path);
        add(options, "--enable-native-access=", "ALL-UNNAMED");
        free(path);
        return options->count == 2;
    }
    char folder[PATH_MAX];
    char home[PATH_MAX];
    /* home/lib/server/libjvm.so */
    snprintf(home, sizeof home, "%s", libjvm);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(home, '/');
        if (slash != NULL) {
            *slash = 0;
        }
    }
    if (!carries_engine(home) || !uzu_library_folder(folder, sizeof folder)) {
        return 0;
    }
    /* With a main module there is no class path, which would otherwise be the working folder. */
    add(options, "-Djdk.module.main=", MODULE);
    add(options, "--enable-native-access=", MODULE);
    add_if_there(options, "-Duzu.kernels=", folder, KERNELS);
    add_if_there(options, "-XX:AOTCache=", home, "lib/uzu.aot");
    return options->count >= 2;
}

void uzu_free_classes(uzu_class_options *options) {
    while (options->count > 0) {
        free(options->texts[--options->count]);
    }
}
