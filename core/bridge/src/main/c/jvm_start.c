/*
 * Starts a JVM in this process, or joins the one that runs here already, and has uzu.bridge.CApi fill the table.
 *
 * The JVM is created on a thread of its own with a known stack, never on the caller's: a JVM treats its creator's stack
 * as the primordial one. Options that a JVM refuses make it end the process; its exit and abort hooks turn that into an
 * error instead (the half-made JVM's thread then sleeps for ever).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#else
#include <link.h>
#endif

#include "host.h"

#define MAX_OPTIONS 64

typedef jint(JNICALL *create_jvm)(JavaVM **vm, void **env, void *arguments);
typedef jint(JNICALL *created_jvms)(JavaVM **vms, jsize capacity, jsize *count);

typedef struct start {
    uzu_table *table;
    uzu_string *error;
    int32_t result;
} start;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static enum { RUNNING, DONE, REFUSED } progress;
static pthread_t starter;
static volatile int starting;
static char said[2048];

/* ---- hooks of the JVM */

static jint JNICALL on_print(FILE *file, const char *format, va_list arguments) {
    if (!starting) {
        return vfprintf(file, format, arguments);
    }
    size_t length = strlen(said);
    return vsnprintf(said + length, sizeof said - length, format, arguments);
}

static void sleep_if_starting(void) {
    if (!starting || !pthread_equal(pthread_self(), starter)) {
        return;
    }
    pthread_mutex_lock(&lock);
    progress = REFUSED;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    for (;;) {
        pause();
    }
}

static void JNICALL on_exit_of_jvm(jint code) {
    sleep_if_starting();
    exit(code);
}

static void JNICALL on_abort_of_jvm(void) {
    sleep_if_starting();
    abort();
}

/* ---- the Java side */

/* Says what Java threw, and clears it. */
static int32_t failed_in_java(JNIEnv *env, uzu_string *error, const char *doing) {
    char text[1024] = "";
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    if (thrown != NULL) {
        jclass type = (*env)->GetObjectClass(env, thrown);
        jmethodID to_string = (*env)->GetMethodID(env, type, "toString", "()Ljava/lang/String;");
        jstring string = to_string == NULL ? NULL : (jstring)(*env)->CallObjectMethod(env, thrown, to_string);
        if (string != NULL && !(*env)->ExceptionCheck(env)) {
            const char *chars = (*env)->GetStringUTFChars(env, string, NULL);
            if (chars != NULL) {
                snprintf(text, sizeof text, "%s", chars);
                (*env)->ReleaseStringUTFChars(env, string, chars);
            }
        }
        (*env)->ExceptionClear(env);
    }
    return uzu_fail(error, UZU_INTERNAL, NULL, NULL, "%s failed in Java: %s", doing, text);
}

/* new URL[] {…} for the entries of a class path; NULL with a pending exception. */
static jobjectArray urls_of(JNIEnv *env, char *path) {
    jclass url = (*env)->FindClass(env, "java/net/URL");
    jclass file = (*env)->FindClass(env, "java/io/File");
    jclass uri = (*env)->FindClass(env, "java/net/URI");
    if (url == NULL || file == NULL || uri == NULL) {
        return NULL;
    }
    jmethodID make = (*env)->GetMethodID(env, file, "<init>", "(Ljava/lang/String;)V");
    jmethodID to_uri = (*env)->GetMethodID(env, file, "toURI", "()Ljava/net/URI;");
    jmethodID to_url = (*env)->GetMethodID(env, uri, "toURL", "()Ljava/net/URL;");
    jsize count = 1;
    for (char *c = path; *c != 0; c++) {
        count += *c == ':';
    }
    jobjectArray urls = (*env)->NewObjectArray(env, count, url, NULL);
    char *rest = path;
    for (jsize i = 0; urls != NULL && i < count; i++) {
        jstring name = (*env)->NewStringUTF(env, strsep(&rest, ":"));
        jobject entry = name == NULL ? NULL : (*env)->NewObject(env, file, make, name);
        jobject place = entry == NULL ? NULL : (*env)->CallObjectMethod(env, entry, to_uri);
        jobject address = place == NULL ? NULL : (*env)->CallObjectMethod(env, place, to_url);
        if (address == NULL) {
            return NULL;
        }
        (*env)->SetObjectArrayElement(env, urls, i, address);
    }
    return urls;
}

