/*
 * The locale while a JVM starts. The JVM calls setlocale(LC_ALL, "") for the whole process, and takes the encoding of
 * file names from it for good: in the C locale, say, no file whose name has an umlaut can be opened. uzu's paths are
 * UTF-8, so where the environment's locale is of another encoding, LC_ALL is a UTF-8 one for that moment.
 */
#define _GNU_SOURCE
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#if defined(__APPLE__)
#include <xlocale.h>
#endif

static int is_utf8(const char *name) {
    locale_t there = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
    int result = there != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, there), "UTF-8") == 0;
    if (there != (locale_t)0) {
        freelocale(there);
    }
    return result;
}

static char *copy(const char *text) {
    return text == NULL ? NULL : strdup(text);
}

void uzu_locale_begin(uzu_locale *locale) {
    locale->host = copy(setlocale(LC_ALL, NULL));
    locale->lc_all = NULL;
    locale->changed = !is_utf8("") && is_utf8("C.UTF-8");
    if (locale->changed) {
        locale->lc_all = copy(getenv("LC_ALL"));
        setenv("LC_ALL", "C.UTF-8", 1);
    }
}

void uzu_locale_end(uzu_locale *locale) {
    if (locale->changed && locale->lc_all == NULL) {
        unsetenv("LC_ALL");
    } else if (locale->changed) {
        setenv("LC_ALL", locale->lc_all, 1);
    }
    if (locale->host != NULL) {
        setlocale(LC_ALL, locale->host);
    }
    free(locale->host);
    free(locale->lc_all);
}
