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

/* Bytes of the well-formed character that text begins with; 0 when it begins with none. */
static int character(const unsigned char *text) {
    unsigned char first = text[0];
    if (first < 0x80) {
        return 1;
    }
    int length = 0;
    if (first >= 0xc2 && first <= 0xf4) {
        length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    }
    /* Too long a form, a surrogate, or beyond the last character. */
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) || (first == 0xf0 && text[1] < 0x90) ||
        (first == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/* A byte takes at most as many, as \u0001 or, when it is no UTF-8, as \ufffd. */
#define ESCAPED 6

/* Appends text as the inside of a JSON string. Gives the place behind it. */
static char *escape(char *out, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != 0;) {
        int length = character(c);
        if (length == 0) {
            out += sprintf(out, "\\ufffd");
            c++;
        } else if (*c < 0x20) {
            out += sprintf(out, "\\u%04x", *c++);
        } else {
            if (*c == '"' || *c == '\\') {
                *out++ = '\\';
            }
            memcpy(out, c, (size_t)length);
            out += length;
            c += length;
        }
    }
    return out;
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
    const char *detail = key == NULL || value == NULL ? "" : value;
    error->length = 0;
    error->data = malloc(ESCAPED * (strlen(message) + strlen(detail)) + (key == NULL ? 0 : strlen(key)) + 128);
    if (error->data == NULL) {
        return result;
    }
    char *end = error->data + sprintf(error->data, "{\"code\":\"%s\",\"message\":\"", uzu_result_name(result));
    end = escape(end, message);
    end += sprintf(end, "\",\"details\":{");
    if (key != NULL) {
        end += sprintf(end, "\"%s\":\"", key);
        end = escape(end, detail);
        *end++ = '"';
    }
    memcpy(end, "}}", 3);
    error->length = end + 2 - error->data;
    return result;
}