/* CApi through a class loader of our own, in a JVM whose class path is somebody else's. */
static jclass load_beside(JNIEnv *env, char *path) {
    jclass loaders = (*env)->FindClass(env, "java/lang/ClassLoader");
    jclass type = (*env)->FindClass(env, "java/net/URLClassLoader");
    jobjectArray urls = urls_of(env, path);
    if (loaders == NULL || type == NULL || urls == NULL) {
        return NULL;
    }
    jmethodID platform = (*env)->GetStaticMethodID(env, loaders, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
    jmethodID make = (*env)->GetMethodID(env, type, "<init>", "([Ljava/net/URL;Ljava/lang/ClassLoader;)V");
    jmethodID load = (*env)->GetMethodID(env, type, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    jobject parent = (*env)->CallStaticObjectMethod(env, loaders, platform);
    jobject loader = (*env)->NewObject(env, type, make, urls, parent);
    jstring name = (*env)->NewStringUTF(env, "uzu.bridge.CApi");
    if (loader == NULL || name == NULL) {
        return NULL;
    }
    return (jclass)(*env)->CallObjectMethod(env, loader, load, name);
}

static int32_t fill_table(JNIEnv *env, jclass api, start *start) {
    if (api == NULL) {
        return failed_in_java(env, start->error, "Loading the class uzu.bridge.CApi");
    }
    (*env)->NewGlobalRef(env, api);
    jmethodID fill = (*env)->GetStaticMethodID(env, api, "fill", "(JIJ)I");
    if (fill == NULL) {
        return failed_in_java(env, start->error, "Finding CApi.fill");
    }
    jint filled = (*env)->CallStaticIntMethod(env, api, fill, (jlong)(intptr_t)start->table, (jint)UZU_ENTRIES,
                                              (jlong)(intptr_t)&uzu_allocate);
    if ((*env)->ExceptionCheck(env)) {
        return failed_in_java(env, start->error, "Filling the table of functions");
    }
    if (filled != UZU_ENTRIES) {
        return uzu_fail(start->error, UZU_INTERNAL, NULL, NULL,
                        "The library has %d entries and its Java classes %d: they are of different versions.",
                        UZU_ENTRIES, filled);
    }
    return UZU_OK;
}

/* ---- a JVM that is there already */

#if defined(__APPLE__)
static void *loaded_libjvm(void) {
    for (uint32_t i = 0; i < _dyld_image_count(); i++) {
        const char *name = _dyld_get_image_name(i);
        size_t length = name == NULL ? 0 : strlen(name);
        if (length > 13 && strcmp(name + length - 13, "/libjvm.dylib") == 0) {
            return dlopen(name, RTLD_NOW | RTLD_NOLOAD);
        }
    }
    return NULL;
}
#else
static int is_libjvm(struct dl_phdr_info *info, size_t size, void *name) {
    (void)size;
    size_t length = info->dlpi_name == NULL ? 0 : strlen(info->dlpi_name);
    if (length > 10 && strcmp(info->dlpi_name + length - 10, "/libjvm.so") == 0 && length < PATH_MAX) {
        strcpy(name, info->dlpi_name);
        return 1;
    }
    return 0;
}

static void *loaded_libjvm(void) {
    char name[PATH_MAX];
    return dl_iterate_phdr(is_libjvm, name) == 0 ? NULL : dlopen(name, RTLD_NOW | RTLD_NOLOAD);
}
#endif

static JavaVM *running_jvm(void *library) {
    created_jvms created;
    JavaVM *vm = NULL;
    jsize count = 0;
    *(void **)&created = library == NULL ? NULL : dlsym(library, "JNI_GetCreatedJavaVMs");
    return created != NULL && created(&vm, 1, &count) == JNI_OK && count > 0 ? vm : NULL;
}

static int32_t join_jvm(JavaVM *vm, void *library, start *start) {
    JNIEnv *env;
    JavaVMAttachArgs arguments = {JNI_VERSION_21, (char *)"uzu-start", NULL};
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &arguments) != JNI_OK) {
        return uzu_fail(start->error, UZU_INVALID_STATE, NULL, NULL,
                        "The Java that runs in this process is too old for uzu: "
                        "it needs version %d, or a libuzu that is a native image.",
                        UZU_JAVA_LEAST);
    }
    /* Feature releases since 9 number their JNI so: (major << 16). */
    int feature = (*env)->GetVersion(env) >> 16;
    int32_t result;
    char *path = uzu_class_path();
    if (feature < 24) {
        result =
            uzu_fail(start->error, UZU_INVALID_STATE, NULL, NULL,
                     "The Java that runs in this process is too old for uzu: "
                     "it needs version %d, or a libuzu that is a native image.",
                     UZU_JAVA_LEAST);
    } else if (path == NULL) {
        result = uzu_fail(start->error, UZU_INVALID_STATE, NULL, NULL,
                          "A Java runs in this process already, and uzu's jars, by which it could be joined, aren't "
                          "beside uzu's library; UZU_CLASSPATH may name them.");
    } else {
        uzu_signals_remember(library);
        result = fill_table(env, load_beside(env, path), start);
    }
    free(path);
    (*vm)->DetachCurrentThread(vm);
    return result;
}

/* ---- a JVM of our own */

/* Appends the user's options, one word each; the hooks turn what the JVM refuses into an error. -1: too many. */
static int add_user_options(char *words, JavaVMOption *options, int count) {
    char *rest = words;
    for (char *word; (word = strsep(&rest, " \n")) != NULL;) {
        if (*word != 0 && count == MAX_OPTIONS) {
            return -1;
        }
        if (*word != 0) {
            options[count++].optionString = word;
        }
    }
    return count;
}

