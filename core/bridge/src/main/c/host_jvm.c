/* The embedded JVM as a host: a table that Java fills, and one indirect call. */
#include "host.h"

static uzu_table table;

int32_t uzu_host_start(uzu_string *error) {
    return uzu_start_jvm(&table, error);
}

int32_t uzu_host_call(int32_t entry, uint64_t handle, const uzu_text *texts, int64_t number, void *out,
                      uzu_string *error) {
    uzu_signals_check();
    return ((uzu_entry *)&table)[entry](handle, texts, number, out, error);
}
