/* Tools that the caller runs. */
#define _GNU_SOURCE
#include "conformance.h"

static void tools_are_checked(void) {
    static const char *const TOOL =
        "{\"name\":\"look\",\"description\":\"Looks.\",\"parameters\":{\"type\":\"object\"}}";
    uzu_string error;
    int64_t supports = 0;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    if (chat) {
        check_result(uzu_session_supports_tool_calls(session, &supports, &error), UZU_OK, &error, "");
        check(supports == 1, "a chat model can be told of tools", NULL);
        check_result(uzu_session_add_tool(session, TOOL, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_add_tool(session, TOOL, -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_session_add_tool(session, "{\"name\":\"x\"}", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        uzu_handle stream = open_stream(engine, session, 4);
        check_result(uzu_stream_tool_results(stream, "[{\"identifier\":\"1\",\"value\":1}]", -1, &error),
                     UZU_INVALID_ARGUMENT, &error, "invalid_argument");
        check_result(uzu_stream_tool_results(stream, "[", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_stream_tool_results(session, "[]", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

/* Reads to the end; seen: whether text was in a chunk. Calls of tools get the answer; without one, all is cancelled. */
static int32_t drain_with_tools(uzu_handle stream, const char *answer, const char *text, int *seen) {
    uzu_string chunk;
    uzu_string error;
    int32_t result;
    while ((result = uzu_stream_next(stream, -1, &chunk, &error)) == UZU_OK) {
        *seen |= strstr(chunk.data, text) != NULL;
        const char *call = strstr(chunk.data, "{\"call_tools\":[{\"identifier\":\"");
        if (call != NULL && answer == NULL) {
            check_result(uzu_stream_cancel(stream, &error), UZU_OK, &error, "");
        } else if (call != NULL) {
            char results[256];
            call += strlen("{\"call_tools\":[{\"identifier\":\"");
            snprintf(results, sizeof results, "[{\"identifier\":\"%.*s\",%s}]", (int)strcspn(call, "\""), call, answer);
            check_result(uzu_stream_tool_results(stream, results, -1, &error), UZU_OK, &error, "");
            check_result(uzu_stream_tool_results(stream, results, -1, &error), UZU_OK, &error, "");
        }
        uzu_string_free(&chunk);
    }
    uzu_string_free(&error);
    return result;
}

static void a_tool_is_called_and_answered(void) {
    static const char *const ANSWERS[] = {"\"value\":{\"celsius\":25}", "\"error\":\"celsius unknown\"", NULL};
    uzu_string error;
    uzu_handle engine = open_engine();
    for (size_t i = 0; chat && i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        int seen = 0;
        uzu_handle stream = 0;
        uzu_handle session = open_session(engine);
        const char *tool = "{\"name\":\"get_temperature\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}";
        const char *ask = "[{\"role\":\"user\",\"content\":\"What temperature is it?\"}]";
        const char *config = "{\"token_limit\":200,\"tool_choice\":\"required\",\"parallel_tool_calls\":false}";
        check_result(uzu_session_add_tool(session, tool, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_reply(session, ask, -1, config, -1, &stream, &error), UZU_OK, &error, "");
        const char *text = ANSWERS[i] == NULL ? "\"finish_reason\":\"" : "celsius";
        check_result(drain_with_tools(stream, ANSWERS[i], text, &seen), UZU_END, &(uzu_string){0}, "");
        check(seen, "the tool's results", ANSWERS[i]);
        uzu_handle_close(session, NULL);
    }
    uzu_handle_close(engine, NULL);
}

const test_case tools_tests[] = {
    TEST(tools_are_checked),
    TEST(a_tool_is_called_and_answered),
    {NULL, NULL},
};
