/* Replies that follow a grammar, and JSON that is still being written. */
#define _GNU_SOURCE
#include "conformance.h"

static void unfinished_json_is_completed(void) {
    static const char *const TEXTS[][2] = {
        {"", "null"},
        {"{\"a\": [1, {\"b\": \"c", "{\"a\": [1, {\"b\": \"c\"}]}"},
        {"{\"a\": 1, \"b", "{\"a\": 1}"},
        {"[true, fal", "[true]"},
        {"\"\xc3\xa9\\u00", "\"\xc3\xa9\""},
    };
    uzu_string json;
    uzu_string error;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        check_result(uzu_json_complete(TEXTS[i][0], -1, &json, &error), UZU_OK, &error, "");
        check(json.data != NULL && strcmp(json.data, TEXTS[i][1]) == 0, TEXTS[i][1], json.data);
        uzu_string_free(&json);
    }
    check_result(uzu_json_complete("[1, 2]", 3, &json, &error), UZU_OK, &error, "");
    check(json.data != NULL && strcmp(json.data, "[1]") == 0, "as many bytes as were given", json.data);
    uzu_string_free(&json);
    check_result(uzu_json_complete(NULL, 0, &json, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    check_result(uzu_json_complete("1", -1, NULL, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
}

static void a_reply_follows_its_grammar(void) {
    static const char *const CONFIGS[] = {
        "{\"token_limit\":20,\"grammar\":{\"type\":\"choice\",\"values\":[\"lemon\"]}}",
        "{\"token_limit\":20,\"grammar\":{\"type\":\"regex\",\"pattern\":\"lemon\"}}",
        "{\"token_limit\":20,\"grammar\":{\"type\":\"json_schema\",\"schema\":{\"const\":\"lemon\"}}}",
    };
    uzu_string last;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    for (size_t i = 0; chat && i < sizeof CONFIGS / sizeof CONFIGS[0]; i++) {
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Hi\"}]", CONFIGS[i], &last) == UZU_END, "a reply",
              last.data);
        check(last.data != NULL && strstr(last.data, "lemon") != NULL, "the only text allowed", last.data);
        check(last.data != NULL && strstr(last.data, "\"finish_reason\":\"stop\"") != NULL, "a whole one", last.data);
        uzu_string_free(&last);
    }
    if (chat) {
        const char *config = "{\"grammar\":{\"type\":\"regex\",\"pattern\":\"(a)\\\\1\"}}";
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Hi\"}]", config, &last) == UZU_GRAMMAR_UNSUPPORTED,
              "a back reference is no regular expression", last.data);
    }
    uzu_handle_close(engine, NULL);
}

const test_case grammar_tests[] = {
    TEST(unfinished_json_is_completed),
    TEST(a_reply_follows_its_grammar),
    {NULL, NULL},
};
