/* Results that cross the boundary: strings and errors. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static const char *const CODES[] = {
    "invalid_argument", "invalid_state",   "model_not_found",  "model_unsupported",
    "model_corrupt",    "tensor_missing",  "download_failed",  "disk_full",
    "offline",          "out_of_memory",   "context_overflow", "grammar_unsupported",
    "grammar_dead_end", "template_failed", "tool_failed",      "tool_turn_limit",
    "cancelled",        "provider_failed", "closed",           "internal",
};

#define CODE_COUNT ((int32_t)(sizeof CODES / sizeof CODES[0]))

UZU_API const char *uzu_result_name(int32_t result) {
    static const char *const GOOD[] = {"ok", "timeout", "end"};
    if (result >= 0) {
        return result <= UZU_END ? GOOD[result] : "unknown";
    }
    return result >= -CODE_COUNT ? CODES[-result - 1] : "unknown";
}

void *uzu_allocate(int64_t size) {
    return size < 0 ? NULL : malloc((size_t)size);
}

UZU_API void uzu_string_free(uzu_string *string) {
    if (string == NULL) {
        return;
    }
    free(string->data);
    string->data = NULL;
    string->length = 0;
}

/* Appends text as the inside of a JSON string; what doesn't fit is dropped. */
static size_t escape(char *out, size_t at, size_t capacity, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != 0 && at + 7 < capacity; c++) {
        if (*c == '"' || *c == '\\') {
            out[at++] = '\\';
            out[at++] = (char)*c;
        } else if (*c < 0x20) {
            at += (size_t)snprintf(out + at, capacity - at, "\\u%04x", *c);
        } else {
            out[at++] = (char)*c;
        }
    }
    return at;
}

int32_t uzu_fail(uzu_string *error, int32_t result, const char *key, const char *value, const char *format, ...) {
    if (error == NULL) {
        return result;
    }
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    char json[8192];
    size_t room = sizeof json - 8;
    size_t at = (size_t)snprintf(json, room, "{\"code\":\"%s\",\"message\":\"", uzu_result_name(result));
    at = escape(json, at, room, message);
    at += (size_t)snprintf(json + at, sizeof json - at, "\",\"details\":{");
    if (key != NULL) {
        room -= 32;
        at += (size_t)snprintf(json + at, sizeof json - at, "\"%s\":\"", key);
        at = escape(json, at, room, value == NULL ? "" : value);
        json[at++] = '"';
    }
    json[at++] = '}';
    json[at++] = '}';
    json[at] = 0;
    error->data = malloc(at + 1);
    error->length = 0;
    if (error->data != NULL) {
        memcpy(error->data, json, at + 1);
        error->length = (int64_t)at;
    }
    return result;
}
