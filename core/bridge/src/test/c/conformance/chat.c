/* Conversations: replaced, forked, saved, with drafts and without. */
#define _GNU_SOURCE
#include "conformance.h"

#include <unistd.h>

/* The message's text as JSON writes it, at most as many bytes as there is room for. */
static void text_of(const char *reply, char *text, size_t capacity) {
    const char *field = reply == NULL ? NULL : strstr(reply, "\"message\":");
    snprintf(text, capacity, "%.*s", (int)(field == NULL ? 0 : strcspn(field, "}")), field == NULL ? "" : field);
}

static void a_speculation_preset_changes_no_text(void) {
    static const char *const PRESETS[] = {
        "{\"speculation_preset\":\"off\"}",
        "{\"speculation_preset\":\"auto\"}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[\"lookup\"],\"max_nodes\":8}}",
    };
    static const char *const REFUSED[] = {
        "{\"speculation_preset\":\"fast\"}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[]}}",
        "{\"speculation_preset\":{\"type\":\"custom\",\"drafters\":[\"lookup\"],\"max_nodes\":1}}",
    };
    char plain[512] = "";
    char text[512];
    uzu_handle session = 0;
    uzu_string error;
    uzu_string last;
    uzu_handle engine = open_engine();
    for (size_t i = 0; chat && i < sizeof PRESETS / sizeof PRESETS[0]; i++) {
        check_result(uzu_engine_chat(engine, model, -1, PRESETS[i], -1, &session, &error), UZU_OK, &error, "");
        check(reply(session, "[{\"role\":\"user\",\"content\":\"Count from 1 to 9, twice.\"}]",
                    "{\"token_limit\":24,\"seed\":1}", &last) == UZU_END,
              "a reply", last.data);
        text_of(last.data, i == 0 ? plain : text, sizeof text);
        check(*plain != 0 && (i == 0 || strcmp(plain, text) == 0), "the text of plain decoding", last.data);
        check(last.data != NULL && (strstr(last.data, "tokens_per_forward_pass") != NULL) == (i > 0),
              "statistics of drafts where there are drafters", last.data);
        uzu_string_free(&last);
        uzu_handle_close(session, NULL);
    }
    for (size_t i = 0; chat && i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        check_result(uzu_engine_chat(engine, model, -1, REFUSED[i], -1, &session, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

static void a_conversation_can_be_replaced(void) {
    uzu_string error;
    uzu_string messages;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    if (chat) {
        const char *talk = "[{\"role\":\"user\",\"content\":\"tulip\"}]";
        check_result(uzu_session_set_messages(session, talk, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(session, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "the new messages", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_set_messages(session, "{}", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
}

static void a_conversation_forks_and_is_saved(void) {
    char path[] = "/tmp/uzu-conversation-XXXXXX";
    uzu_string error;
    uzu_string messages;
    uzu_handle fork = 0;
    uzu_handle engine = open_engine();
    uzu_handle session = open_session(engine);
    int file = mkstemp(path);
    close(file);
    if (chat) {
        const char *talk = "[{\"role\":\"user\",\"content\":\"tulip\"}]";
        check_result(uzu_session_set_messages(session, talk, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_fork(session, &fork, &error), UZU_OK, &error, "");
        check_result(uzu_session_save(session, path, -1, &error), UZU_OK, &error, "");
        check_result(uzu_handle_close(session, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(fork, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "a fork outlives the session", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_reset(fork, &error), UZU_OK, &error, "");
        check_result(uzu_session_restore(fork, path, -1, &error), UZU_OK, &error, "");
        check_result(uzu_session_messages(fork, &messages, &error), UZU_OK, &error, "");
        check(strstr(messages.data, "tulip") != NULL, "the conversation that was saved", messages.data);
        uzu_string_free(&messages);
        check_result(uzu_session_restore(fork, "/nowhere/at all", -1, &error), UZU_INVALID_ARGUMENT, &error,
                     "invalid_argument");
        check_result(uzu_session_save(fork, NULL, 0, &error), UZU_INVALID_ARGUMENT, &error, "invalid_argument");
    }
    uzu_handle_close(engine, NULL);
    unlink(path);
}

const test_case chat_tests[] = {
    TEST(a_speculation_preset_changes_no_text),
    TEST(a_conversation_can_be_replaced),
    TEST(a_conversation_forks_and_is_saved),
    {NULL, NULL},
};
