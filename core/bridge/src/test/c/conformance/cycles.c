/* Engines, sessions and streams made and closed, again and again: no memory stays behind. */
#define _GNU_SOURCE
#include "conformance.h"

#include <unistd.h>

/* What a runtime's heap, code caches and allocators may come to between a quarter of the cycles and the end. */
#define MOST_GROWTH (48L << 20)

/* Resident bytes of this process; 0 where the system doesn't tell this way. */
static long resident(void) {
    long all = 0;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%ld %ld", &all, &pages) != 2) {
        pages = 0;
    }
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* A reply that is begun and cancelled comes every eighth time: weights are loaded once, by the instance's engine. */
static void cycle(uzu_handle engine, uzu_handle instance, int with_reply) {
    uzu_string chunk;
    uzu_handle own = open_engine();
    uzu_handle session = 0;
    uzu_handle queue = 0;
    check(uzu_queue_create(&queue, NULL) == UZU_OK, "a queue", NULL);
    check(instance == 0 || uzu_instance_chat(instance, &session, NULL) == UZU_OK, "a session", NULL);
    if (with_reply) {
        uzu_handle stream = open_stream(engine, session, 100);
        check(uzu_stream_next(stream, -1, &chunk, NULL) == UZU_OK, "a chunk", NULL);
        uzu_string_free(&chunk);
        check(uzu_handle_close(stream, NULL) == UZU_OK, "a stream is closed", NULL);
    }
    check(uzu_handle_close(session, NULL) == UZU_OK, "a session is closed", NULL);
    check(uzu_handle_close(queue, NULL) == UZU_OK, "a queue is closed", NULL);
    check(uzu_handle_close(own, NULL) == UZU_OK, "an engine is closed", NULL);
}

static void what_is_closed_leaves_no_memory_behind(void) {
    const char *full = getenv("UZU_TEST_FULL");
    int cycles = full != NULL && *full != 0 ? 1000 : 200;
    char said[64];
    long settled = 0;
    uzu_string error;
    uzu_handle instance = 0;
    uzu_handle engine = open_engine();
    if (chat) {
        check_result(uzu_engine_instance(engine, model, -1, NULL, 0, &instance, &error), UZU_OK, &error, "");
    }
    for (int i = 1; i <= cycles; i++) {
        cycle(engine, instance, i % 8 == 0);
        if (i == cycles / 4) {
            settled = resident();
        }
    }
    long growth = resident() - settled;
    snprintf(said, sizeof said, "%ld KB more after %d cycles", growth >> 10, cycles);
    check(growth < MOST_GROWTH, "memory that stays", said);
    uzu_handle_close(engine, NULL);
}

const test_case cycles_tests[] = {
    TEST(what_is_closed_leaves_no_memory_behind),
    {NULL, NULL},
};
