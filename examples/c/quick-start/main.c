/* A model is found, fetched, loaded, and asked once; its reply is shown as it comes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uzu.h"

static uzu_string error;

static int32_t ok(int32_t result) {
    if (result < 0) {
        fprintf(stderr, "%s\n", error.data);
        exit(1);
    }
    return result;
}

/* Chunks are JSON, {"text": …, …}: a program of some size has a library for that. */
static void print_text(const char *chunk) {
    const char *c = strstr(chunk, "\"text\":\"");
    for (c = c == NULL ? "\"" : c + strlen("\"text\":\""); *c != '"'; c++) {
        if (*c == '\\') {
            c++;
        }
        putchar(c[-1] == '\\' && *c == 'n' ? '\n' : *c);
    }
    fflush(stdout);
}

int main(void) {
    const char *model = "huggingface:smollm2:135m:gguf:q4_1:4";
    const char *messages = "[{\"role\": \"system\", \"content\": \"You are a helpful assistant\"},"
                           " {\"role\": \"user\", \"content\": \"Tell me a short story about a tiny robot\"}]";
    uzu_handle engine, download, session, reply;
    uzu_string chunk;
    ok(uzu_engine_create(NULL, 0, &engine, &error));

    ok(uzu_download_start(engine, model, -1, &download, &error));
    while (ok(uzu_stream_next(download, -1, &chunk, &error)) == UZU_OK) {
        printf("\rDownload: %s", chunk.data);
        fflush(stdout);
        uzu_string_free(&chunk);
    }
    printf("\n");

    ok(uzu_engine_chat(engine, model, -1, NULL, 0, &session, &error));
    ok(uzu_session_reply(session, messages, -1, "{\"token_limit\": 256}", -1, &reply, &error));
    while (ok(uzu_stream_next(reply, -1, &chunk, &error)) == UZU_OK) {
        print_text(chunk.data);
        uzu_string_free(&chunk);
    }
    printf("\n");
    return ok(uzu_handle_close(engine, &error));
}
