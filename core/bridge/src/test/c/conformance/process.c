/* The process around: threads, stacks, locale, forks, its end. */
#define _GNU_SOURCE
#include "conformance.h"

#include <locale.h>
#include <pthread.h>
#include <sys/wait.h>
#if !defined(__APPLE__)
#include <ucontext.h>
#endif
#include <unistd.h>

static void *converse(void *engine) {
    int chunks;
    char finish[32];
    uzu_string models;
    uzu_handle session = open_session(*(uzu_handle *)engine);
    for (int i = 0; i < 20; i++) {
        check(uzu_engine_models(*(uzu_handle *)engine, NULL, 0, &models, NULL) == UZU_OK, "models", NULL);
        uzu_string_free(&models);
    }
    uzu_handle stream = open_stream(*(uzu_handle *)engine, session, 3);
    check(drain(stream, &chunks, finish, sizeof finish) == UZU_END, "a stream of its own", NULL);
    uzu_handle_close(stream, NULL);
    uzu_handle_close(session, NULL);
    return NULL;
}

static void sixteen_threads_at_once(void) {
    pthread_t threads[16];
    pthread_attr_t small;
    uzu_handle engine = open_engine();
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    for (int i = 0; i < 16; i++) {
        pthread_create(&threads[i], &small, converse, &engine);
    }
    for (int i = 0; i < 16; i++) {
        pthread_join(threads[i], NULL);
    }
    uzu_handle_close(engine, NULL);
}

static void *create_on_small_stack(void *unused) {
    uzu_handle engine = 0;
    uzu_string error;
    check_result(uzu_engine_create(NULL, 0, &engine, &error), UZU_INVALID_STATE, &error, "invalid_state");
    return unused;
}

static void a_stack_that_is_too_small_is_an_error(void) {
    /* Our own memory: the C library may hand out a larger stack that was used before. */
    static _Alignas(4096) char stack[64 << 10];
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstack(&small, stack, sizeof stack);
    check(pthread_create(&thread, &small, create_on_small_stack, NULL) == 0, "a thread", NULL);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
}

/* Calls with less and less of the stack left, until one is refused. */
static void *go_deep(void *engine) {
    uzu_string info;
    uzu_string error;
    char room[4096];
    memset(room, 1, sizeof room);
    int32_t result = uzu_engine_info(*(uzu_handle *)engine, &info, &error);
    uzu_string_free(&info);
    if (result == UZU_OK) {
        void *deepest = go_deep(engine);
        return room[1] == 1 ? deepest : NULL; /* the room has to be there until here */
    }
    check_result(result, UZU_INVALID_STATE, &error, "invalid_state");
    return engine;
}

static void a_deep_call_is_an_error_rather_than_an_overflow(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    void *seen = NULL;
    uzu_handle engine = open_engine();
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    check(pthread_create(&thread, &attributes, go_deep, &engine) == 0, "a thread", NULL);
    pthread_join(thread, &seen);
    check(seen == &engine, "it came back from down there", NULL);
    pthread_attr_destroy(&attributes);
    uzu_handle_close(engine, NULL);
}

#if !defined(__APPLE__) /* whose contexts are deprecated */
static ucontext_t outside;

static void call_from_coroutine(void) {
    uzu_handle engine = 0;
    uzu_string error;
    check_result(uzu_engine_create(NULL, 0, &engine, &error), UZU_INVALID_STATE, &error, "invalid_state");
    swapcontext(&(ucontext_t){0}, &outside);
}
#endif

static void a_stack_that_is_no_threads_is_an_error(void) {
#if !defined(__APPLE__)
    enum { BYTES = 1 << 20 };
    ucontext_t coroutine;
    char *stack = malloc(BYTES);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = BYTES;
    makecontext(&coroutine, call_from_coroutine, 0);
    swapcontext(&outside, &coroutine);
    free(stack);
#endif
}

static void *wait_for_ever(void *queue) {
    uzu_string ready;
    int32_t result = uzu_queue_next(*(uzu_handle *)queue, -1, &ready, NULL);
    check(result == UZU_END || result == UZU_CLOSED, "a wait that was left to its end", uzu_result_name(result));
    pthread_testcancel();
    return NULL;
}

static void a_cancelled_thread_ends_behind_its_call(void) {
    pthread_t thread;
    void *ended = NULL;
    uzu_handle queue = 0;
    uzu_queue_create(&queue, NULL);
    pthread_create(&thread, NULL, wait_for_ever, &queue);
    usleep(50000);
    pthread_cancel(thread);
    usleep(50000);
    uzu_handle_close(queue, NULL);
    pthread_join(thread, &ended);
    check(ended == PTHREAD_CANCELED, "the thread was cancelled", NULL);
}

static void the_program_keeps_its_locale(void) {
    const char *seen = setlocale(LC_ALL, NULL);
    check(strcmp(seen, "C") == 0, "it is still C", seen);
}

static void a_forked_child_gets_an_error(void) {
    int status = -1;
    uzu_handle engine = open_engine();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        uzu_string models;
        uzu_string error;
        uzu_handle other;
        int refused = uzu_engine_models(engine, NULL, 0, &models, &error) == UZU_INVALID_STATE && error.data != NULL &&
                      strstr(error.data, "fork") != NULL &&
                      uzu_engine_create(NULL, 0, &other, NULL) == UZU_INVALID_STATE &&
                      uzu_handle_close(engine, NULL) == UZU_INVALID_STATE;
        _exit(refused ? 0 : 1);
    }
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child's calls are refused", NULL);
    uzu_string error;
    check_result(uzu_handle_close(engine, &error), UZU_OK, &error, "");
}

static void a_process_ends_with_a_live_stream(void) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, model, EXIT_WITH_LIVE_STREAM, (char *)NULL);
        _exit(127);
    }
    double before = now();
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it exits with 0", NULL);
    check(now() - before < 120, "and in time", NULL);
}

const test_case process_tests[] = {
    TEST(sixteen_threads_at_once),
    TEST(a_stack_that_is_too_small_is_an_error),
    TEST(a_deep_call_is_an_error_rather_than_an_overflow),
    TEST(a_stack_that_is_no_threads_is_an_error),
    TEST(a_cancelled_thread_ends_behind_its_call),
    TEST(the_program_keeps_its_locale),
    TEST(a_forked_child_gets_an_error),
    TEST(a_process_ends_with_a_live_stream),
    {NULL, NULL},
};
