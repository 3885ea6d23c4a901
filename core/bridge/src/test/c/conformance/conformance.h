/* What the conformance test's files share: the model, checks that are counted, and things to try them on. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uzu.h"

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

#define TEST(name) {#name, name}

/* A file each, ended by a test without a name. */
extern const test_case engine_tests[];
extern const test_case arguments_tests[];
extern const test_case functions_tests[];
extern const test_case chat_tests[];
extern const test_case grammar_tests[];
extern const test_case tools_tests[];
extern const test_case streams_tests[];
extern const test_case queues_tests[];
extern const test_case races_tests[];
extern const test_case hostile_tests[];
extern const test_case cycles_tests[];
extern const test_case process_tests[];

extern const char *program; /* this program's path */
extern const char *model;
extern int chat; /* whether the model has a chat template; without one, texts are continued */

/* From any thread. what says what should hold, seen (or NULL) what was there. */
void check(int holds, const char *what, const char *seen);

/* The result, and that an error comes with a JSON of that code and success with none. */
void check_result(int32_t result, int32_t expected, uzu_string *error, const char *code);

/* Seconds. */
double now(void);

uzu_handle open_engine(void);

/* 0 when the model has no chat template. */
uzu_handle open_session(uzu_handle engine);

/* A stream of at most `tokens` tokens. */
uzu_handle open_stream(uzu_handle engine, uzu_handle session, int tokens);

/* Reads to the end. Returns the result that ended it; the last chunk's finish reason goes to finish. */
int32_t drain(uzu_handle stream, int *chunks, char *finish, size_t capacity);

/* Replies with this config; the last chunk goes to last, which the caller frees. */
int32_t reply(uzu_handle session, const char *messages, const char *config, uzu_string *last);

/* What main does in place of the tests, for process.c, which starts this program again: it ends amid a reply. */
#define EXIT_WITH_LIVE_STREAM "--exit-with-live-stream"

#endif