static int32_t create(void *library, const char *libjvm, start *start) {
    create_jvm create;
    *(void **)&create = dlsym(library, "JNI_CreateJavaVM");
    uzu_class_options classes;
    if (create == NULL) {
        return uzu_fail(start->error, UZU_INVALID_STATE, "path", libjvm, "This is no JVM: %s", libjvm);
    }
    if (!uzu_find_classes(libjvm, &classes)) {
        uzu_free_classes(&classes);
        return uzu_fail(start->error, UZU_INVALID_STATE, "path", libjvm,
                        "uzu's classes are neither in jars beside its library nor in this Java runtime: %s. Where "
                        "UZU_JAVA_HOME names another one than the package carries, unset it.",
                        libjvm);
    }
    const char *given = getenv("UZU_JAVA_OPTIONS");
    char *words = strdup(given == NULL ? "" : given);
    JavaVMOption options[MAX_OPTIONS] = {
        {(char *)"exit", (void *)(uintptr_t)&on_exit_of_jvm},
        {(char *)"abort", (void *)(uintptr_t)&on_abort_of_jvm},
        {(char *)"vfprintf", (void *)(uintptr_t)&on_print},
        {(char *)"-Xrs", NULL}, /* Ctrl-C and the like stay the host's */
        {(char *)"-XX:-UsePerfData", NULL},
        {(char *)"-XX:+UseSerialGC", NULL}, /* the heap is small, weights lie outside; G1's threads would only cost */
        /* A 64th of the machine's memory to begin with is 70 MB that a small model doesn't need. */
        {(char *)"-Xms8m", NULL},
        {(char *)"-XX:MinHeapFreeRatio=10", NULL},
        {(char *)"-XX:MaxHeapFreeRatio=20", NULL},
        {(char *)"-Xlog:disable", NULL}, /* the host's standard output isn't the JVM's */
        {(char *)"-Xlog:all=warning:stderr", NULL},
        /* A cache that can't be used makes the start slower, and nothing else. */
        {(char *)"-Xlog:aot*=off,cds*=off:stderr", NULL},
    };
    int count = 0;
    while (options[count].optionString != NULL) {
        count++;
    }
    for (int i = 0; i < classes.count; i++) {
        options[count++].optionString = classes.texts[i];
    }
    count = add_user_options(words, options, count);
    JavaVMInitArgs arguments = {JNI_VERSION_21, count, options, JNI_FALSE};
    JavaVM *vm = NULL;
    JNIEnv *env = NULL;
    uzu_locale locale;
    uzu_locale_begin(&locale);
    jint made = count < 0 ? JNI_EINVAL : create(&vm, (void **)&env, &arguments);
    uzu_locale_end(&locale);
    uzu_free_classes(&classes);
    free(words);
    if (count < 0) {
        return uzu_fail(start->error, UZU_INVALID_STATE, NULL, NULL,
                        "UZU_JAVA_OPTIONS has too many options: with those of uzu %d are the most.", MAX_OPTIONS);
    }
    if (made != JNI_OK) {
        return uzu_fail(start->error, UZU_INVALID_STATE, "path", libjvm, "The Java runtime doesn't start (%d): %s",
                        made, said);
    }
    uzu_signals_remember(library);
    int32_t result = fill_table(env, (*env)->FindClass(env, "uzu/bridge/CApi"), start);
    (*vm)->DetachCurrentThread(vm);
    return result;
}

static int32_t start_or_join(start *start) {
    void *library = loaded_libjvm();
    JavaVM *running = running_jvm(library);
    if (running != NULL) {
        return join_jvm(running, library, start);
    }
    char libjvm[PATH_MAX];
    int32_t result = uzu_find_jvm(libjvm, sizeof libjvm, start->error);
    if (result != UZU_OK) {
        return result;
    }
    library = dlopen(libjvm, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        return uzu_fail(start->error, UZU_INVALID_STATE, "path", libjvm, "The Java runtime can't be loaded: %s",
                        dlerror());
    }
    return create(library, libjvm, start);
}

static void *on_own_thread(void *argument) {
    start *start = argument;
    starter = pthread_self();
    start->result = start_or_join(start);
    pthread_mutex_lock(&lock);
    progress = DONE;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int32_t uzu_start_jvm(uzu_table *table, uzu_string *error) {
    /* A JVM refused here can't be made again in this process. */
    if (progress == REFUSED) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL, "The Java runtime didn't start: %s", said);
    }
    start start = {table, error, UZU_INTERNAL};
    pthread_mutex_lock(&lock);
    progress = RUNNING;
    starting = 1;
    int started = uzu_start_apart(on_own_thread, &start);
    while (started && progress == RUNNING) {
        pthread_cond_wait(&ended, &lock);
    }
    starting = 0;
    pthread_mutex_unlock(&lock);
    if (!started) {
        return uzu_fail(error, UZU_OUT_OF_MEMORY, NULL, NULL, "No thread can be started for the Java runtime.");
    }
    if (progress == REFUSED) {
        return uzu_fail(error, UZU_INVALID_STATE, NULL, NULL,
                        "The Java runtime refuses its options (UZU_JAVA_OPTIONS, JAVA_TOOL_OPTIONS): %s", said);
    }
    return start.result;
}
