/* Finds the JVM to start: a Java home whose release file says 25 or newer. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#if defined(__APPLE__)
#define LIBJVM "lib/server/libjvm.dylib"
#else
#define LIBJVM "lib/server/libjvm.so"
#endif

/* The feature number in JAVA_VERSION="25.0.3" of home/release; 0 when home is no Java home. */
static int feature_of(const char *home) {
    char path[PATH_MAX];
    char line[1024];
    int feature = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/release", home) >= sizeof path) {
        return 0;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    while (feature == 0 && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "JAVA_VERSION=\"", 14) == 0) {
            feature = atoi(line + 14);
        }
    }
    fclose(file);
    return feature;
}

/* 1 and the path of libjvm when home is a Java home that is new enough. */
static int usable(const char *home, char *libjvm, size_t capacity) {
    if (home == NULL || *home == 0 || feature_of(home) < UZU_JAVA_LEAST) {
        return 0;
    }
    return (size_t)snprintf(libjvm, capacity, "%s/" LIBJVM, home) < capacity && access(libjvm, R_OK) == 0;
}

/* Tries folder/NAME/suffix for every NAME, newest names last so that they win. */
static int usable_below(const char *folder, const char *suffix, char *libjvm, size_t capacity) {
    struct dirent **names;
    char home[PATH_MAX];
    int found = 0;
    int count = scandir(folder, &names, NULL, alphasort);
    for (int i = count - 1; i >= 0; i--) {
        if (!found && names[i]->d_name[0] != '.' &&
            (size_t)snprintf(home, sizeof home, "%s/%s%s", folder, names[i]->d_name, suffix) < sizeof home) {
            found = usable(home, libjvm, capacity);
        }
        free(names[i]);
    }
    if (count >= 0) {
        free(names);
    }
    return found;
}

/* The home of the `java` that the shell would run. */
static int usable_on_path(char *libjvm, size_t capacity) {
    const char *path = getenv("PATH");
    char program[PATH_MAX];
    char resolved[PATH_MAX];
    while (path != NULL && *path != 0) {
        size_t length = strcspn(path, ":");
        if (length > 0 && (size_t)snprintf(program, sizeof program, "%.*s/java", (int)length, path) < sizeof program &&
            access(program, X_OK) == 0 && realpath(program, resolved) != NULL) {
            for (int up = 0; up < 2; up++) {
                char *slash = strrchr(resolved, '/');
                if (slash != NULL) {
                    *slash = 0;
                }
            }
            if (usable(resolved, libjvm, capacity)) {
                return 1;
            }
        }
        path += length + (path[length] == ':');
    }
    return 0;
}

static int usable_in_usual_places(char *libjvm, size_t capacity) {
    static const char *const FOLDERS[][2] = {
        {"/usr/lib/jvm", ""},
        {"/usr/java", ""},
        {"/opt/java", ""},
        {"/opt", ""},
        {"/Library/Java/JavaVirtualMachines", "/Contents/Home"},
        {"/opt/homebrew/opt", "/libexec/openjdk.jdk/Contents/Home"},
        {"/usr/local/opt", "/libexec/openjdk.jdk/Contents/Home"},
    };
    static const char *const AT_HOME[][2] = {
        {".sdkman/candidates/java", ""},
        {".jdks", ""},
        {"Library/Java/JavaVirtualMachines", "/Contents/Home"},
    };
    for (size_t i = 0; i < sizeof FOLDERS / sizeof FOLDERS[0]; i++) {
        if (usable_below(FOLDERS[i][0], FOLDERS[i][1], libjvm, capacity)) {
            return 1;
        }
    }
    const char *user = getenv("HOME");
    for (size_t i = 0; user != NULL && i < sizeof AT_HOME / sizeof AT_HOME[0]; i++) {
        char folder[PATH_MAX];
        if ((size_t)snprintf(folder, sizeof folder, "%s/%s", user, AT_HOME[i][0]) < sizeof folder &&
            usable_below(folder, AT_HOME[i][1], libjvm, capacity)) {
            return 1;
        }
    }
    return 0;
}

int32_t uzu_find_jvm(char *libjvm, size_t capacity, uzu_string *error) {
    const char *wanted = getenv("UZU_JAVA_HOME");
    if (wanted != NULL && *wanted != 0) {
        if (usable(wanted, libjvm, capacity)) {
            return UZU_OK;
        }
        return uzu_fail(error, UZU_INVALID_ARGUMENT, "path", wanted,
                        "UZU_JAVA_HOME is no Java home of version %d or newer: %s", UZU_JAVA_LEAST, wanted);
    }
    char folder[PATH_MAX - 16];
    char bundled[PATH_MAX];
    if (uzu_library_folder(folder, sizeof folder)) {
        snprintf(bundled, sizeof bundled, "%s/runtime", folder);
        if (usable(bundled, libjvm, capacity)) {
            return UZU_OK;
        }
    }
    if (usable(getenv("JAVA_HOME"), libjvm, capacity) || usable_on_path(libjvm, capacity) ||
        usable_in_usual_places(libjvm, capacity)) {
        return UZU_OK;
    }
    return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                    "No Java runtime of version %d or newer was found. Install one (Temurin %d, for instance), or set "
                    "UZU_JAVA_HOME to it.",
                    UZU_JAVA_LEAST, UZU_JAVA_LEAST);
}
