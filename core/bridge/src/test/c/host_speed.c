/*
 * How fast a host of uzu.h starts and decodes:  host_speed LIBUZU MODEL [TOKENS]
 * Prints, in this order: ms until an engine is there, ms from the start of the program until the first token, tokens a
 * second of a second reply, which is drawn greedily, and resident memory after the first reply (0 where the system
 * doesn't tell). Hosts are compared by alternating runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "uzu.h"

static void *library;

static void *function(const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Megabytes, as Linux counts them. */
static double resident(void) {
    long all = 0;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        pages = fscanf(file, "%ld %ld", &all, &pages) == 2 ? pages : 0;
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void expect(int32_t result, const uzu_string *error) {
    if (result < 0) {
        fprintf(stderr, "%s\n", error->data);
        exit(1);
    }
}

/* Reads a reply to its end; gives the time of its first text. */
static double read_reply(uzu_handle session, const char *config) {
    static const char MESSAGES[] = "[{\"role\":\"user\",\"content\":\"Tell me a long story about a tiny robot\"}]";
    int32_t (*reply)(uzu_handle, const char *, int64_t, const char *, int64_t, uzu_handle *, uzu_string *);
    int32_t (*next)(uzu_handle, int64_t, uzu_string *, uzu_string *);
    void (*give_back)(uzu_string *);
    *(void **)&reply = function("uzu_session_reply");
    *(void **)&next = function("uzu_stream_next");
    *(void **)&give_back = function("uzu_string_free");
    uzu_handle stream;
    uzu_string error;
    uzu_string chunk;
    double first = 0;
    int32_t result;
    expect(reply(session, MESSAGES, -1, config, -1, &stream, &error), &error);
    while ((result = next(stream, -1, &chunk, &error)) == UZU_OK) {
        if (first == 0 && strstr(chunk.data, "\"text\":\"\"") == NULL) {
            first = now();
        }
        give_back(&chunk);
    }
    expect(result, &error);
    return first;
}

int main(int count, char **arguments) {
    double start = now();
    if (count < 3 || (library = dlopen(arguments[1], RTLD_NOW)) == NULL) {
        fprintf(stderr, "usage: %s LIBUZU MODEL [TOKENS]\n", arguments[0]);
        return 2;
    }
    int tokens = count > 3 ? atoi(arguments[3]) : 200;
    int32_t (*create)(const char *, int64_t, uzu_handle *, uzu_string *);
    int32_t (*chat)(uzu_handle, const char *, int64_t, const char *, int64_t, uzu_handle *, uzu_string *);
    int32_t (*reset)(uzu_handle, uzu_string *);
    *(void **)&create = function("uzu_engine_create");
    *(void **)&chat = function("uzu_engine_chat");
    *(void **)&reset = function("uzu_session_reset");
    uzu_handle engine;
    uzu_handle session;
    uzu_string error;
    char config[96];
    expect(create("{\"offline\":true}", -1, &engine, &error), &error);
    double created = now();
    expect(chat(engine, arguments[2], -1, "{\"speculation_preset\":\"off\"}", -1, &session, &error), &error);
    snprintf(config, sizeof config, "{\"token_limit\":%d,\"sampling\":{\"method\":\"greedy\"}}", tokens);
    double first = read_reply(session, config);
    double memory = resident();
    expect(reset(session, &error), &error);
    double begin = now();
    read_reply(session, config);
    printf("engine %.1f ms, first token %.1f ms, %.1f tokens/s, %.0f MB\n", created - start, first - start,
           tokens / (now() - begin) * 1e3, memory);
    return 0;
}
